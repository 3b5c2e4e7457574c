package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * 2-D convolution of [batch, in_channels, height, width] with weights [out_channels, in_channels / group, kernel_h,
 * kernel_w] (OpLib 3.3). Integers are summed exactly in 64 bits and saturate to their type; float16 and bfloat16 are
 * summed in float32 and rounded once. ceil_mode CEIL may read beyond the padding, where there are zeros.
 *
 * <p>One use of {@code Conv2d} while its optional fields are set; made by {@code Ops.conv2d}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class Conv2dOp extends OpBuilder<Conv2dOp> {

    Conv2dOp(Ops ops) {
        super(ops, "Conv2d", 1);
    }

    @Override
    Conv2dOp self() {
        return this;
    }

    /**
     * The input {@code bias}.
     *
     * @param bias types: type of {@code x}; optional; 1 dimension; {@code weights.dims[0]} elements
     * @return this
     */
    public Conv2dOp bias(Edge bias) {
        return input(2, bias);
    }

    /**
     * [kernel_h, kernel_w]; [0, 0] is that of the weights.
     *
     * @param kernelSize a list of ints; default {@code [0, 0]}; 2 elements; each {@code >= 0}; {@code all(kernel_size,
     *     v -> v == 0) || kernel_size == slice(weights.dims, 2, 4)} (kernel_size must be that of the weights, or [0,
     *     0])
     * @return this
     */
    public Conv2dOp kernelSize(long... kernelSize) {
        return param("kernel_size", Attribute.ofInts(kernelSize));
    }

    /**
     * [stride_h, stride_w].
     *
     * @param strides a list of ints; default {@code [1, 1]}; 2 elements; each {@code >= 1}; each {@code < 1073741824}
     * @return this
     */
    public Conv2dOp strides(long... strides) {
        return param("strides", Attribute.ofInts(strides));
    }

    /**
     * [top, bottom, left, right].
     *
     * @param padding a list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code <
     *     1073741824}
     * @return this
     */
    public Conv2dOp padding(long... padding) {
        return param("padding", Attribute.ofInts(padding));
    }

    /**
     * PADDING uses {@code padding}; SAME gives ceil(in / stride) with the odd pixel at the end, SAME_LOWER at the
     * beginning; VALID pads nothing.
     *
     * @param padMode a string; default {@code 'PADDING'}; one of {@code PADDING}, {@code SAME}, {@code SAME_LOWER},
     *     {@code VALID}
     * @return this
     */
    public Conv2dOp padMode(PadMode padMode) {
        return param("pad_mode", Attribute.of(padMode.toString()));
    }

    /**
     * [dilation_h, dilation_w].
     *
     * @param dilation a list of ints; default {@code [1, 1]}; 2 elements; each {@code >= 1}; each {@code < 1073741824}
     * @return this
     */
    public Conv2dOp dilation(long... dilation) {
        return param("dilation", Attribute.ofInts(dilation));
    }

    /**
     * The parameter {@code bias_term}.
     *
     * @param biasTerm a bool; default {@code has(bias)}; {@code bias_term == has(bias)} (bias_term says whether a bias
     *     tensor is given)
     * @return this
     */
    public Conv2dOp biasTerm(boolean biasTerm) {
        return param("bias_term", Attribute.of(biasTerm));
    }

    /**
     * The parameter {@code group}.
     *
     * @param group an int; default {@code 1}; {@code >= 1}
     * @return this
     */
    public Conv2dOp group(long group) {
        return param("group", Attribute.of(group));
    }

    /**
     * Rounding of the output size.
     *
     * @param ceilMode a string; default {@code 'FLOOR'}; one of {@code FLOOR}, {@code CEIL}, {@code ROUND}; {@code
     *     ceil_mode != 'ROUND'} (ROUND has no defined output size; use FLOOR or CEIL)
     * @return this
     */
    public Conv2dOp ceilMode(CeilMode ceilMode) {
        return param("ceil_mode", Attribute.of(ceilMode.toString()));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code [x.dims[0], weights.dims[0]] + out_size}
     */
    public Edge y() {
        return output(0);
    }
}
