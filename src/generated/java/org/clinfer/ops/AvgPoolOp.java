package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Mean over a sliding window (OpLib 3.1). Integers are summed exactly and the mean is rounded half to even; float16 and
 * bfloat16 are summed in float32 and rounded once.
 *
 * <p>One use of {@code AvgPool} while its optional fields are set; made by {@code Ops.avgPool}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class AvgPoolOp extends OpBuilder<AvgPoolOp> {

    AvgPoolOp(Ops ops) {
        super(ops, "AvgPool", 1);
    }

    @Override
    AvgPoolOp self() {
        return this;
    }

    /**
     * Window size per spatial axis; all 0 is the whole plane of a global pool, and only that.
     *
     * @param kernelSize a list of ints; default {@code fill(x.ndim - 2, 0)}; {@code x.ndim - 2} elements; each {@code
     *     >= 0}; each {@code < 1073741824}
     * @return this
     */
    public AvgPoolOp kernelSize(long... kernelSize) {
        return param("kernel_size", Attribute.ofInts(kernelSize));
    }

    /**
     * The parameter {@code strides}.
     *
     * @param strides a list of ints; default {@code fill(x.ndim - 2, 1)}; {@code x.ndim - 2} elements; each {@code >=
     *     1}; each {@code < 1073741824}
     * @return this
     */
    public AvgPoolOp strides(long... strides) {
        return param("strides", Attribute.ofInts(strides));
    }

    /**
     * Begin and end per axis: [top, bottom, left, right] in 2-D.
     *
     * @param padding a list of ints; default {@code fill(2 * (x.ndim - 2), 0)}; {@code 2 * (x.ndim - 2)} elements; each
     *     {@code >= 0}; each {@code < 1073741824}
     * @return this
     */
    public AvgPoolOp padding(long... padding) {
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
    public AvgPoolOp padMode(PadMode padMode) {
        return param("pad_mode", Attribute.of(padMode.toString()));
    }

    /**
     * Rounding of the output size.
     *
     * @param ceilMode a string; default {@code 'FLOOR'}; one of {@code FLOOR}, {@code CEIL}, {@code ROUND}; {@code
     *     ceil_mode != 'ROUND'} (ROUND has no defined output size; use FLOOR or CEIL)
     * @return this
     */
    public AvgPoolOp ceilMode(CeilMode ceilMode) {
        return param("ceil_mode", Attribute.of(ceilMode.toString()));
    }

    /**
     * The window is the whole spatial extent; strides must be 1 and padding 0.
     *
     * @param isGlobal a bool; default {@code false}
     * @return this
     */
    public AvgPoolOp isGlobal(boolean isGlobal) {
        return param("is_global", Attribute.of(isGlobal));
    }

    /**
     * The parameter {@code dilation}.
     *
     * @param dilation a list of ints; default {@code fill(x.ndim - 2, 1)}; {@code x.ndim - 2} elements; each {@code >=
     *     1}; each {@code < 1073741824}
     * @return this
     */
    public AvgPoolOp dilation(long... dilation) {
        return param("dilation", Attribute.ofInts(dilation));
    }

    /**
     * Whether padding counts in the divisor; cells beyond the padded input never do.
     *
     * @param countIncludePad a bool; default {@code pad_mode == 'PADDING'}
     * @return this
     */
    public AvgPoolOp countIncludePad(boolean countIncludePad) {
        return param("count_include_pad", Attribute.of(countIncludePad));
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
