package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Maximum over a sliding window; padding never wins (OpLib 3.8). A window of padding alone gives the smallest value of
 * the type; a NaN is larger than all.
 *
 * <p>One use of {@code MaxPool} while its optional fields are set; made by {@code Ops.maxPool}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class MaxPoolOp extends OpBuilder<MaxPoolOp> {

    MaxPoolOp(Ops ops) {
        super(ops, "MaxPool", 1);
    }

    @Override
    MaxPoolOp self() {
        return this;
    }

    /**
     * Window size per spatial axis; all 0 is the whole plane of a global pool, and only that.
     *
     * @param kernelSize a list of ints; default {@code fill(x.ndim - 2, 0)}; {@code x.ndim - 2} elements; each {@code
     *     >= 0}; each {@code < 1073741824}
     * @return this
     */
    public MaxPoolOp kernelSize(long... kernelSize) {
        return param("kernel_size", Attribute.ofInts(kernelSize));
    }

    /**
     * The parameter {@code strides}.
     *
     * @param strides a list of ints; default {@code fill(x.ndim - 2, 1)}; {@code x.ndim - 2} elements; each {@code >=
     *     1}; each {@code < 1073741824}
     * @return this
     */
    public MaxPoolOp strides(long... strides) {
        return param("strides", Attribute.ofInts(strides));
    }

    /**
     * Begin and end per axis: [top, bottom, left, right] in 2-D.
     *
     * @param padding a list of ints; default {@code fill(2 * (x.ndim - 2), 0)}; {@code 2 * (x.ndim - 2)} elements; each
     *     {@code >= 0}; each {@code < 1073741824}
     * @return this
     */
    public MaxPoolOp padding(long... padding) {
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
    public MaxPoolOp padMode(PadMode padMode) {
        return param("pad_mode", Attribute.of(padMode.toString()));
    }

    /**
     * Rounding of the output size.
     *
     * @param ceilMode a string; default {@code 'FLOOR'}; one of {@code FLOOR}, {@code CEIL}, {@code ROUND}; {@code
     *     ceil_mode != 'ROUND'} (ROUND has no defined output size; use FLOOR or CEIL)
     * @return this
     */
    public MaxPoolOp ceilMode(CeilMode ceilMode) {
        return param("ceil_mode", Attribute.of(ceilMode.toString()));
    }

    /**
     * The window is the whole spatial extent; strides must be 1 and padding 0.
     *
     * @param isGlobal a bool; default {@code false}
     * @return this
     */
    public MaxPoolOp isGlobal(boolean isGlobal) {
        return param("is_global", Attribute.of(isGlobal));
    }

    /**
     * The parameter {@code dilation}.
     *
     * @param dilation a list of ints; default {@code fill(x.ndim - 2, 1)}; {@code x.ndim - 2} elements; each {@code >=
     *     1}; each {@code < 1073741824}
     * @return this
     */
    public MaxPoolOp dilation(long... dilation) {
        return param("dilation", Attribute.ofInts(dilation));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code [x.dims[0], x.dims[1]] + out_size}
     */
    public Edge y() {
        return output(0);
    }
}
