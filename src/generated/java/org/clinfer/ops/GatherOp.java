package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Slices of x along one axis, chosen by indices; negative ones count from the end.
 *
 * <p>One use of {@code Gather} while its optional fields are set; made by {@code Ops.gather}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class GatherOp extends OpBuilder<GatherOp> {

    GatherOp(Ops ops) {
        super(ops, "Gather", 1);
    }

    @Override
    GatherOp self() {
        return this;
    }

    /**
     * The parameter {@code axis}.
     *
     * @param axis an int; default {@code 0}; {@code >= -x.ndim}; {@code < x.ndim}
     * @return this
     */
    public GatherOp axis(long axis) {
        return param("axis", Attribute.of(axis));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code slice(x.dims, 0, along) + indices.dims + slice(x.dims,
     *     along + 1, x.ndim)}
     */
    public Edge y() {
        return output(0);
    }
}
