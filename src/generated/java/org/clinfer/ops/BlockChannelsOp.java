package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * NCHW to blocked channels (nChw16c): y is [N, channels / 16, rows, columns, 16], where element [n, c / 16, h, w, c %
 * 16] is x[n, c, h, w] and lanes beyond the last channel are 0.
 *
 * <p>One use of {@code BlockChannels} while its optional fields are set; made by {@code Ops.blockChannels}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class BlockChannelsOp extends OpBuilder<BlockChannelsOp> {

    BlockChannelsOp(Ops ops) {
        super(ops, "BlockChannels", 1);
    }

    @Override
    BlockChannelsOp self() {
        return this;
    }

    /**
     * Rows and columns of zeros around y: [top, left, bottom, right].
     *
     * <p>A list of ints; default {@code [0, 0, 0, 0]}; 4 elements; each {@code >= 0}; each {@code < 1073741824}.
     */
    public BlockChannelsOp yHalo(long... yHalo) {
        return param("y_halo", Attribute.ofInts(yHalo));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * <p>Type: {@code x.dtype}; dims: {@code [x.dims[0], ceil_div(x.dims[1], 16)] + out_size + [16]}.
     */
    public Edge y() {
        return output(0);
    }
}
