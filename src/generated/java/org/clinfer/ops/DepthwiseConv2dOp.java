package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * 2-D convolution of every channel of [batch, in_channels, height, width] on its own, with weights [channel_multiplier,
 * in_channels, kernel_h, kernel_w]; output channel c * channel_multiplier + q is input channel c with weights [q, c]
 * (OpLib 3.4). Integers are summed exactly in 64 bits and saturate to their type; float16 and bfloat16 are summed in
 * float32 and rounded once. ceil_mode CEIL may read beyond the padding, where there are zeros.
 *
 * <p>One use of {@code DepthwiseConv2d} while its optional fields are set; made by {@code Ops.depthwiseConv2d}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class DepthwiseConv2dOp extends OpBuilder<DepthwiseConv2dOp> {

    DepthwiseConv2dOp(Ops ops) {
        super(ops, "DepthwiseConv2d", 1);
    }

    @Override
    DepthwiseConv2dOp self() {
        return this;
    }

    /**
     * The input {@code bias}.
     *
     * @param bias types: type of {@code x}; optional; 1 dimension; {@code weights.dims[0] * weights.dims[1]} elements
     * @return this
     */
    public DepthwiseConv2dOp bias(Edge bias) {
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
    public DepthwiseConv2dOp kernelSize(long... kernelSize) {
        return param("kernel_size", Attribute.ofInts(kernelSize));
    }

    /**
     * [stride_h, stride_w].
     *
     * @param strides a list of ints; default {@code [1, 1]}; 2 elements; each {@code >= 1}; each {@code < 1073741824}
     * @return this
     */
    public DepthwiseConv2dOp strides(long... strides) {
        return param("strides", Attribute.ofInts(strides));
    }

    /**
     * [top, bottom, left, right].
     *
     * @param padding a list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code <
     *     1073741824}
     * @return this
     */
    public DepthwiseConv2dOp padding(long... padding) {
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
    public DepthwiseConv2dOp padMode(PadMode padMode) {
        return param("pad_mode", Attribute.of(padMode.toString()));
    }

    /**
     * [dilation_h, dilation_w].
     *
     * @param dilation a list of ints; default {@code [1, 1]}; 2 elements; each {@code >= 1}; each {@code < 1073741824}
     * @return this
     */
    public DepthwiseConv2dOp dilation(long... dilation) {
        return param("dilation", Attribute.ofInts(dilation));
    }

    /**
     * The parameter {@code bias_term}.
     *
     * @param biasTerm a bool; default {@code has(bias)}; {@code bias_term == has(bias)} (bias_term says whether a bias
     *     tensor is given)
     * @return this
     */
    public DepthwiseConv2dOp biasTerm(boolean biasTerm) {
        return param("bias_term", Attribute.of(biasTerm));
    }

    /**
     * Every channel is a group of its own, whether this says 1 or in_channels.
     *
     * @param group an int; default {@code 1}; {@code group == 1 || group == x.dims[1]} (every channel is a group of its
     *     own: group must be in_channels, or 1 (left out))
     * @return this
     */
    public DepthwiseConv2dOp group(long group) {
        return param("group", Attribute.of(group));
    }

    /**
     * Rounding of the output size.
     *
     * @param ceilMode a string; default {@code 'FLOOR'}; one of {@code FLOOR}, {@code CEIL}, {@code ROUND}; {@code
     *     ceil_mode != 'ROUND'} (ROUND has no defined output size; use FLOOR or CEIL)
     * @return this
     */
    public DepthwiseConv2dOp ceilMode(CeilMode ceilMode) {
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
