package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.clinfer.describe.ArgValue;
import org.clinfer.describe.OpCatalog;
import org.clinfer.device.DeviceFacts;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphVerifier;
import org.clinfer.graph.Node;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.place.Placer;
import org.clinfer.plan.MemoryLimits;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** A placed graph while rules change it: nodes by position in execution order, with who makes and who uses each value. */
final class Rewriting {

    private final PlacedGraph placed;
    private final OpCatalog catalog;
    private final Placer placer;
    private final FoldedConstants folded;
    private final Map<String, Tensor> ofModel;
    private final Map<String, Tensor> constants;
    private final Map<String, TensorType> types;
    private final Set<String> outputs;
    private final List<@Nullable PlacedNode> nodes = new ArrayList<>();
    private final Map<String, Integer> producers = new HashMap<>();
    private final Map<String, List<Integer>> users = new HashMap<>();
    private final Map<String, Node> origins = new HashMap<>();
    private final Set<String> operators = new HashSet<>();

    /** @param ofModel the constants that depend on the model alone */
    Rewriting(
            PlacedGraph placed, OpCatalog catalog, Placer placer, FoldedConstants folded, Map<String, Tensor> ofModel) {
        this.placed = placed;
        CheckedGraph checked = placed.graph();
        this.catalog = catalog;
        this.placer = placer;
        this.folded = folded;
        this.ofModel = new HashMap<>(ofModel);
        this.constants = new LinkedHashMap<>(checked.constants());
        this.types = new LinkedHashMap<>(checked.types());
        this.outputs = new HashSet<>(checked.graph().outputs());
        for (PlacedNode node : placed.nodes()) {
            nodes.add(null);
            put(nodes.size() - 1, node);
            nodes.add(null); // see behind
            operators.add(node.op());
        }
    }

    int size() {
        return nodes.size();
    }

    /** {@return whether the graph had one of these operators at the beginning; true where there are none of these} */
    boolean hasAny(Set<String> some) {
        return some.isEmpty() || !Collections.disjoint(some, operators);
    }

    /** The node at a position; empty where it was taken away. */
    Optional<PlacedNode> node(int position) {
        return Optional.ofNullable(nodes.get(position));
    }

    /** The position behind a node at which there is none, unless this rule has put one there. */
    int behind(int position) {
        return position + 1;
    }

    /** The position of the node that makes a value; empty for inputs and constants. */
    Optional<Integer> producer(String value) {
        return Optional.ofNullable(producers.get(value));
    }

    /** The value that a node gives again, of the same type and perhaps in another shape; empty where it computes one. */
    Optional<String> viewed(int position) {
        return node(position)
                .filter(node -> node.outputs().size() == 1)
                .flatMap(node -> node.viewedInput(0)
                        .filter(input -> type(input).dtype()
                                == type(node.outputs().get(0)).dtype()));
    }

    /** {@return whether one node uses a value, once, and no caller gets it} */
    boolean isUsedOnce(String value) {
        return !outputs.contains(value) && users.getOrDefault(value, List.of()).size() == 1;
    }

    /** The positions of the nodes that use a value, as often as they do. */
    List<Integer> users(String value) {
        return List.copyOf(users.getOrDefault(value, List.of()));
    }

    boolean isOutput(String value) {
        return outputs.contains(value);
    }

    /** A constant that is the same in all plans of the model. */
    Optional<Tensor> constant(String value) {
        return Optional.ofNullable(ofModel.get(value));
    }

    /** A constant, also one that only this plan has. */
    Optional<Tensor> known(String value) {
        return Optional.ofNullable(constants.get(value));
    }

    /** The node that a constant was computed by, if it is one of the model and has this operator. */
    Optional<CheckedNode> origin(String constant, String op) {
        if (origins.isEmpty()) {
            placed.graph().walked().forEach(node -> node.outputs().forEach(output -> origins.put(output, node)));
        }
        return Optional.ofNullable(origins.get(constant))
                .filter(node -> node.op().equals(op))
                .filter(node -> node.inputs().stream().allMatch(input -> input.isEmpty() || ofModel.containsKey(input)))
                .flatMap(node ->
                        CheckedNode.of(placer.bindings(), catalog.find(op).orElseThrow(), node, this::argument));
    }

