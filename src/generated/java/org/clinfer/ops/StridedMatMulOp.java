package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * alpha * A * B of matrices that lie in their tensors with strides, in elements, as after a transposition, a slice or a
 * split that need not be carried out; plans for GPUs have it, and those for processors where A has few rows. float16
 * and bfloat16 are summed in float32 and rounded once.
 *
 * <p>One use of {@code StridedMatMul} while its optional fields are set; made by {@code Ops.stridedMatMul}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class StridedMatMulOp extends OpBuilder<StridedMatMulOp> {

    StridedMatMulOp(Ops ops) {
        super(ops, "StridedMatMul", 1);
    }

    @Override
    StridedMatMulOp self() {
        return this;
    }

    /**
     * The first element of A.
     *
     * @param aOffset an int; default {@code 0}; {@code >= 0}
     * @return this
     */
    public StridedMatMulOp aOffset(long aOffset) {
        return param("a_offset", Attribute.of(aOffset));
    }

    /**
     * The parameter {@code b_offset}.
     *
     * @param bOffset an int; default {@code 0}; {@code >= 0}
     * @return this
     */
    public StridedMatMulOp bOffset(long bOffset) {
        return param("b_offset", Attribute.of(bOffset));
    }

    /**
     * The axes of y, as those of [matrices..., row, column].
     *
     * @param perm a list of ints; default {@code range(len(sizes) - 1)}; {@code sort(perm) == range(len(sizes) - 1)}
     * @return this
     */
    public StridedMatMulOp perm(long... perm) {
        return param("perm", Attribute.ofInts(perm));
    }

    /**
     * The parameter {@code alpha}.
     *
     * @param alpha a number; default {@code 1.0}
     * @return this
     */
    public StridedMatMulOp alpha(double alpha) {
        return param("alpha", Attribute.of(alpha));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code a.dtype}; dims: {@code y_dims}
     */
    public Edge y() {
        return output(0);
    }
}
