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
        /** The spelling {@code NCX}. */
        NCX,
        /** The spelling {@code NXC}. */
        NXC
    }

    /**
     * The values of {@code WeightsFormat} of {@code FusedConvTranspose}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum WeightsFormat {
        /** The spelling {@code IOX}. */
        IOX,
        /** The spelling {@code XOI}. */
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
     * @param bias types: numeric; optional; 1 dimension
     * @return this
     */
    public FusedConvTransposeOp bias(Edge bias) {
        return input(2, bias);
    }

    /**
     * Added to the result; of the shape of y.
     *
     * @param residual types: numeric; optional
     * @return this
     */
    public FusedConvTransposeOp residual(Edge residual) {
        return input(3, residual);
    }

    /**
     * Of PRELU: one for all, or for each output channel.
     *
     * @param slope types: numeric; optional; 1 dimension
     * @return this
     */
    public FusedConvTransposeOp slope(Edge slope) {
        return input(4, slope);
    }

    /**
     * The parameter {@code strides}.
     *
     * @param strides a list of ints; default {@code fill(x.ndim - 2, 1)}; {@code x.ndim - 2} elements; each {@code >=
     *     1}; each {@code < 1073741824}
     * @return this
     */
    public FusedConvTransposeOp strides(long... strides) {
        return param("strides", Attribute.ofInts(strides));
    }

    /**
     * The parameter {@code pads_begin}.
     *
     * @param padsBegin a list of ints; default {@code fill(x.ndim - 2, 0)}; {@code x.ndim - 2} elements; each {@code >=
     *     0}; each {@code < 1073741824}
     * @return this
     */
    public FusedConvTransposeOp padsBegin(long... padsBegin) {
        return param("pads_begin", Attribute.ofInts(padsBegin));
    }

    /**
     * The parameter {@code dilations}.
     *
     * @param dilations a list of ints; default {@code fill(x.ndim - 2, 1)}; {@code x.ndim - 2} elements; each {@code >=
     *     1}; each {@code < 1073741824}
     * @return this
     */
    public FusedConvTransposeOp dilations(long... dilations) {
        return param("dilations", Attribute.ofInts(dilations));
    }

    /**
     * The parameter {@code groups}.
     *
     * @param groups an int; default {@code 1}; {@code >= 1}
     * @return this
     */
    public FusedConvTransposeOp groups(long groups) {
        return param("groups", Attribute.of(groups));
    }

    /**
     * The parameter {@code data_format}.
     *
     * @param dataFormat a string; default {@code 'NCX'}; one of {@code NCX}, {@code NXC}
     * @return this
     */
    public FusedConvTransposeOp dataFormat(DataFormat dataFormat) {
        return param("data_format", Attribute.of(dataFormat.toString()));
    }

    /**
     * The parameter {@code weights_format}.
     *
     * @param weightsFormat a string; default {@code 'IOX'}; one of {@code IOX}, {@code XOI}
     * @return this
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
     * @param activation a string; default {@code 'NONE'}; one of {@code NONE}, {@code RELU}, {@code RELU6}, {@code
     *     LEAKY_RELU}, {@code PRELU}, {@code CLIP}, {@code SIGMOID}, {@code HARD_SWISH}, {@code TANH}, {@code SWISH},
     *     {@code GELU}; {@code (activation == 'PRELU') == has(slope)} (PRELU, and nothing else, has a slope)
     * @return this
     */
    public FusedConvTransposeOp activation(Activation activation) {
        return param("activation", Attribute.of(activation.toString()));
    }

    /**
     * Slope of LEAKY_RELU below 0; lower bound of CLIP.
     *
     * @param alpha a number; default {@code activation == 'LEAKY_RELU' ? 0.01 : 0.0}
     * @return this
     */
    public FusedConvTransposeOp alpha(double alpha) {
        return param("alpha", Attribute.of(alpha));
    }

    /**
     * Upper bound of CLIP.
     *
     * @param beta a number; default {@code 0.0}; {@code activation != 'CLIP' || alpha <= beta} (the bounds of CLIP are
     *     alpha &lt;= beta)
     * @return this
     */
    public FusedConvTransposeOp beta(double beta) {
        return param("beta", Attribute.of(beta));
    }

    /**
     * Whether residual is added before or after the activation.
     *
     * @param residualAdd a string; default {@code 'BEFORE'}; one of {@code BEFORE}, {@code AFTER}
     * @return this
     */
    public FusedConvTransposeOp residualAdd(ResidualAdd residualAdd) {
        return param("residual_add", Attribute.of(residualAdd.toString()));
    }

    /**
     * Type of y, bias, residual and slope: that of x, or int32.
     *
     * @param outType a string; default {@code 'SAME'}; one of {@code SAME}, {@code INT32}; {@code out_type == 'SAME' ||
     *     x.dtype == 'int8'} (only sums of int8 can be kept as int32)
     * @return this
     */
    public FusedConvTransposeOp outType(OutType outType) {
        return param("out_type", Attribute.of(outType.toString()));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code y_type}; dims: {@code y_dims}
     */
    public Edge y() {
        return output(0);
    }
}
