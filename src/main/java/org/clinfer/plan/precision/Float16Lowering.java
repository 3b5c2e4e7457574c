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
 * Lets a graph compute in float16 what it has in float32: inputs are converted before their first use, constants on the
 * host, and what the graph gives at the end.
 *
 * <pre>
 * y = Softmax(MatMul(x, w))
 * y = Cast(Softmax(MatMul(Cast(x to float16), w as float16)) to float32)
 * </pre>
 *
 * <p>Nodes without a form in float16, and those to which its digits are too few ({@link FullPrecision}), stay in float32
 * with conversions around them. Nodes that only move elements go with what is around them. A graph that computes in 16-bit
 * floats itself says where it needs more, and is left as it is.
 */
public final class Float16Lowering {

    private static final String OWN = "the network says itself what it computes in 16 bits";
    private static final String ALONE = "nothing around it is computed in float16";

    private final OpCatalog catalog;
    private final Placer placer;
    private final FoldedConstants folded;

    /** @param folded the constants that earlier plans of the same model made; filled further */
    public Float16Lowering(OpCatalog catalog, Placer placer, FoldedConstants folded) {
        this.catalog = catalog;
        this.placer = placer;
        this.folded = folded;
    }

    /**
     * A graph in another precision.
     *
     * @param reasons why nodes with float32 are not in float16, by their names in the network
     */
    public record Lowered(PlacedGraph graph, Map<String, String> reasons) {
        public Lowered {
            reasons = Map.copyOf(reasons);
        }
    }

    /**
     * The graph in float16 as far as it can be.
     *
     * @param ofModel the constants that depend on the model alone, not on the inputs a plan is made for
     */
    public Lowered apply(PlacedGraph placed, Map<String, Tensor> ofModel) {
        Map<Integer, String> full = new HashMap<>();
        Map<Integer, PlacedNode> half = new HashMap<>();
        HalfConstants constants = new HalfConstants(placed.constants(), ofModel, folded);
        HalfForms forms = new HalfForms(placed, constants, catalog, placer);
        if (hasOwnHalves(placed)) {
            for (int i = 0; i < placed.nodes().size(); i++) {
                full.put(i, OWN);
            }
        } else {
            full.putAll(FullPrecision.of(placed, constants));
            judge(placed, forms, full, half);
            removeLoneMoves(placed, full, half);
        }
        Map<String, String> reasons = new HashMap<>();
        full.forEach((position, reason) -> {
            PlacedNode node = placed.nodes().get(position);
            if (hasFloat32(node)) {
                reasons.put(node.written().name(), "in float32: " + reason);
            }
        });
        if (half.isEmpty()) {
            return new Lowered(placed, reasons);
        }
        HalfGraph graph = new HalfGraph(placed, ofModel, constants, forms);
        for (int i = 0; i < placed.nodes().size(); i++) {
            PlacedNode node = placed.nodes().get(i);
            PlacedNode form = half.get(i);
            if (form == null) {
                graph.addFull(node);
            } else {
                graph.addHalf(node, form);
            }
        }
        return new Lowered(graph.finished(), reasons);
    }

    /** {@return whether a node beside conversions has a 16-bit float} */
    private static boolean hasOwnHalves(PlacedGraph graph) {
        return graph.nodes().stream()
                .filter(node -> !FullPrecision.isCast(node))
                .flatMap(node -> Stream.concat(node.inputTypes().stream(), node.outputTypes().stream()))
                .anyMatch(type -> type != null && (type.dtype() == DType.FLOAT16 || type.dtype() == DType.BFLOAT16));
    }

    private static boolean hasFloat32(PlacedNode node) {
        return Stream.concat(node.inputTypes().stream(), node.outputTypes().stream())
                .anyMatch(FullPrecision::isFloat32);
    }

    private static void judge(
            PlacedGraph graph, HalfForms forms, Map<Integer, String> full, Map<Integer, PlacedNode> half) {
        for (int i = 0; i < graph.nodes().size(); i++) {
            PlacedNode node = graph.nodes().get(i);
            if (full.containsKey(i) || !hasFloat32(node)) {
                continue;
            }
            if (!canChange(node)) {
                full.put(i, node.op() + " makes numbers of float32");
                continue;
            }
            HalfForms.Form form = forms.of(node);
            if (form.placed().isPresent()) {
                half.put(i, form.placed().get());
            } else {
                full.put(i, form.refusal());
            }
        }
    }

    /** {@return whether it takes elements in float32, or is a conversion, whose target can be another} */
    private static boolean canChange(PlacedNode node) {
        if (FullPrecision.isCast(node)) {
            return Stream.concat(node.inputTypes().stream(), node.outputTypes().stream())
                    .allMatch(type -> type != null && isCloseToHalf(type.dtype()));
        }
        for (int i = 0; i < node.inputs().size(); i++) {
            if (FullPrecision.isElements(node, i)) {
                return true;
            }
        }
        return false;
    }

    /** {@return whether a conversion between float32 and this type may as well be one between float16 and it} */
    private static boolean isCloseToHalf(DType dtype) {
        return dtype == DType.FLOAT32 || dtype == DType.FLOAT16 || (!dtype.isFloating() && dtype.bits() <= Byte.SIZE);
    }

    /** Leaves those that only move elements in float32, if nothing before or behind them computes in float16. */
    private static void removeLoneMoves(PlacedGraph graph, Map<Integer, String> full, Map<Integer, PlacedNode> half) {
        ValueUses uses = new ValueUses(graph.nodes());
        Deque<Integer> reached = new ArrayDeque<>();
        half.keySet().stream().filter(i -> !onlyMoves(graph.nodes().get(i))).forEach(reached::add);
        Map<Integer, PlacedNode> kept = new HashMap<>();
        while (!reached.isEmpty()) {
            int position = reached.remove();
            if (kept.containsKey(position) || !half.containsKey(position)) {
                continue;
            }
            kept.put(position, half.get(position));
            PlacedNode node = graph.nodes().get(position);
            neighbours(node, uses).forEach(reached::add);
        }
        half.keySet().stream().filter(i -> !kept.containsKey(i)).forEach(i -> full.put(i, ALONE));
        half.keySet().retainAll(kept.keySet());
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
