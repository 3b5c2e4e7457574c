package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Space to depth, [N, C, H, W] -&gt; [N, C * s * s, H / s, W / s], or the reverse (OpLib 3.20).
 *
 * <p>One use of {@code Reorg} while its optional fields are set; made by {@code Ops.reorg}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class ReorgOp extends OpBuilder<ReorgOp> {

    /**
     * What {@code Order} of {@code Reorg} can be.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum Order {
        DCR,
        CRD
    }

    ReorgOp(Ops ops) {
        super(ops, "Reorg", 1);
    }

    @Override
    ReorgOp self() {
        return this;
    }

    /**
     * True: depth to space.
     *
     * <p>A bool; default {@code false}.
     */
    public ReorgOp reversed(boolean reversed) {
        return param("reversed", Attribute.of(reversed));
    }

    /**
     * Which part of the deep channel index is the block position: the slow one (DCR) or the fast one (CRD).
     *
     * <p>A string; default {@code 'DCR'}; one of {@code DCR}, {@code CRD}.
     */
    public ReorgOp order(Order order) {
        return param("order", Attribute.of(order.toString()));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * <p>Type: {@code x.dtype}; dims: {@code reversed ? [x.dims[0], x.dims[1] / (scale * scale), x.dims[2] * scale,
     * x.dims[3] * scale] : [x.dims[0], x.dims[1] * scale * scale, x.dims[2] / scale, x.dims[3] / scale]}.
     */
    public Edge y() {
        return output(0);
    }
}
