package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * x where x &gt; 0, else alpha * (exp(x) - 1). Floating types only, because the result is no integer.
 *
 * <p>One use of {@code Elu} while its optional fields are set; made by {@code Ops.elu}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class EluOp extends OpBuilder<EluOp> {

    EluOp(Ops ops) {
        super(ops, "Elu", 1);
    }

    @Override
    EluOp self() {
        return this;
    }

    /**
     * The parameter {@code alpha}.
     *
     * @param alpha a number; default {@code 1.0}
     * @return this
     */
    public EluOp alpha(double alpha) {
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
