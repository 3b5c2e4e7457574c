package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * LayerNorm over the last axis of x + skip + residual_bias (ONNX Runtime SkipLayerNormalization).
 *
 * <p>One use of {@code SkipLayerNorm} while its optional fields are set; made by {@code Ops.skipLayerNorm}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class SkipLayerNormOp extends OpBuilder<SkipLayerNormOp> {

    SkipLayerNormOp(Ops ops) {
        super(ops, "SkipLayerNorm", 1);
    }

    @Override
    SkipLayerNormOp self() {
        return this;
    }

    /**
     * The input {@code bias}.
     *
     * @param bias types: type of {@code x}; optional; {@code bias.dims == [x.dims[x.ndim - 1]]} (bias must have an
     *     element for each feature, which the last axis of x has)
     * @return this
     */
    public SkipLayerNormOp bias(Edge bias) {
        return input(3, bias);
    }

    /**
     * Added to the sum.
     *
     * @param residualBias types: type of {@code x}; optional; {@code residual_bias.dims == [x.dims[x.ndim - 1]]}
     *     (residual_bias must have an element for each feature, which the last axis of x has)
     * @return this
     */
    public SkipLayerNormOp residualBias(Edge residualBias) {
        return input(4, residualBias);
    }

    /**
     * The parameter {@code epsilon}.
     *
     * @param epsilon a number; default {@code 1.0E-12}; {@code >= 0}
     * @return this
     */
    public SkipLayerNormOp epsilon(double epsilon) {
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
