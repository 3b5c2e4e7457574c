package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * x where x &gt; alpha, else 0. Floating types only, as ONNX has it.
 *
 * <p>One use of {@code ThresholdedRelu} while its optional fields are set; made by {@code Ops.thresholdedRelu}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class ThresholdedReluOp extends OpBuilder<ThresholdedReluOp> {

    ThresholdedReluOp(Ops ops) {
        super(ops, "ThresholdedRelu", 1);
    }

    @Override
    ThresholdedReluOp self() {
        return this;
    }

    /**
     * The parameter {@code alpha}.
     *
     * @param alpha a number; default {@code 1.0}
     * @return this
     */
    public ThresholdedReluOp alpha(double alpha) {
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
