package org.clinfer.ops;

import javax.annotation.processing.Generated;
import org.clinfer.graph.Attribute;

/**
 * Space to depth, [N, C, H, W] -&gt; [N, C * s * s, H / s, W / s], or the reverse (OpLib 3.20). The orders DCR and CRD
 * give each channel of the deep side one place of every s * s block; DARKNET is the order of the original darknet
 * layer, which reads x as if it had C / (s * s) channels of H * s rows and W * s columns. In every order {@code
 * reversed} undoes the forward direction.
 *
 * <p>One use of {@code Reorg} while its optional fields are set; made by {@code Ops.reorg}.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public final class ReorgOp extends OpBuilder<ReorgOp> {

    /**
     * The values of {@code Order} of {@code Reorg}.
     *
     * <p>{@code toString} gives the spelling of the operator's description.
     */
    @Generated("org.clinfer.generate.GeneratedFiles")
    public enum Order {
        /** The spelling {@code DCR}. */
        DCR,
        /** The spelling {@code CRD}. */
        CRD,
        /** The spelling {@code DARKNET}. */
        DARKNET
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
     * @param reversed a bool; default {@code false}
     * @return this
     */
    public ReorgOp reversed(boolean reversed) {
        return param("reversed", Attribute.of(reversed));
    }

    /**
     * Which part of the deep channel index is the block position: the slow one (DCR) or the fast one (CRD); DARKNET:
     * see above.
     *
     * @param order a string; default {@code 'DCR'}; one of {@code DCR}, {@code CRD}, {@code DARKNET}
     * @return this
     */
    public ReorgOp order(Order order) {
        return param("order", Attribute.of(order.toString()));
    }

    /**
     * The output {@code y}, which ends this use of the operator.
     *
     * @return its value; type: {@code x.dtype}; dims: {@code reversed ? [batch, x.dims[1] / blocks, rows, columns] :
     *     [batch, channels * blocks, rows / scale, columns / scale]}
     */
    public Edge y() {
        return output(0);
    }
}
