package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * min(max(alpha * x + beta, 0), 1). Floating types only, because the result is no integer.
 *
 * <p>One use of {@code HardSigmoid} while its optional fields are set; made by {@code Ops.hardSigmoid}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class HardSigmoidOp extends OpBuilder<HardSigmoidOp> {

    HardSigmoidOp(Ops ops) {
        super(ops, "HardSigmoid", 1);
    }

    @Override
    HardSigmoidOp self() {
        return this;
    }

    /**
     * The parameter {@code alpha}.
     *
     * @param alpha a number; default {@code 0.2}
     * @return this
     */
    public HardSigmoidOp alpha(double alpha) {
        return param("alpha", Attribute.of(alpha));
    }

    /**
     * The parameter {@code beta}.
     *
     * @param beta a number; default {@code 0.5}
     * @return this
     */
    public HardSigmoidOp beta(double beta) {
        return param("beta", Attribute.of(beta));
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
