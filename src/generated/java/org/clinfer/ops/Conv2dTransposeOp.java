package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * 2-D transposed convolution of [batch, in_channels, height, width] with weights [in_channels, out_channels / group,
 * kernel_h, kernel_w] (OpLib 3.5). Integers are summed exactly in 64 bits and saturate to their type; float16 and
 * bfloat16 are summed in float32 and rounded once. The output has the same size whatever ceil_mode says.
 *
 * <p>One use of {@code Conv2dTranspose} while its optional fields are set; made by {@code Ops.conv2dTranspose}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class Conv2dTransposeOp extends OpBuilder<Conv2dTransposeOp> {

    Conv2dTransposeOp(Ops ops) {
        super(ops, "Conv2dTranspose", 1);
    }

    @Override
    Conv2dTransposeOp self() {
        return this;
    }

    /**
     * The input {@code bias}.
     *
     * @param bias types: type of {@code x}; optional; 1 dimension
     * @return this
     */
    public Conv2dTransposeOp bias(Edge bias) {
        return input(2, bias);
    }

    /**
     * Spatial size of the kernel; all 0 is that of the weights.
     *
     * @param kernelSize a list of ints; default {@code fill(x.ndim - 2, 0)}; {@code x.ndim - 2} elements; each {@code
     *     >= 0}; {@code all(kernel_size, v -> v == 0) || kernel_size == slice(weights.dims, 2, weights.ndim)}
     *     (kernel_size must be that of the weights, or all 0)
     * @return this
     */
    public Conv2dTransposeOp kernelSize(long... kernelSize) {
        return param("kernel_size", Attribute.ofInts(kernelSize));
    }

    /**
     * The whole output shape, [N, C, spatial...], N and C also -1; a convolution of it must give the shape of x.
     *
     * @param outputShape a list of ints; default none; {@code x.ndim} elements
     * @return this
     */
    public Conv2dTransposeOp outputShape(long... outputShape) {
        return param("output_shape", Attribute.ofInts(outputShape));
    }

    /**
     * The parameter {@code strides}.
     *
     * @param strides a list of ints; default {@code fill(x.ndim - 2, 1)}; {@code x.ndim - 2} elements; each {@code >=
     *     1}; each {@code < 1073741824}
     * @return this
     */
    public Conv2dTransposeOp strides(long... strides) {
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
    public Conv2dTransposeOp padding(long... padding) {
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
    public Conv2dTransposeOp padMode(PadMode padMode) {
        return param("pad_mode", Attribute.of(padMode.toString()));
    }

    /**
     * The parameter {@code dilation}.
     *
     * @param dilation a list of ints; default {@code fill(x.ndim - 2, 1)}; {@code x.ndim - 2} elements; each {@code >=
     *     1}; each {@code < 1073741824}
     * @return this
     */
    public Conv2dTransposeOp dilation(long... dilation) {
        return param("dilation", Attribute.ofInts(dilation));
    }

    /**
     * Extra size at the end of each axis.
     *
     * @param outputPadding a list of ints; default {@code fill(x.ndim - 2, 0)}; {@code x.ndim - 2} elements; each
     *     {@code >= 0}; each {@code < 1073741824}
     * @return this
     */
    public Conv2dTransposeOp outputPadding(long... outputPadding) {
        return param("output_padding", Attribute.ofInts(outputPadding));
    }

    /**
     * The parameter {@code bias_term}.
     *
     * @param biasTerm a bool; default {@code has(bias)}; {@code bias_term == has(bias)} (bias_term says whether a bias
     *     tensor is given)
     * @return this
     */
    public Conv2dTransposeOp biasTerm(boolean biasTerm) {
        return param("bias_term", Attribute.of(biasTerm));
    }

    /**
     * The parameter {@code group}.
     *
     * @param group an int; default {@code 1}; {@code >= 1}
     * @return this
     */
    public Conv2dTransposeOp group(long group) {
        return param("group", Attribute.of(group));
    }

    /**
     * Rounding of the output size.
     *
     * @param ceilMode a string; default {@code 'FLOOR'}; one of {@code FLOOR}, {@code CEIL}, {@code ROUND}; {@code
     *     ceil_mode != 'ROUND'} (ROUND has no defined output size; use FLOOR or CEIL)
     * @return this
     */
    public Conv2dTransposeOp ceilMode(CeilMode ceilMode) {
        return param("ceil_mode", Attribute.of(ceilMode.toString()));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code [x.dims[0], out_channels] + out_size}
     */
    public Edge y() {
        return output(0);
    }
}
