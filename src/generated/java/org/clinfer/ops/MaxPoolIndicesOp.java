package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Where the maximum of a sliding window stands: its number among all elements of x; of equal ones the first, and a NaN
 * is larger than all. -1 for a window of padding alone.
 *
 * <p>One use of {@code MaxPoolIndices} while its optional fields are set; made by {@code Ops.maxPoolIndices}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class MaxPoolIndicesOp extends OpBuilder<MaxPoolIndicesOp> {

    MaxPoolIndicesOp(Ops ops) {
        super(ops, "MaxPoolIndices", 1);
    }

    @Override
    MaxPoolIndicesOp self() {
        return this;
    }

    /**
     * Window size per spatial axis; all 0 is the whole plane of a global pool, and only that.
     *
     * @param kernelSize a list of ints; default {@code fill(x.ndim - 2, 0)}; {@code x.ndim - 2} elements; each {@code
     *     >= 0}; each {@code < 1073741824}
     * @return this
     */
    public MaxPoolIndicesOp kernelSize(long... kernelSize) {
        return param("kernel_size", Attribute.ofInts(kernelSize));
    }

    /**
     * The parameter {@code strides}.
     *
     * @param strides a list of ints; default {@code fill(x.ndim - 2, 1)}; {@code x.ndim - 2} elements; each {@code >=
     *     1}; each {@code < 1073741824}
     * @return this
     */
    public MaxPoolIndicesOp strides(long... strides) {
        return param("strides", Attribute.ofInts(strides));
    }

    /**
     * Begin and end per axis: [top, bottom, left, right] in 2-D.
     *
     * @param padding a list of ints; default {@code fill(2 * (x.ndim - 2), 0)}; {@code 2 * (x.ndim - 2)} elements; each
     *     {@code >= 0}; each {@code < 1073741824}
     * @return this
     */
    public MaxPoolIndicesOp padding(long... padding) {
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
    public MaxPoolIndicesOp padMode(PadMode padMode) {
        return param("pad_mode", Attribute.of(padMode.toString()));
    }

    /**
     * Rounding of the output size.
     *
     * @param ceilMode a string; default {@code 'FLOOR'}; one of {@code FLOOR}, {@code CEIL}, {@code ROUND}; {@code
     *     ceil_mode != 'ROUND'} (ROUND has no defined output size; use FLOOR or CEIL)
     * @return this
     */
    public MaxPoolIndicesOp ceilMode(CeilMode ceilMode) {
        return param("ceil_mode", Attribute.of(ceilMode.toString()));
    }

    /**
     * The window is the whole spatial extent; strides must be 1 and padding 0.
     *
     * @param isGlobal a bool; default {@code false}
     * @return this
     */
    public MaxPoolIndicesOp isGlobal(boolean isGlobal) {
        return param("is_global", Attribute.of(isGlobal));
    }

    /**
     * The parameter {@code dilation}.
     *
     * @param dilation a list of ints; default {@code fill(x.ndim - 2, 1)}; {@code x.ndim - 2} elements; each {@code >=
     *     1}; each {@code < 1073741824}
     * @return this
     */
    public MaxPoolIndicesOp dilation(long... dilation) {
        return param("dilation", Attribute.ofInts(dilation));
    }

    /**
     * 1: the elements of a plane are counted with the first spatial axis fastest.
     *
     * @param storageOrder an int; default {@code 0}; {@code >= 0}; {@code <= 1}
     * @return this
     */
    public MaxPoolIndicesOp storageOrder(long storageOrder) {
        return param("storage_order", Attribute.of(storageOrder));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: int64; dims: {@code [x.dims[0], x.dims[1]] + out_size}
     */
    public Edge y() {
        return output(0);
    }
}
