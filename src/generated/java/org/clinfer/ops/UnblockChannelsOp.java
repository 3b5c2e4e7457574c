package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Blocked channels (nChw16c) to NCHW: the inverse of BlockChannels, without a margin. x is [N, channels / 16, rows,
 * columns, 16]: 16 channels lie side by side; lanes beyond the last channel are padding.
 *
 * <p>One use of {@code UnblockChannels} while its optional fields are set; made by {@code Ops.unblockChannels}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class UnblockChannelsOp extends OpBuilder<UnblockChannelsOp> {

    UnblockChannelsOp(Ops ops) {
        super(ops, "UnblockChannels", 1);
    }

    @Override
    UnblockChannelsOp self() {
        return this;
    }

    /**
     * The parameter {@code channels}.
     *
     * <p>An int; default {@code 16 * x.dims[1]}; {@code >= 0}; {@code ceil_div(channels, 16) == x.dims[1]} (x has
     * another number of channels).
     */
    public UnblockChannelsOp channels(long channels) {
        return param("channels", Attribute.of(channels));
    }

    /**
     * Rows and columns of x that are left out: [top, left, bottom, right].
     *
     * <p>A list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code < 1073741824}.
     */
    public UnblockChannelsOp crop(long... crop) {
        return param("crop", Attribute.ofInts(crop));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * <p>Type: {@code x.dtype}; dims: {@code [x.dims[0], channels] + size}.
     */
    public Edge y() {
        return output(0);
    }
}
