package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Where along an axis the largest element stands; of equal ones the first. A NaN wins.
 *
 * <p>One use of {@code ArgMax} while its optional fields are set; made by {@code Ops.argMax}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class ArgMaxOp extends OpBuilder<ArgMaxOp> {

    ArgMaxOp(Ops ops) {
        super(ops, "ArgMax", 1);
    }

    @Override
    ArgMaxOp self() {
        return this;
    }

    /**
     * Negative counts from the end.
     *
     * @param axis an int; default {@code 0}; {@code >= -x.ndim}; {@code < x.ndim}
     * @return this
     */
    public ArgMaxOp axis(long axis) {
        return param("axis", Attribute.of(axis));
    }

    /**
     * The axis stays with size 1.
     *
     * @param keepdims a bool; default {@code true}
     * @return this
     */
    public ArgMaxOp keepdims(boolean keepdims) {
        return param("keepdims", Attribute.of(keepdims));
    }

    /**
     * Of equal ones the last.
     *
     * @param selectLastIndex a bool; default {@code false}
     * @return this
     */
    public ArgMaxOp selectLastIndex(boolean selectLastIndex) {
        return param("select_last_index", Attribute.of(selectLastIndex));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: int64; dims: {@code slice(x.dims, 0, along) + (keepdims ? [1] : []) + slice(x.dims,
     *     along + 1, x.ndim)}
     */
    public Edge y() {
        return output(0);
    }
}
