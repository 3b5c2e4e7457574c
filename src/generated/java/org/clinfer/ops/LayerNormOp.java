package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * (x - mean) / sqrt(variance + epsilon) * scale + bias, with mean and variance of everything from an axis on (ONNX
 * LayerNormalization). 16-bit floats are computed in float32 and rounded once.
 *
 * <p>One use of {@code LayerNorm} while its optional fields are set; made by {@code Ops.layerNorm}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class LayerNormOp extends OpBuilder<LayerNormOp> {

    LayerNormOp(Ops ops) {
        super(ops, "LayerNorm", 1);
    }

    @Override
    LayerNormOp self() {
        return this;
    }

    /**
     * Of the shape of what is normalised.
     *
     * @param bias types: type of {@code x}; optional
     * @return this
     */
    public LayerNormOp bias(Edge bias) {
        return input(2, bias);
    }

    /**
     * The first of those that are normalised together.
     *
     * @param axis an int; default {@code -1}; {@code >= -x.ndim}; {@code < x.ndim}
     * @return this
     */
    public LayerNormOp axis(long axis) {
        return param("axis", Attribute.of(axis));
    }

    /**
     * The parameter {@code epsilon}.
     *
     * @param epsilon a number; default {@code 1.0E-5}; {@code >= 0}
     * @return this
     */
    public LayerNormOp epsilon(double epsilon) {
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
     * The output {@code mean}, which ends this use of the operator.
     *
     * @return its value; type: float32; dims: {@code statistic_dims}
     */
    public Edge mean() {
        return output(1);
    }

    /**
     * 1 / sqrt(variance + epsilon).
     *
     * @return its value; type: float32; dims: {@code statistic_dims}
     */
    public Edge inverseDeviation() {
        return output(2);
    }
}
