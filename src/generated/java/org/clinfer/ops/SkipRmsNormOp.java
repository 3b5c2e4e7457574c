package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * RmsNorm over the last axis of x + skip + residual_bias (ONNX Runtime SkipSimplifiedLayerNormalization).
 *
 * <p>One use of {@code SkipRmsNorm} while its optional fields are set; made by {@code Ops.skipRmsNorm}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class SkipRmsNormOp extends OpBuilder<SkipRmsNormOp> {

    SkipRmsNormOp(Ops ops) {
        super(ops, "SkipRmsNorm", 1);
    }

    @Override
    SkipRmsNormOp self() {
        return this;
    }

    /**
     * Added to the sum.
     *
     * @param residualBias types: type of {@code x}; optional; {@code residual_bias.dims == [x.dims[x.ndim - 1]]}
     *     (residual_bias must have an element for each feature, which the last axis of x has)
     * @return this
     */
    public SkipRmsNormOp residualBias(Edge residualBias) {
        return input(3, residualBias);
    }

    /**
     * The parameter {@code epsilon}.
     *
     * @param epsilon a number; default {@code 1.0E-12}; {@code >= 0}
     * @return this
     */
    public SkipRmsNormOp epsilon(double epsilon) {
        return param("epsilon", Attribute.of(epsilon));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public Edge y() {
        return output(0);
    }

    /**
     * The tensor that is normalised.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code x.dims}
     */
    public Edge sum() {
        return output(1);
    }
}
