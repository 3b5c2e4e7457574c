package org.clinfer.plan.precision;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.clinfer.describe.OpCatalog;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.place.Placer;
import org.clinfer.plan.rule.FoldedConstants;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Computes the nodes of a graph in another type of float, as far as they have a form in it: inputs are converted before
 * their first use, constants on the host, and what the graph gives at the end. Other nodes stay with conversions around
 * them. Nodes that only move elements go with what is around them.
 */
final class PrecisionChange {

    private final OpCatalog catalog;
    private final Placer placer;
    private final FoldedConstants folded;
    private final FloatConversion conversion;

    /** @param folded the constants that earlier plans of the same model made; filled further */
    PrecisionChange(OpCatalog catalog, Placer placer, FoldedConstants folded, FloatConversion conversion) {
        this.catalog = catalog;
        this.placer = placer;
        this.folded = folded;
        this.conversion = conversion;
    }

    /** The constants of a graph in the other type. */
    ConvertedConstants constants(PlacedGraph placed, Map<String, Tensor> ofModel) {
        return new ConvertedConstants(placed.constants(), ofModel, folded, conversion);
    }

    /**
     * The graph in the other type as far as it can be.
     *
     * @param unchanged why nodes are to stay as they are, by their positions; those that have to are added
     */
    PlacedGraph apply(
            PlacedGraph placed,
            Map<String, Tensor> ofModel,
            ConvertedConstants constants,
            Map<Integer, String> unchanged) {
        ConvertedForms forms = new ConvertedForms(placed, constants, catalog, placer, conversion);
        Map<Integer, PlacedNode> converted = new HashMap<>();
        judge(placed, forms, unchanged, converted);
        removeLoneMoves(placed, unchanged, converted);
        if (converted.isEmpty()) {
            return placed;
        }
        ConvertedGraph graph = new ConvertedGraph(placed, ofModel, constants, forms, conversion);
        for (int i = 0; i < placed.nodes().size(); i++) {
            PlacedNode node = placed.nodes().get(i);
            PlacedNode form = converted.get(i);
            if (form == null) {
                graph.addOriginal(node);
            } else {
                graph.addConverted(node, form);
            }
        }
        return graph.finished();
    }

    /** {@return whether a node has a value that is to be converted} */
    boolean concerns(PlacedNode node) {
        return Stream.concat(node.inputTypes().stream(), node.outputTypes().stream())
                .anyMatch(conversion::takes);
    }

    private void judge(
            PlacedGraph graph,
            ConvertedForms forms,
            Map<Integer, String> unchanged,
            Map<Integer, PlacedNode> converted) {
        for (int i = 0; i < graph.nodes().size(); i++) {
            PlacedNode node = graph.nodes().get(i);
            if (unchanged.containsKey(i) || !concerns(node)) {
                continue;
            }
            if (!canChange(node)) {
                unchanged.put(i, node.op() + " makes numbers of " + conversion.fromWords());
                continue;
            }
            ConvertedForms.Form form = forms.of(node);
            if (form.placed().isPresent()) {
                converted.put(i, form.placed().get());
            } else {
                unchanged.put(i, form.refusal());
            }
        }
    }

    /** {@return whether it takes elements that are converted, or is a conversion, whose target can be another} */
    private boolean canChange(PlacedNode node) {
        if (FullPrecision.isCast(node)) {
            return Stream.concat(node.inputTypes().stream(), node.outputTypes().stream())
                    .allMatch(type -> type != null && isClose(type.dtype()));
        }
        for (int i = 0; i < node.inputs().size(); i++) {
            if (conversion.isElements(node, i)) {
                return true;
            }
        }
        return false;
    }

    /**
     * {@return whether a conversion between a type that is converted and this one may as well be one between the other type
     * and it}
     */
    private boolean isClose(DType dtype) {
        return conversion.to() == DType.FLOAT32
                || dtype == DType.FLOAT32
                || dtype == DType.FLOAT16
                || (!dtype.isFloating() && dtype.bits() <= Byte.SIZE);
    }

    /** Leaves those that only move elements as they are, if nothing before or behind them is converted. */
    private void removeLoneMoves(
            PlacedGraph graph, Map<Integer, String> unchanged, Map<Integer, PlacedNode> converted) {
        ValueUses uses = new ValueUses(graph.nodes());
        Deque<Integer> reached = new ArrayDeque<>();
        converted.keySet().stream()
                .filter(i -> !onlyMoves(graph.nodes().get(i)))
                .forEach(reached::add);
        Map<Integer, PlacedNode> kept = new HashMap<>();
        while (!reached.isEmpty()) {
            int position = reached.remove();
            if (kept.containsKey(position) || !converted.containsKey(position)) {
                continue;
            }
            kept.put(position, converted.get(position));
            PlacedNode node = graph.nodes().get(position);
            neighbours(node, uses).forEach(reached::add);
        }
        converted.keySet().stream()
                .filter(i -> !kept.containsKey(i))
                .forEach(i -> unchanged.put(i, "nothing around it is computed in " + conversion.to()));
        converted.keySet().retainAll(kept.keySet());
    }

    private static boolean onlyMoves(PlacedNode node) {
        return FullPrecision.moves(node) || FullPrecision.isCast(node);
    }

    private static List<Integer> neighbours(PlacedNode node, ValueUses uses) {
        return Stream.concat(
                        node.inputs().stream().flatMap(value -> uses.producer(value).stream()),
                        node.outputs().stream().flatMap(value -> uses.users(value).stream()))
                .toList();
    }
}
