package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Sum of the inputs times their coefficients, element by element (OpLib 3.7): alpha[0] * x[0] + alpha[1] * x[1] + ...
 * It is built from left to right; integers wrap, 16-bit floats are rounded once at the end.
 *
 * <p>One use of {@code Eltwise} while its optional fields are set; made by {@code Ops.eltwise}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class EltwiseOp extends OpBuilder<EltwiseOp> {

    EltwiseOp(Ops ops) {
        super(ops, "Eltwise", 1);
    }

    @Override
    EltwiseOp self() {
        return this;
    }

    /**
     * One coefficient for each input.
     *
     * @param alpha a list of ints; default {@code fill(len(x), 1)}; {@code len(x)} elements
     * @return this
     */
    public EltwiseOp alpha(long... alpha) {
        return param("alpha", Attribute.ofInts(alpha));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x[0].dtype}; dims: {@code x[0].dims}
     */
    public Edge y() {
        return output(0);
    }
}
