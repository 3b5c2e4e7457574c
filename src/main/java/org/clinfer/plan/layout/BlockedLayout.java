package org.clinfer.plan.layout;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.OpCatalog;
import org.clinfer.infer.CheckedNode;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
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

    private static final Set<String> CONVOLUTIONS = Set.of("BlockedConv", "ConvToBlocks");

    private static final String DEARER = "gains less than changing the layouts of its values costs";

    private final OpCatalog catalog;
    private final Placer placer;
    private final FoldedConstants folded;
    private final PlacedNode.Target side;

    /**
     * @param folded the constants that earlier rewrites of the same model made; filled further
     * @param side where operators of blocked channels run: where the nodes that they stand for did
     */
    public BlockedLayout(OpCatalog catalog, Placer placer, FoldedConstants folded, PlacedNode.Target side) {
        this.catalog = catalog;
        this.placer = placer;
        this.folded = folded;
        this.side = side;
    }

    /**
     * The graph with layouts chosen; the same where nothing gains.
     *
     * @param ofModel the constants that depend on the model alone, not on the inputs a plan is made for
     */
    public PlacedGraph apply(PlacedGraph placed, Map<String, Tensor> ofModel) {
        Map<String, List<String>> refused = new HashMap<>();
        while (true) {
            ChannelConstants constants = new ChannelConstants(ofModel, folded);
            Units units = new Units(placed, side, new BlockedForms(constants, new LayoutCosts(side)), refused.keySet());
            boolean[] blocked = new LayoutChoice(units, placed).blocked();
            BlockedGraph graph =
                    new BlockedGraph(placed, units, blocked, constants.made(), catalog, placer.bindings(), this::place);
            if (!graph.isChanged()) {
                return explained(placed, refused, units, blocked);
            }
            Map<String, List<String>> notTaken = graph.build();
            if (notTaken.isEmpty()) {
                return explained(graph.finished(), refused, units, blocked);
            }
            refused.putAll(notTaken);
        }
    }

    /** A node in blocked channels on its side; a convolution only where it is fast. */
    private Optional<PlacedNode> place(CheckedNode node, List<String> reasons) {
        if (side == PlacedNode.Target.CPU) {
            return placer.place(node, side);
        }
        return placer.onDevice(node, reasons)
                .filter(placed -> !CONVOLUTIONS.contains(node.node().op())
                        || !placed.variant().orElseThrow().isReference());
    }

    /** The graph with the reasons why nodes on the device are not in blocked channels, if they would be faster there alone. */
    private PlacedGraph explained(
            PlacedGraph graph, Map<String, List<String>> refused, Units units, boolean[] blocked) {
        Map<String, List<String>> reasons = new HashMap<>(refused);
        for (int i = 0; i < blocked.length; i++) {
            Unit unit = units.all().get(i);
            if (side == PlacedNode.Target.DEVICE
                    && !blocked[i]
                    && unit.form().filter(form -> form.gain() > 0).isPresent()) {
                reasons.put(unit.first().form().name(), List.of(DEARER));
            }
        }
        List<PlacedNode> nodes = new ArrayList<>();
        for (PlacedNode node : graph.nodes()) {
            List<String> ofNode = reasons.getOrDefault(node.form().name(), List.of());
            nodes.add(node.because(
                    ofNode.stream().map(reason -> "nChw16c " + reason).toList()));
        }
        return new PlacedGraph(graph.graph(), nodes);
    }
}