    FoldedConstants folded() {
        return folded;
    }

    /** Adds a constant; false where the model has another value of its name. */
    boolean add(FoldedConstants.Named constant) {
        Tensor known = constants.get(constant.name());
        if (known == constant.tensor()) {
            return true;
        }
        if (known != null || types.containsKey(constant.name())) {
            return false;
        }
        constants.put(constant.name(), constant.tensor());
        ofModel.put(constant.name(), constant.tensor());
        return true;
    }

    /** Takes a node away. */
    void remove(int position) {
        Node gone = form(position);
        gone.outputs().forEach(producers::remove);
        gone.inputs().stream()
                .filter(input -> !input.isEmpty())
                .forEach(input -> Objects.requireNonNull(users.get(input)).remove(Integer.valueOf(position)));
        nodes.set(position, null);
    }

    /** Sets the node of a position that has none. */
    void put(int position, PlacedNode node) {
        nodes.set(position, node);
        Node form = node.form();
        form.outputs().stream().filter(output -> !output.isEmpty()).forEach(output -> producers.put(output, position));
        form.inputs().stream()
                .filter(input -> !input.isEmpty())
                .forEach(input ->
                        users.computeIfAbsent(input, any -> new ArrayList<>()).add(position));
    }

    /** Takes a node away whose work another one does anyway. */
    void remove(int position, int doneBy) {
        PlacedNode gone = Objects.requireNonNull(nodes.get(position));
        PlacedNode doing = Objects.requireNonNull(nodes.get(doneBy));
        List<PlacedNode> parts = new ArrayList<>(doing.fused());
        parts.add(gone);
        parts.addAll(gone.fused());
        remove(position);
        nodes.set(doneBy, doing.doing(doing, parts));
    }

    /** Lets a node use one value instead of another. */
    void redirect(int position, String from, String to) {
        PlacedNode node = Objects.requireNonNull(nodes.get(position));
        remove(position);
        put(position, node.on(redirected(node.node(), from, to)));
    }

    private static CheckedNode redirected(CheckedNode checked, String from, String to) {
        Node node = checked.node();
        List<String> inputs = node.inputs().stream()
                .map(input -> input.equals(from) ? to : input)
                .toList();
        CheckedNode lowered = checked.lowered();
        return new CheckedNode(
                new Node(node.name(), node.op(), inputs, node.outputs(), node.params(), node.source()),
                checked.op(),
                checked.binding(),
                checked.inputTypes(),
                checked.outputTypes(),
                lowered == null ? null : redirected(lowered, from, to));
    }

    private Node form(int position) {
        return Objects.requireNonNull(nodes.get(position)).form();
    }

    /** A node with these parameters; empty where its description refuses it. */
    Optional<CheckedNode> bound(Node node, Map<String, ExpressionValue> params) {
        List<TensorType> outputTypes = node.outputs().stream().map(this::type).toList();
        return CheckedNode.of(placer.bindings(), catalog.find(node.op()).orElseThrow(), node, params, this::argument)
                .filter(bound -> bound.outputTypes().equals(outputTypes));
    }

    private ArgValue argument(String value) {
        Tensor constant = constants.get(value);
        return constant != null ? ArgValue.of(constant) : ArgValue.of(type(value));
    }

    /** The type of a value of the graph. */
    TensorType type(String value) {
        Tensor constant = constants.get(value);
        return constant != null ? constant.type() : Objects.requireNonNull(types.get(value));
    }

    /** The name of a value that is new. */
    String fresh(String stem, TensorType type) {
        String name = stem;
        for (int i = 1; types.containsKey(name) || constants.containsKey(name); i++) {
            name = stem + " " + i;
        }
        types.put(name, type);
        return name;
    }

