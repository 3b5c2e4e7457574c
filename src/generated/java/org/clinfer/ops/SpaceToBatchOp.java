package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * The places of a block, each a batch of its own: x is padded with zeros, and of each axis every block[i]-th element is
 * taken, from each place in a block on (TensorFlow SpaceToBatchND).
 *
 * <p>One use of {@code SpaceToBatch} while its optional fields are set; made by {@code Ops.spaceToBatch}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class SpaceToBatchOp extends OpBuilder<SpaceToBatchOp> {

    SpaceToBatchOp(Ops ops) {
        super(ops, "SpaceToBatch", 1);
    }

    @Override
    SpaceToBatchOp self() {
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
    public SpaceToBatchOp bordersTensor(Edge bordersTensor) {
        return supplier(1, bordersTensor, "borders");
    }

    /**
     * The numbers of zeros put before and behind each of these axes: [before, behind, before, ...].
     *
     * <p>Takes back what was given for the input {@code borders_tensor}.
     *
     * @param borders a list of ints; default {@code fill(2 * len(block), 0)}; {@code 2 * len(block)} elements; each
     *     {@code >= 0}; each {@code < 1073741824}; or the input {@code borders_tensor}
     * @return this
     */
    public SpaceToBatchOp borders(long... borders) {
        return param("borders", Attribute.ofInts(borders), 1);
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code [x.dims[0] * block_len] + map(range(count), i ->
     *     floor_div(padded[i], block[i])) + map(other_axes, i -> x.dims[i])}
     */
    public Edge y() {
        return output(0);
    }
}
