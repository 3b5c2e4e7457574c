package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Where along an axis the smallest element stands; of equal ones the first. A NaN wins.
 *
 * <p>One use of {@code ArgMin} while its optional fields are set; made by {@code Ops.argMin}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class ArgMinOp extends OpBuilder<ArgMinOp> {

    ArgMinOp(Ops ops) {
        super(ops, "ArgMin", 1);
    }

    @Override
    ArgMinOp self() {
        return this;
    }

    /**
     * Negative counts from the end.
     *
     * @param axis an int; default {@code 0}; {@code >= -x.ndim}; {@code < x.ndim}
     * @return this
     */
    public ArgMinOp axis(long axis) {
        return param("axis", Attribute.of(axis));
    }

    /**
     * The axis stays with size 1.
     *
     * @param keepdims a bool; default {@code true}
     * @return this
     */
    public ArgMinOp keepdims(boolean keepdims) {
        return param("keepdims", Attribute.of(keepdims));
    }

    /**
     * Of equal ones the last.
     *
     * @param selectLastIndex a bool; default {@code false}
     * @return this
     */
    public ArgMinOp selectLastIndex(boolean selectLastIndex) {
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
