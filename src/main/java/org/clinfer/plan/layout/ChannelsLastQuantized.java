package org.clinfer.plan.layout;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.ArgValue;
import org.clinfer.describe.OpCatalog;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;
import org.clinfer.infer.CheckedNode;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.place.Placer;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Lets convolutions of codes hand each other codes with the channels side by side, as they multiply them.
 *
 * <pre>
 * a = QuantizedConv(x, w);  b = QuantizedConv(a, v);  y = QuantizedAdd(a, b)
 * a' = QuantizedConv(x, w) {y_format: NXC};  b' = QuantizedConv(a', v) {data_format: NXC}
 * c = QuantizedAdd(a', b');  y = Transpose(c)
 * </pre>
 *
 * <p>A convolution reads one order and writes another without cost, so that only sums, which have one order for all, need
 * changes of it: behind them, where something else uses them.
 */
public final class ChannelsLastQuantized {

    private static final String CONVOLUTION = "QuantizedConv";
    private static final String SUM = "QuantizedAdd";
    /** Variants of which there are forms for both orders. */
    private static final Set<String> TURNABLE = Set.of("quads", "planes");

    /** The forms of these for channels last. */
    private static final Set<String> TURNED = Set.of("quads", "channel_quads");

    private static final int Y = -1;

    private final OpCatalog catalog;
    private final Placer placer;

    public ChannelsLastQuantized(OpCatalog catalog, Placer placer) {
        this.catalog = catalog;
        this.placer = placer;
    }

    /** The graph with layouts chosen; the same where nothing gains. */
    public PlacedGraph apply(PlacedGraph placed) {
        Set<String> refused = new HashSet<>();
        while (true) {
            Set<String> chosen = new Choice(placed, refused).values();
            if (chosen.isEmpty()) {
                return placed;
            }
            Turned turned = new Turned(placed, chosen);
            Optional<PlacedNode> notTaken = turned.build();
            if (notTaken.isEmpty()) {
                return turned.finished();
            }
            Node node = notTaken.get().form();
            refused.addAll(node.inputs());
            refused.addAll(node.outputs());
        }
    }

    private static boolean isOp(PlacedNode node, String op) {
        return node.target() == PlacedNode.Target.DEVICE && node.op().equals(op);
    }

    /** The arguments of a node that may have the channels side by side: inputs, and its output. */
    private static List<Integer> places(PlacedNode node) {
        if (isOp(node, CONVOLUTION)
                && TURNABLE.contains(node.variant().orElseThrow().name())
                && node.binding().text("data_format").equals("NCX")
                && node.binding().text("y_order").equals("NCX")) {
            return List.of(0, Y);
        }
        return isOp(node, SUM) ? List.of(0, 1, Y) : List.of();
    }

    private static String value(PlacedNode node, int place) {
        Node form = node.form();
        return place == Y ? form.outputs().get(0) : form.inputs().get(place);
    }

    /** The choice of values that have the channels side by side: those that all who use them can take so. */
    private static final class Choice {

        private final PlacedGraph graph;
        private final Map<String, PlacedNode> makers = new HashMap<>();
        private final Map<String, List<PlacedNode>> users = new HashMap<>();
        private final Set<String> values = new LinkedHashSet<>();

        Choice(PlacedGraph graph, Set<String> refused) {
            this.graph = graph;
            for (PlacedNode node : graph.nodes()) {
                Node form = node.form();
                form.outputs().forEach(output -> makers.put(output, node));
                form.inputs()
                        .forEach(input -> users.computeIfAbsent(input, any -> new ArrayList<>())
                                .add(node));
            }
            for (PlacedNode node : graph.nodes()) {
                places(node).stream()
                        .map(place -> value(node, place))
                        .filter(value -> !refused.contains(value))
                        .filter(this::isPossible)
                        .forEach(values::add);
            }
        }

        private boolean isPossible(String value) {
            PlacedNode maker = makers.get(value);
            if (maker == null || !places(maker).contains(Y)) {
                return false;
            }
            TensorType type = Objects.requireNonNull(graph.types().get(value));
            boolean isOfCodes = type.dtype() == DType.UINT8 || type.dtype() == DType.INT8;
            if (!isOfCodes || type.shape().rank() < 3) {
                return false;
            }
            return isOp(maker, SUM)
                    || (!graph.outputs().contains(value)
                            && users.getOrDefault(value, List.of()).stream().allMatch(user -> takes(user, value)));
        }

        private static boolean takes(PlacedNode user, String value) {
            Node form = user.form();
            List<Integer> places = places(user);
            for (int i = 0; i < form.inputs().size(); i++) {
                if (form.inputs().get(i).equals(value) && !places.contains(i)) {
                    return false;
                }
            }
            return true;
        }

        /** Without sums some of whose values have the one order and some the other. */
        Set<String> values() {
            boolean changed = true;
            while (changed) {
                changed = false;
                for (PlacedNode node : graph.nodes()) {
                    if (isOp(node, SUM) && !isWhole(node)) {
                        for (int place : places(node)) {
                            changed |= values.remove(value(node, place));
                        }
                    }
                }
            }
            return values;
        }

        private boolean isWhole(PlacedNode sum) {
            TensorType y = sum.outputTypes().get(0);
            return places(sum).stream().allMatch(place -> {
                String value = value(sum, place);
                return values.contains(value)
                        && Objects.requireNonNull(graph.types().get(value))
                                .shape()
                                .equals(y.shape());
            });
        }
    }

    /** The graph as it is with these values turned. */
    private final class Turned {

        private final PlacedGraph before;
        private final Set<String> chosen;
        private final Map<String, TensorType> types;
        private final Map<String, Tensor> constants;
        private final Set<String> turnedBack = new HashSet<>();
        private final List<PlacedNode> nodes = new ArrayList<>();

        Turned(PlacedGraph before, Set<String> chosen) {
            this.before = before;
            this.chosen = chosen;
            this.types = new LinkedHashMap<>(before.types());
            this.constants = before.constants();
        }

        /** Makes the nodes; the first that is not taken, if any. */
        Optional<PlacedNode> build() {
            for (PlacedNode node : before.nodes()) {
                List<Integer> places = places(node);
                if (places.stream().noneMatch(place -> chosen.contains(value(node, place)))) {
                    for (String input : node.inputs()) {
                        if (!turnBack(input, node)) {
                            return Optional.of(node);
                        }
                    }
                    nodes.add(node);
                    continue;
                }
                Optional<PlacedNode> turned = turned(node, places);
                if (turned.isEmpty()) {
                    return Optional.of(node);
                }
                nodes.add(turned.get().doing(node, node.fused()));
            }
            for (PlacedNode node : before.nodes()) {
                for (String output : node.outputs()) {
                    if (before.outputs().contains(output) && !turnBack(output, node)) {
                        return Optional.of(node);
                    }
                }
            }
            return Optional.empty();
        }

        private Optional<PlacedNode> turned(PlacedNode node, List<Integer> places) {
            Node form = node.form();
            List<String> inputs = new ArrayList<>(form.inputs());
            List<String> outputs = new ArrayList<>(form.outputs());
            Map<String, ExpressionValue> params = new HashMap<>(node.binding().params());
            for (int place : places) {
                if (chosen.contains(value(node, place))) {
                    if (place == Y) {
                        outputs.set(0, name(outputs.get(0)));
                    } else {
                        inputs.set(place, name(inputs.get(place)));
                    }
                }
            }
            if (form.op().equals(CONVOLUTION)) {
                params.put("data_format", ExpressionValue.of(chosen.contains(value(node, 0)) ? "NXC" : "NCX"));
                params.put("y_format", ExpressionValue.of(chosen.contains(value(node, Y)) ? "NXC" : "NCX"));
            }
            Node by = node.as(form.op(), inputs, outputs);
            return placed(by, params)
                    .filter(taken -> !form.op().equals(CONVOLUTION)
                            || TURNED.contains(taken.variant().orElseThrow().name()));
        }

        private Optional<PlacedNode> placed(Node node, Map<String, ExpressionValue> params) {
            Optional<CheckedNode> bound = CheckedNode.of(
                    placer.bindings(), catalog.find(node.op()).orElseThrow(), node, params, this::argument);
            bound.ifPresent(checked ->
                    types.put(node.outputs().get(0), checked.outputTypes().get(0)));
            return bound.flatMap(checked -> placer.place(checked, PlacedNode.Target.DEVICE));
        }

        private ArgValue argument(String value) {
            Tensor constant = constants.get(value);
            return constant != null ? ArgValue.of(constant) : ArgValue.of(Objects.requireNonNull(types.get(value)));
        }

        private static String name(String value) {
            return value + " as NXC";
        }

        /** Makes a value that is turned as it was; false where nothing can. */
        private boolean turnBack(String value, PlacedNode user) {
            if (!chosen.contains(value) || !turnedBack.add(value)) {
                return true;
            }
            int rank = Objects.requireNonNull(types.get(value)).shape().rank();
            List<ExpressionValue> order =
                    new ArrayList<>(List.of(ExpressionValue.of(0L), ExpressionValue.of(rank - 1L)));
            for (long axis = 1; axis < rank - 1; axis++) {
                order.add(ExpressionValue.of(axis));
            }
            Node node = new Node(
                    "Transpose " + value,
                    "Transpose",
                    List.of(name(value)),
                    List.of(value),
                    Map.of(),
                    user.form().source());
            Optional<PlacedNode> placed = placed(node, Map.of("perm", ExpressionValue.list(order)));
            placed.ifPresent(nodes::add);
            return placed.isPresent();
        }

        PlacedGraph finished() {
            return before.with(nodes, types, before.ofModel(), constants);
        }
    }
}
