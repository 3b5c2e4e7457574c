package org.clinfer.infer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * The stages of a graph in which data decide sizes: how many boxes are found, how many elements are not 0. A plan is made
 * for sizes that are known, so whatever has such a size belongs to a later stage than what computes it. A node of control
 * flow is a stage of its own: what its graphs give is known, sizes included, when it has run.
 *
 * <p>Values that follow from types, constants and inputs of at most one axis are known when a plan is made and need no
 * stage, see {@link ShapeInputs}.
 */
public final class Stages {

    /**
     * The nodes that run in one go.
     *
     * @param inputs what it takes of the graph's inputs and of earlier stages
     * @param outputs what it gives to later stages and to the caller
     */
    public record Stage(List<Node> nodes, List<String> inputs, List<String> outputs) {

        public Stage {
            nodes = List.copyOf(nodes);
            inputs = List.copyOf(inputs);
            outputs = List.copyOf(outputs);
        }

        /** {@return the node of control flow that the stage is} */
        public Optional<Node> control() {
            return nodes.stream().findFirst().filter(Node::isControl);
        }

        /**
         * {@return the stage as a graph whose inputs have these types of elements, and any shape where they are no
         * inputs of it}
         *
         * @param whole the graph that the stage is of
         * @param types of the values that earlier stages give, by name
         */
        public Graph graph(Graph whole, Map<String, DType> types) {
            Map<String, Graph.Input> ofWhole = new HashMap<>();
            whole.inputs().forEach(input -> ofWhole.put(input.name(), input));
            List<Graph.Input> own = new ArrayList<>();
            for (String name : inputs) {
                Graph.Input given = ofWhole.get(name);
                own.add(given != null ? given : new Graph.Input(name, anyShape(types, name)));
            }
            Set<String> used = new HashSet<>(outputs);
            nodes.forEach(node -> used.addAll(node.inputs()));
            Map<String, Tensor> constants = new LinkedHashMap<>(whole.constants());
            constants.keySet().retainAll(used);
            return new Graph(whole.name(), own, outputs, nodes, constants, whole.source());
        }

        private static TensorType anyShape(Map<String, DType> types, String name) {
            DType dtype = types.get(name);
            if (dtype == null) {
                throw new IllegalArgumentException("no stage gives '" + name + "'");
            }
            return new TensorType(dtype, Shape.SCALAR); // a declared scalar takes any shape
        }
    }

    private final Graph graph;
    private final OpCatalog catalog;
    private final Map<String, Integer> levels = new HashMap<>();
    private final Set<String> known = new HashSet<>();

    /** Values that follow from constants alone. */
    private final Set<String> fixed = new HashSet<>();

    private final List<List<Node>> nodes = new ArrayList<>();

    private Stages(Graph graph, OpCatalog catalog) {
        this.graph = graph;
        this.catalog = catalog;
        known.addAll(graph.constants().keySet());
        fixed.addAll(graph.constants().keySet());
        graph.inputs().stream()
                .filter(input -> input.type().shape().rank() <= 1)
                .forEach(input -> known.add(input.name()));
    }

    /**
     * {@return the stages in their order; one where no data decide sizes}
     *
     * @param graph the network
     * @param catalog the operators
     */
    public static List<Stage> of(Graph graph, OpCatalog catalog) {
        Stages stages = new Stages(graph, catalog);
        graph.nodes().forEach(stages::place);
        stages.postpone();
        return stages.cut();
    }

    private void place(Node node) {
        int level = 0;
        for (int i = 0; i < node.inputs().size(); i++) {
            String input = node.inputs().get(i);
            if (levels.containsKey(input)) {
                boolean isFound = isValueArgument(node, i) && !known.contains(input);
                boolean isLater = isFound || node.isControl() || isControl(level(input));
                level = Math.max(level, level(input) + (isLater ? 1 : 0));
            }
        }
        while (isControl(level) || (node.isControl() && level < nodes.size())) {
            level++;
        }
        boolean isKnown = !node.isControl() && (needsTypesOnly(node) || isEach(node.inputs(), known));
        boolean isFixed = !node.isControl() && isEach(node.inputs(), fixed);
        for (String output : node.outputs()) {
            if (!output.isEmpty()) {
                levels.put(output, level);
            }
            if (isKnown) {
                known.add(output);
            }
            if (isFixed) {
                fixed.add(output);
            }
        }
        while (nodes.size() <= level) {
            nodes.add(new ArrayList<>());
        }
        nodes.get(level).add(node);
    }