    /** A value that {@link #fresh} made and nothing uses. */
    void forget(String value) {
        types.remove(value);
    }

    /** The bytes of which a multiple is the begin of every part of a buffer on the device. */
    long alignment() {
        return placer.device()
                .map(MemoryLimits::of)
                .map(MemoryLimits::alignment)
                .orElse(1L);
    }

    /** {@return whether the device is a processor} */
    boolean isProcessor() {
        return placer.device()
                .filter(device -> device.kind() == DeviceFacts.Kind.CPU)
                .isPresent();
    }

    /** A node placed on the side where another one is; empty where that side does not take it. */
    Optional<PlacedNode> placed(CheckedNode node, PlacedNode.Target side) {
        return placer.place(node, side);
    }

    /**
     * Lets another node do the work of the one at a position, under its name, and of those before it that only it needs.
     * Nothing changes where the description or the side refuses it, or where anything else uses what the parts compute.
     *
     * @param by makes the outputs of the node at the position
     * @param parts positions of other nodes
     */
    boolean replace(int position, Node by, Map<String, ExpressionValue> params, Collection<Integer> parts) {
        return takeOver(position, by, params, parts, taken -> true);
    }

    /**
     * Lets another node do the work of the one at a position, under its name, and of others around it. Nothing changes
     * where the description or the side refuses it, or where anything else uses what the others compute.
     *
     * @param by reads what is made before the position
     * @param parts positions of other nodes of the same side
     * @param accepts whether it is worth it, as it would be placed
     */
    boolean takeOver(
            int position,
            Node by,
            Map<String, ExpressionValue> params,
            Collection<Integer> parts,
            Predicate<PlacedNode> accepts) {
        return takeOver(position, position, by, params, parts, accepts);
    }

    /**
     * The same where it stands at the position of one of the parts.
     *
     * @param by reads what is made before {@code place}
     */
    boolean takeOver(
            int position,
            int place,
            Node by,
            Map<String, ExpressionValue> params,
            Collection<Integer> parts,
            Predicate<PlacedNode> accepts) {
        PlacedNode main = Objects.requireNonNull(nodes.get(position));
        Set<Integer> all = new TreeSet<>(parts);
        all.add(position);
        boolean areOwn = all.stream()
                .allMatch(part -> Objects.requireNonNull(nodes.get(part)).target() == main.target()
                        && form(part).outputs().stream()
                                .allMatch(output -> by.outputs().contains(output)
                                        || (!outputs.contains(output)
                                                && all.containsAll(users.getOrDefault(output, List.of())))));
        Optional<PlacedNode> taken = areOwn
                ? bound(by, params)
                        .flatMap(bound -> placed(bound, main.target()))
                        .filter(accepts)
                : Optional.empty();
        if (taken.isEmpty()) {
            return false;
        }
        List<PlacedNode> others = new ArrayList<>(main.fused());
        for (int part : all) {
            if (part != position) {
                PlacedNode gone = Objects.requireNonNull(nodes.get(part));
                others.add(gone);
                others.addAll(gone.fused());
            }
            remove(part);
        }
        put(place, taken.get().doing(main, others));
        return true;
    }

    /** The graph as it is now, verified. */
    PlacedGraph finished() {
        List<PlacedNode> left = new ArrayList<>();
        for (PlacedNode node : nodes) {
            if (node != null) {
                left.add(node);
            }
        }
        PlacedGraph rewritten = placed.with(left, types, ofModel, constants);
        verify(rewritten.graph().graph());
        return rewritten;
    }

    /** Values known for this plan alone count as constants, too; inputs among them stay inputs. */
    private void verify(Graph graph) {
        Map<String, Tensor> known = new HashMap<>(constants);
        graph.inputs().forEach(input -> known.remove(input.name()));
        GraphVerifier.verify(
                new Graph(graph.name(), graph.inputs(), graph.outputs(), graph.nodes(), known, graph.source()));
    }
}
