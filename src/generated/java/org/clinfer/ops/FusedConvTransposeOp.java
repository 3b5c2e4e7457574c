package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * 1-D, 2-D or 3-D transposed convolution with what follows it, as in FusedConv. The other transposed convolutions are
 * forms of it. pads_begin is cut from the beginning of the full result, and out_size elements follow; those that no
 * input reaches are 0 plus bias. x is [N, C, spatial...] (NCX) or [N, spatial..., C] (NXC), read as it is. Integers are
 * summed exactly in 64 bits and saturate to their type; float16 and bfloat16 are computed in float32 and rounded once,
 * after the activation.
 *
 * <p>One use of {@code FusedConvTranspose} while its optional fields are set; made by {@code Ops.fusedConvTranspose}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class FusedConvTransposeOp extends OpBuilder<FusedConvTransposeOp> {

    /**
     * The values of {@code DataFormat} of {@code FusedConvTranspose}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum DataFormat {
        NCX,
        NXC
    }

    /**
     * The values of {@code WeightsFormat} of {@code FusedConvTranspose}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum WeightsFormat {
        IOX,
        XOI
    }

    FusedConvTransposeOp(Ops ops) {
        super(ops, "FusedConvTranspose", 1);
    }

    @Override
    FusedConvTransposeOp self() {
        return this;
    }

    /**
     * One for each output channel.
     *
     * <p>Types: numeric; optional; 1 dimension.
     */
    public FusedConvTransposeOp bias(Edge bias) {
        return input(2, bias);
    }

    /**
     * Added to the result; of the shape of y.
     *
     * <p>Types: numeric; optional.
     */
    public FusedConvTransposeOp residual(Edge residual) {
        return input(3, residual);
    }

    /**
     * Of PRELU: one for all, or for each output channel.
     *
     * <p>Types: numeric; optional; 1 dimension.
     */
    public FusedConvTransposeOp slope(Edge slope) {
        return input(4, slope);
    }

    /**
     * The parameter {@code strides}.
     *
     * <p>A list of ints; default {@code fill(x.ndim - 2, 1)}; {@code x.ndim - 2} elements; each {@code >= 1}; each
     * {@code < 1073741824}.
     */
    public FusedConvTransposeOp strides(long... strides) {
        return param("strides", Attribute.ofInts(strides));
    }

    /**
     * The parameter {@code pads_begin}.
     *
     * <p>A list of ints; default {@code fill(x.ndim - 2, 0)}; {@code x.ndim - 2} elements; each {@code >= 0}; each
     * {@code < 1073741824}.
     */
    public FusedConvTransposeOp padsBegin(long... padsBegin) {
        return param("pads_begin", Attribute.ofInts(padsBegin));
    }

    /**
     * The parameter {@code dilations}.
     *
     * <p>A list of ints; default {@code fill(x.ndim - 2, 1)}; {@code x.ndim - 2} elements; each {@code >= 1}; each
     * {@code < 1073741824}.
     */
    public FusedConvTransposeOp dilations(long... dilations) {
        return param("dilations", Attribute.ofInts(dilations));
    }

    /**
     * The parameter {@code groups}.
     *
     * <p>An int; default {@code 1}; {@code >= 1}.
     */
    public FusedConvTransposeOp groups(long groups) {
        return param("groups", Attribute.of(groups));
    }

    /**
     * The parameter {@code data_format}.
     *
     * <p>A string; default {@code 'NCX'}; one of {@code NCX}, {@code NXC}.
     */
    public FusedConvTransposeOp dataFormat(DataFormat dataFormat) {
        return param("data_format", Attribute.of(dataFormat.toString()));
    }

    /**
     * The parameter {@code weights_format}.
     *
     * <p>A string; default {@code 'IOX'}; one of {@code IOX}, {@code XOI}.
     */
    public FusedConvTransposeOp weightsFormat(WeightsFormat weightsFormat) {
        return param("weights_format", Attribute.of(weightsFormat.toString()));
    }

    /**
     * Applied to the sum: RELU is max(x, 0); RELU6 is min(max(x, 0), 6); LEAKY_RELU is x where x &gt;= 0, else alpha *
     * x; PRELU is x where x &gt;= 0, else slope * x; CLIP is min(max(x, alpha), beta); SIGMOID is 1 / (1 + exp(-x));
     * HARD_SWISH is x * min(max(x / 6 + 0.5, 0), 1); TANH is tanh(x); SWISH is x / (1 + exp(-x)); GELU is x / 2 * (1 +
     * erf(x / sqrt(2))); SIGMOID, HARD_SWISH, TANH, SWISH, GELU to floating types alone.
     *
     * <p>A string; default {@code 'NONE'}; one of {@code NONE}, {@code RELU}, {@code RELU6}, {@code LEAKY_RELU}, {@code
     * PRELU}, {@code CLIP}, {@code SIGMOID}, {@code HARD_SWISH}, {@code TANH}, {@code SWISH}, {@code GELU}; {@code
     * (activation == 'PRELU') == has(slope)} (PRELU, and nothing else, has a slope).
     */
    public FusedConvTransposeOp activation(Activation activation) {
        return param("activation", Attribute.of(activation.toString()));
    }

    /**
     * Slope of LEAKY_RELU below 0; lower bound of CLIP.
     *
     * <p>A number; default {@code activation == 'LEAKY_RELU' ? 0.01 : 0.0}.
     */
    public FusedConvTransposeOp alpha(double alpha) {
        return param("alpha", Attribute.of(alpha));
    }

    /**
     * Upper bound of CLIP.
     *
     * <p>A number; default {@code 0.0}; {@code activation != 'CLIP' || alpha <= beta} (the bounds of CLIP are alpha
     * &lt;= beta).
     */
    public FusedConvTransposeOp beta(double beta) {
        return param("beta", Attribute.of(beta));
    }

    /**
     * Whether residual is added before or after the activation.
     *
     * <p>A string; default {@code 'BEFORE'}; one of {@code BEFORE}, {@code AFTER}.
     */
    public FusedConvTransposeOp residualAdd(ResidualAdd residualAdd) {
        return param("residual_add", Attribute.of(residualAdd.toString()));
    }

    /**
     * Type of y, bias, residual and slope: that of x, or int32.
     *
     * <p>A string; default {@code 'SAME'}; one of {@code SAME}, {@code INT32}; {@code out_type == 'SAME' || x.dtype ==
     * 'int8'} (only sums of int8 can be kept as int32).
     */
    public FusedConvTransposeOp outType(OutType outType) {
        return param("out_type", Attribute.of(outType.toString()));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * <p>Type: {@code y_type}; dims: {@code y_dims}.
     */
    public Edge y() {
        return output(0);
    }
}
