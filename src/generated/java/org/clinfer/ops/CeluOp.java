package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * max(0, x) + min(0, alpha * (exp(x / alpha) - 1)). Floating types only, because the result is no integer.
 *
 * <p>One use of {@code Celu} while its optional fields are set; made by {@code Ops.celu}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class CeluOp extends OpBuilder<CeluOp> {

    CeluOp(Ops ops) {
        super(ops, "Celu", 1);
    }

    @Override
    CeluOp self() {
        return this;
    }

    /**
     * The parameter {@code alpha}.
     *
     * @param alpha a number; default {@code 1.0}; {@code != 0}
     * @return this
     */
    public CeluOp alpha(double alpha) {
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
