package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * x / (bias + alpha / size * sum of squares over {@code size} neighbouring channels) ^ beta.
 *
 * <p>One use of {@code Lrn} while its optional fields are set; made by {@code Ops.lrn}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class LrnOp extends OpBuilder<LrnOp> {

    LrnOp(Ops ops) {
        super(ops, "Lrn", 1);
    }

    @Override
    LrnOp self() {
        return this;
    }

    /**
     * The parameter {@code alpha}.
     *
     * @param alpha a number; default {@code 1.0E-4}
     * @return this
     */
    public LrnOp alpha(double alpha) {
        return param("alpha", Attribute.of(alpha));
    }

    /**
     * The parameter {@code beta}.
     *
     * @param beta a number; default {@code 0.75}
     * @return this
     */
    public LrnOp beta(double beta) {
        return param("beta", Attribute.of(beta));
    }

    /**
     * The parameter {@code bias}.
     *
     * @param bias a number; default {@code 1.0}
     * @return this
     */
    public LrnOp bias(double bias) {
        return param("bias", Attribute.of(bias));
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
