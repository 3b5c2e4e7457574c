package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * alpha * A' * B' + beta * C, where ' transposes if asked. Integers are summed exactly in 64 bits; with an alpha or
 * beta other than 1 the result is computed in float64 and rounded half to even; it saturates to their type. float16 and
 * bfloat16 are computed in float32 and rounded once.
 *
 * <p>One use of {@code Gemm} while its optional fields are set; made by {@code Ops.gemm}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class GemmOp extends OpBuilder<GemmOp> {

    GemmOp(Ops ops) {
        super(ops, "Gemm", 1);
    }

    @Override
    GemmOp self() {
        return this;
    }

    /**
     * The input {@code c}.
     *
     * @param c types: type of {@code a}; optional
     * @return this
     */
    public GemmOp c(Edge c) {
        return input(2, c);
    }

    /**
     * The parameter {@code alpha}.
     *
     * @param alpha a number; default {@code 1.0}
     * @return this
     */
    public GemmOp alpha(double alpha) {
        return param("alpha", Attribute.of(alpha));
    }

    /**
     * The parameter {@code beta}.
     *
     * @param beta a number; default {@code 1.0}
     * @return this
     */
    public GemmOp beta(double beta) {
        return param("beta", Attribute.of(beta));
    }

    /**
     * The parameter {@code transpose_a}.
     *
     * @param transposeA a bool; default {@code false}
     * @return this
     */
    public GemmOp transposeA(boolean transposeA) {
        return param("transpose_a", Attribute.of(transposeA));
    }

    /**
     * The parameter {@code transpose_b}.
     *
     * @param transposeB a bool; default {@code false}
     * @return this
     */
    public GemmOp transposeB(boolean transposeB) {
        return param("transpose_b", Attribute.of(transposeB));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code a.dtype}; dims: {@code [m, n]}
     */
    public Edge y() {
        return output(0);
    }
}
