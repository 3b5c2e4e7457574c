package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * x where x &gt;= 0, else alpha * x (OpLib 3.12). OpLib demands alpha &gt; 0; any alpha is taken, because ONNX allows
 * it. With integers alpha * x is computed in float64, rounded half to even and saturated.
 *
 * <p>One use of {@code LeakyRelu} while its optional fields are set; made by {@code Ops.leakyRelu}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class LeakyReluOp extends OpBuilder<LeakyReluOp> {

    LeakyReluOp(Ops ops) {
        super(ops, "LeakyRelu", 1);
    }

    @Override
    LeakyReluOp self() {
        return this;
    }

    /**
     * The parameter {@code alpha}.
     *
     * @param alpha a number; default {@code 0.01}
     * @return this
     */
    public LeakyReluOp alpha(double alpha) {
        return param("alpha", Attribute.of(alpha));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public Edge y() {
        return output(0);
    }
}
