package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * gamma * x where x &gt; 0, else gamma * alpha * (exp(x) - 1). Floating types only, because the result is no integer.
 *
 * <p>One use of {@code Selu} while its optional fields are set; made by {@code Ops.selu}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class SeluOp extends OpBuilder<SeluOp> {

    SeluOp(Ops ops) {
        super(ops, "Selu", 1);
    }

    @Override
    SeluOp self() {
        return this;
    }

    /**
     * The parameter {@code alpha}.
     *
     * @param alpha a number; default {@code 1.6732631921768188}
     * @return this
     */
    public SeluOp alpha(double alpha) {
        return param("alpha", Attribute.of(alpha));
    }

    /**
     * The parameter {@code gamma}.
     *
     * @param gamma a number; default {@code 1.0507010221481323}
     * @return this
     */
    public SeluOp gamma(double gamma) {
        return param("gamma", Attribute.of(gamma));
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
