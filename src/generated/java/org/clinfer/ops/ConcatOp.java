package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Joins tensors along one axis (OpLib 3.2).
 *
 * <p>One use of {@code Concat} while its optional fields are set; made by {@code Ops.concat}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class ConcatOp extends OpBuilder<ConcatOp> {

    ConcatOp(Ops ops) {
        super(ops, "Concat", 1);
    }

    @Override
    ConcatOp self() {
        return this;
    }

    /**
     * The parameter {@code axis}.
     *
     * @param axis an int; default {@code 1}; {@code >= -x[0].ndim}; {@code < x[0].ndim}
     * @return this
     */
    public ConcatOp axis(long axis) {
        return param("axis", Attribute.of(axis));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x[0].dtype}; dims: {@code map(range(x[0].ndim), i -> i == joined ? sum(map(x, t
     *     -> t.dims[joined])) : x[0].dims[i])}
     */
    public Edge y() {
        return output(0);
    }
}
