package org.clinfer.plan.layout;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.clinfer.describe.OpCatalog;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.Placer;
import org.clinfer.plan.rule.FoldedConstants;
import org.clinfer.tensor.Tensor;

/**
 * Lets the parts of a network compute in blocked channels (nChw16c) where that is faster.
 *
 * <pre>
 * a = FusedConv(x, w);  b = MaxPool(a);  c = FusedConv(b, v);  y = Softmax(c)
 * a' = ConvToBlocks(x, w);  b' = BlockedPool(a');  c' = BlockedConv(b', v);  c = UnblockChannels(c');  y = Softmax(c)
 * </pre>
 *
 * <p>Values in blocked channels have the margin of zeros that convolutions need as padding.
 */
public final class BlockedLayout {

    private final OpCatalog catalog;
    private final Placer placer;
    private final FoldedConstants folded;

    /** @param folded the constants that earlier rewrites of the same model made; filled further */
    public BlockedLayout(OpCatalog catalog, Placer placer, FoldedConstants folded) {
        this.catalog = catalog;
        this.placer = placer;
        this.folded = folded;
    }

    /**
     * The graph with layouts chosen; the same where nothing gains.
     *
     * @param ofModel the constants that depend on the model alone, not on the inputs a plan is made for
     */
    public PlacedGraph apply(PlacedGraph placed, Map<String, Tensor> ofModel) {
        Set<String> refused = new HashSet<>();
        while (true) {
            ChannelConstants constants = new ChannelConstants(ofModel, folded);
            Units units = new Units(placed, new BlockedForms(constants), refused);
            boolean[] blocked = new LayoutChoice(units, placed.graph().types()).blocked();
            BlockedGraph graph = new BlockedGraph(placed, units, blocked, constants.made(), catalog, placer);
            if (!graph.isChanged()) {
                return placed;
            }
            Set<String> notTaken = graph.build();
            if (notTaken.isEmpty()) {
                return graph.finished();
            }
            refused.addAll(notTaken);
        }
    }
}
