package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * The reverse of SpaceToBatch: batches are put side by side, as the places of a block, and the borders are left out
 * (TensorFlow BatchToSpaceND).
 *
 * <p>One use of {@code BatchToSpace} while its optional fields are set; made by {@code Ops.batchToSpace}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class BatchToSpaceOp extends OpBuilder<BatchToSpaceOp> {

    BatchToSpaceOp(Ops ops) {
        super(ops, "BatchToSpace", 1);
    }

    @Override
    BatchToSpaceOp self() {
        return this;
    }

    /**
     * The input {@code borders_tensor}.
     *
     * <p>Supplies the parameter {@code borders}, and takes back what was given for it.
     *
     * @param bordersTensor types: int32, int64; optional; must be known when the run is planned
     * @return this
     */
    public BatchToSpaceOp bordersTensor(Edge bordersTensor) {
        return supplier(1, bordersTensor, "borders");
    }

    /**
     * The numbers of elements left out at the beginning and at the end of each of these axes: [before, behind, before,
     * ...].
     *
     * <p>Takes back what was given for the input {@code borders_tensor}.
     *
     * @param borders a list of ints; default {@code fill(2 * len(block), 0)}; {@code 2 * len(block)} elements; each
     *     {@code >= 0}; each {@code < 1073741824}; or the input {@code borders_tensor}
     * @return this
     */
    public BatchToSpaceOp borders(long... borders) {
        return param("borders", Attribute.ofInts(borders), 1);
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code [floor_div(x.dims[0], block_len)] + cut + map(other_axes,
     *     i -> x.dims[i])}
     */
    public Edge y() {
        return output(0);
    }
}
