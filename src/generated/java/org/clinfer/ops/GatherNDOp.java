package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Slices of data, each chosen by the numbers of one row of indices, one number for each of the first axes of data
 * behind the batches; negative ones count from the end.
 *
 * <p>One use of {@code GatherND} while its optional fields are set; made by {@code Ops.gatherND}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class GatherNDOp extends OpBuilder<GatherNDOp> {

    GatherNDOp(Ops ops) {
        super(ops, "GatherND", 1);
    }

    @Override
    GatherNDOp self() {
        return this;
    }

    /**
     * So many of the first axes are those of data and of indices alike.
     *
     * @param batchDims an int; default {@code 0}; {@code >= 0}
     * @return this
     */
    public GatherNDOp batchDims(long batchDims) {
        return param("batch_dims", Attribute.of(batchDims));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code data.dtype}; dims: {@code slice(indices.dims, 0, indices.ndim - 1) +
     *     slice(data.dims, sliced, data.ndim)}
     */
    public Edge y() {
        return output(0);
    }
}
