package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Maximum or mean over a sliding window of blocked channels (nChw16c). x is [N, channels / 16, rows, columns, 16]: 16
 * channels lie side by side; lanes beyond the last channel are padding. Windows are clipped to x without {@code crop};
 * the divisor of a mean counts the cells inside, and with count_include_pad those of {@code pads} as well. A NaN is
 * larger than all. y_halo is filled with zeros.
 *
 * <p>One use of {@code BlockedPool} while its optional fields are set; made by {@code Ops.blockedPool}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class BlockedPoolOp extends OpBuilder<BlockedPoolOp> {

    /**
     * What {@code Kind} of {@code BlockedPool} can be.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum Kind {
        MAX,
        AVERAGE
    }

    BlockedPoolOp(Ops ops) {
        super(ops, "BlockedPool", 1);
    }

    @Override
    BlockedPoolOp self() {
        return this;
    }

    /**
     * The parameter {@code kind}.
     *
     * <p>A string; default {@code 'MAX'}; one of {@code MAX}, {@code AVERAGE}.
     */
    public BlockedPoolOp kind(Kind kind) {
        return param("kind", Attribute.of(kind.toString()));
    }

    /**
     * The parameter {@code kernel}.
     *
     * <p>A list of ints; default {@code [1, 1]}; 2 elements; each {@code >= 1}; each {@code < 1073741824}.
     */
    public BlockedPoolOp kernel(long... kernel) {
        return param("kernel", Attribute.ofInts(kernel));
    }

    /**
     * The parameter {@code strides}.
     *
     * <p>A list of ints; default {@code [1, 1]}; 2 elements; each {@code >= 1}; each {@code < 1073741824}.
     */
    public BlockedPoolOp strides(long... strides) {
        return param("strides", Attribute.ofInts(strides));
    }

    /**
     * Cells beyond x that windows reach: [top, left, bottom, right].
     *
     * <p>A list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code < 1073741824}.
     */
    public BlockedPoolOp pads(long... pads) {
        return param("pads", Attribute.ofInts(pads));
    }

    /**
     * Rows and columns of x that are left out: [top, left, bottom, right].
     *
     * <p>A list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code < 1073741824}.
     */
    public BlockedPoolOp crop(long... crop) {
        return param("crop", Attribute.ofInts(crop));
    }

    /**
     * Rows and columns of y without halo.
     *
     * <p>A list of ints; default {@code map(range(2), i -> floor_div(x.dims[2 + i] - crop[i] - crop[2 + i] + pads[i] +
     * pads[2 + i] - kernel[i], strides[i]) + 1)}; 2 elements; each {@code >= 1}; each {@code < 1073741824}.
     */
    public BlockedPoolOp poolSize(long... poolSize) {
        return param("pool_size", Attribute.ofInts(poolSize));
    }

    /**
     * The parameter {@code count_include_pad}.
     *
     * <p>A bool; default {@code false}.
     */
    public BlockedPoolOp countIncludePad(boolean countIncludePad) {
        return param("count_include_pad", Attribute.of(countIncludePad));
    }

    /**
     * Rows and columns of zeros around y: [top, left, bottom, right].
     *
     * <p>A list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code < 1073741824}.
     */
    public BlockedPoolOp yHalo(long... yHalo) {
        return param("y_halo", Attribute.ofInts(yHalo));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * <p>Type: {@code x.dtype}; dims: {@code [x.dims[0], x.dims[1]] + out_size + [16]}.
     */
    public Edge y() {
        return output(0);
    }
}