    private static boolean isEach(List<String> values, Set<String> of) {
        return values.stream().allMatch(value -> value.isEmpty() || of.contains(value));
    }

    /**
     * Moves nodes whose values follow from constants to the first stage that takes these: it knows them when it is planned,
     * and would not know what another stage gives.
     */
    private void postpone() {
        Map<String, Integer> needed = new HashMap<>();
        graph.outputs().forEach(output -> needed.put(output, level(output)));
        for (int i = graph.nodes().size() - 1; i >= 0; i--) {
            Node node = graph.nodes().get(i);
            int level = level(node);
            int first = node.outputs().stream()
                    .mapToInt(output -> needed.getOrDefault(output, Integer.MAX_VALUE))
                    .min()
                    .orElse(level);
            if (first > level && first < nodes.size() && !isControl(first) && isEach(node.outputs(), fixed)) {
                nodes.get(level).remove(node);
                nodes.get(first).add(0, node);
                node.outputs().forEach(output -> levels.put(output, first));
            }
            int taken = level(node);
            node.inputs().forEach(input -> needed.merge(input, taken, Math::min));
        }
    }

    private int level(Node node) {
        return node.outputs().stream()
                .filter(output -> !output.isEmpty())
                .mapToInt(this::level)
                .max()
                .orElse(0);
    }

    /** Tells whether the stage is a node of control flow, which has a stage for itself. */
    private boolean isControl(int level) {
        return level < nodes.size()
                && nodes.get(level).stream().findFirst().filter(Node::isControl).isPresent();
    }

    /** The stage that gives a value; inputs and constants count to the first. */
    private int level(String value) {
        return levels.getOrDefault(value, 0);
    }

    private List<Stage> cut() {
        if (nodes.size() < 2) {
            List<String> inputs = graph.inputs().stream().map(Graph.Input::name).toList();
            return List.of(new Stage(graph.nodes(), inputs, graph.outputs()));
        }
        List<Set<String>> taken = new ArrayList<>();
        List<Set<String>> given = new ArrayList<>();
        nodes.forEach(stage -> {
            taken.add(new LinkedHashSet<>());
            given.add(new LinkedHashSet<>());
        });
        Set<String> ofCaller = new HashSet<>();
        graph.inputs().forEach(input -> ofCaller.add(input.name()));
        for (int stage = 0; stage < nodes.size(); stage++) {
            for (Node node : nodes.get(stage)) {
                for (String input : node.inputs()) {
                    if (ofCaller.contains(input)) {
                        taken.get(stage).add(input);
                    } else if (level(input) < stage && !input.isEmpty() && levels.containsKey(input)) {
                        taken.get(stage).add(input);
                        given.get(level(input)).add(input);
                    }
                }
            }
        }
        for (String output : graph.outputs()) {
            given.get(level(output)).add(output);
            if (ofCaller.contains(output)) {
                taken.get(0).add(output);
            }
        }
        List<Stage> stages = new ArrayList<>();
        for (int stage = 0; stage < nodes.size(); stage++) {
            if (!nodes.get(stage).isEmpty() || !given.get(stage).isEmpty()) {
                stages.add(new Stage(nodes.get(stage), List.copyOf(taken.get(stage)), List.copyOf(given.get(stage))));
            }
        }
        return stages;
    }

    private boolean isValueArgument(Node node, int position) {
        return catalog.find(node.op())
                .filter(op -> position < op.inputs().size())
                .map(op -> op.inputs().get(position).value())
                .orElse(false);
    }

    private boolean needsTypesOnly(Node node) {
        return catalog.find(node.op()).filter(OpDescription::givesValues).isPresent();
    }
}
