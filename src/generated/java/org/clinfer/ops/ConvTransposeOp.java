package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * 1-D, 2-D or 3-D transposed convolution of [batch, in_channels, spatial...] (NCX) or [batch, spatial..., in_channels]
 * (NXC), read as it is; Conv2dTranspose is the form that OpLib has. Integers are summed exactly in 64 bits and saturate
 * to their type; float16 and bfloat16 are summed in float32 and rounded once. The output has the same size whatever
 * ceil_mode says.
 *
 * <p>One use of {@code ConvTranspose} while its optional fields are set; made by {@code Ops.convTranspose}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class ConvTransposeOp extends OpBuilder<ConvTransposeOp> {

    /**
     * The values of {@code DataFormat} of {@code ConvTranspose}.
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
     * The values of {@code WeightsFormat} of {@code ConvTranspose}.
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

    ConvTransposeOp(Ops ops) {
        super(ops, "ConvTranspose", 1);
    }

    @Override
    ConvTransposeOp self() {
        return this;
    }

    /**
     * The input {@code bias}.
     *
     * @param bias types: type of {@code x}; optional; 1 dimension
     * @return this
     */
    public ConvTransposeOp bias(Edge bias) {
        return input(2, bias);
    }

    /**
     * The parameter {@code data_format}.
     *
     * @param dataFormat a string; default {@code 'NCX'}; one of {@code NCX}, {@code NXC}
     * @return this
     */
    public ConvTransposeOp dataFormat(DataFormat dataFormat) {
        return param("data_format", Attribute.of(dataFormat.toString()));
    }

    /**
     * The parameter {@code weights_format}.
     *
     * @param weightsFormat a string; default {@code 'IOX'}; one of {@code IOX}, {@code XOI}
     * @return this
     */
    public ConvTransposeOp weightsFormat(WeightsFormat weightsFormat) {
        return param("weights_format", Attribute.of(weightsFormat.toString()));
    }

    /**
     * Spatial size of the kernel; all 0 is that of the weights.
     *
     * @param kernelSize a list of ints; default {@code fill(x.ndim - 2, 0)}; {@code x.ndim - 2} elements; each {@code
     *     >= 0}; {@code all(kernel_size, v -> v == 0) || kernel_size == (weights_format == 'IOX' ? slice(weights.dims,
     *     2, weights.ndim) : slice(weights.dims, 0, weights.ndim - 2))} (kernel_size must be that of the weights, or
     *     all 0)
     * @return this
     */
    public ConvTransposeOp kernelSize(long... kernelSize) {
        return param("kernel_size", Attribute.ofInts(kernelSize));
    }

    /**
     * The whole output shape, in the layout of x, batch and channels also -1; a convolution of it must give the shape
     * of x.
     *
     * @param outputShape a list of ints; default none; {@code x.ndim} elements
     * @return this
     */
    public ConvTransposeOp outputShape(long... outputShape) {
        return param("output_shape", Attribute.ofInts(outputShape));
    }

    /**
     * The parameter {@code strides}.
     *
     * @param strides a list of ints; default {@code fill(x.ndim - 2, 1)}; {@code x.ndim - 2} elements; each {@code >=
     *     1}; each {@code < 1073741824}
     * @return this
     */
    public ConvTransposeOp strides(long... strides) {
        return param("strides", Attribute.ofInts(strides));
    }

    /**
     * Begin and end per axis ([top, bottom, left, right] in 2-D), cut from the full result; left out with output_shape:
     * found from it.
     *
     * @param padding a list of ints; default none; {@code 2 * (x.ndim - 2)} elements; each {@code >= 0}; each {@code <
     *     1073741824}
     * @return this
     */
    public ConvTransposeOp padding(long... padding) {
        return param("padding", Attribute.ofInts(padding));
    }

    /**
     * PADDING uses {@code padding}; SAME and SAME_LOWER give in * stride unless output_shape says otherwise; VALID cuts
     * nothing.
     *
     * @param padMode a string; default {@code 'PADDING'}; one of {@code PADDING}, {@code SAME}, {@code SAME_LOWER},
     *     {@code VALID}
     * @return this
     */
    public ConvTransposeOp padMode(PadMode padMode) {
        return param("pad_mode", Attribute.of(padMode.toString()));
    }

    /**
     * The parameter {@code dilation}.
     *
     * @param dilation a list of ints; default {@code fill(x.ndim - 2, 1)}; {@code x.ndim - 2} elements; each {@code >=
     *     1}; each {@code < 1073741824}
     * @return this
     */
    public ConvTransposeOp dilation(long... dilation) {
        return param("dilation", Attribute.ofInts(dilation));
    }

    /**
     * Extra size at the end of each axis.
     *
     * @param outputPadding a list of ints; default {@code fill(x.ndim - 2, 0)}; {@code x.ndim - 2} elements; each
     *     {@code >= 0}; each {@code < 1073741824}
     * @return this
     */
    public ConvTransposeOp outputPadding(long... outputPadding) {
        return param("output_padding", Attribute.ofInts(outputPadding));
    }

    /**
     * The parameter {@code bias_term}.
     *
     * @param biasTerm a bool; default {@code has(bias)}; {@code bias_term == has(bias)} (bias_term says whether a bias
     *     tensor is given)
     * @return this
     */
    public ConvTransposeOp biasTerm(boolean biasTerm) {
        return param("bias_term", Attribute.of(biasTerm));
    }

    /**
     * The parameter {@code group}.
     *
     * @param group an int; default {@code 1}; {@code >= 1}
     * @return this
     */
    public ConvTransposeOp group(long group) {
        return param("group", Attribute.of(group));
    }

    /**
     * Rounding of the output size.
     *
     * @param ceilMode a string; default {@code 'FLOOR'}; one of {@code FLOOR}, {@code CEIL}, {@code ROUND}; {@code
     *     ceil_mode != 'ROUND'} (ROUND has no defined output size; use FLOOR or CEIL)
     * @return this
     */
    public ConvTransposeOp ceilMode(CeilMode ceilMode) {
        return param("ceil_mode", Attribute.of(ceilMode.toString()));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code data_format == 'NCX' ? [batch, out_channels] + out_size :
     *     [batch] + out_size + [out_channels]}
     */
    public Edge y() {
        return output(0);
    }
}
