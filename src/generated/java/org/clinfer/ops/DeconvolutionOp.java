package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * 2-D transposed convolution of [batch, in_channels, height, width] as CANN has it: out = (in - 1) * stride + dilation
 * * (kernel - 1) + 1 - 2 * pad along each axis. stride and pad are lists of height and width; one element stands for
 * both; an empty list leaves it to stride_h and stride_w, or pad_h and pad_w, which exclude the list. int8 gives int32,
 * summed exactly in 64 bits and saturated; float16 and bfloat16 are summed in float32 and rounded once.
 *
 * <p>One use of {@code Deconvolution} while its optional fields are set; made by {@code Ops.deconvolution}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class DeconvolutionOp extends OpBuilder<DeconvolutionOp> {

    DeconvolutionOp(Ops ops) {
        super(ops, "Deconvolution", 1);
    }

    @Override
    DeconvolutionOp self() {
        return this;
    }

    /**
     * One for each output channel, of the type of y.
     *
     * @param bias types: floating, int32; optional; 1 dimension
     * @return this
     */
    public DeconvolutionOp bias(Edge bias) {
        return input(2, bias);
    }

    /**
     * Both axes, or [height, width], or empty.
     *
     * @param stride a list of ints; default {@code []}; each {@code >= 1}; each {@code < 1073741824}; {@code
     *     len(stride) <= 2} (stride has at most two elements, height and width)
     * @return this
     */
    public DeconvolutionOp stride(long... stride) {
        return param("stride", Attribute.ofInts(stride));
    }

    /**
     * 1 if left out; not together with stride.
     *
     * @param strideH an int; default none; {@code >= 1}; {@code < 1073741824}
     * @return this
     */
    public DeconvolutionOp strideH(long strideH) {
        return param("stride_h", Attribute.of(strideH));
    }

    /**
     * 1 if left out; not together with stride.
     *
     * @param strideW an int; default none; {@code >= 1}; {@code < 1073741824}
     * @return this
     */
    public DeconvolutionOp strideW(long strideW) {
        return param("stride_w", Attribute.of(strideW));
    }

    /**
     * Cut from both ends of the full result: both axes, or [height, width], or empty.
     *
     * @param pad a list of ints; default {@code []}; each {@code >= 0}; each {@code < 1073741824}; {@code len(pad) <=
     *     2} (pad has at most two elements, height and width)
     * @return this
     */
    public DeconvolutionOp pad(long... pad) {
        return param("pad", Attribute.ofInts(pad));
    }

    /**
     * 0 if left out; not together with pad.
     *
     * @param padH an int; default none; {@code >= 0}; {@code < 1073741824}
     * @return this
     */
    public DeconvolutionOp padH(long padH) {
        return param("pad_h", Attribute.of(padH));
    }

    /**
     * 0 if left out; not together with pad.
     *
     * @param padW an int; default none; {@code >= 0}; {@code < 1073741824}
     * @return this
     */
    public DeconvolutionOp padW(long padW) {
        return param("pad_w", Attribute.of(padW));
    }

    /**
     * Both axes, or [height, width]; empty is 1.
     *
     * @param dilation a list of ints; default {@code []}; each {@code >= 1}; each {@code < 1073741824}; {@code
     *     len(dilation) <= 2} (dilation has at most two elements, height and width)
     * @return this
     */
    public DeconvolutionOp dilation(long... dilation) {
        return param("dilation", Attribute.ofInts(dilation));
    }

    /**
     * The parameter {@code group}.
     *
     * @param group an int; default {@code 1}; {@code >= 1}
     * @return this
     */
    public DeconvolutionOp group(long group) {
        return param("group", Attribute.of(group));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code y_type}; dims: {@code [x.dims[0], out_channels] + out_size}
     */
    public Edge y() {
        return output(0);
    }
}
