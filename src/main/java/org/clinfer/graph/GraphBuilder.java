package org.clinfer.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Collects a graph in any order; {@link #build()} sorts it, drops what no output needs, and verifies it. */
public final class GraphBuilder {

    private final String name;
    private final SourceRef source;
    private final List<Graph.Input> inputs = new ArrayList<>();
    private final List<Graph.Input> defaults = new ArrayList<>();
    private final Set<String> outputs = new LinkedHashSet<>();
    private final List<Node> nodes = new ArrayList<>();
    private final Map<String, Tensor> constants = new LinkedHashMap<>();
    private final Set<String> nodeNames = new HashSet<>();
    private final Map<String, Integer> renames = new HashMap<>();
    private int fresh;

    /**
     * A builder of a graph without anything in it.
     *
     * @param name the name of the graph
     * @param source the file that it is read from
     */
    public GraphBuilder(String name, SourceRef source) {
        this.name = name;
        this.source = source;
    }

    /**
     * Adds an input of this type and no other.
     *
     * @param valueName its name
     * @param type its type; dimensions may be named or unknown
     * @return this
     */
    public GraphBuilder input(String valueName, TensorType type) {
        inputs.add(new Graph.Input(valueName, type));
        return this;
    }

    /**
     * Adds an input of this type and no other.
     *
     * @param valueName its name
     * @param type its type; dimensions may be named or unknown
     * @param usual its sizes if nothing else is said, where the type leaves some open
     * @return this
     */
    public GraphBuilder input(String valueName, TensorType type, Optional<Shape> usual) {
        inputs.add(new Graph.Input(valueName, type, false, usual));
        return this;
    }

    /**
     * Adds an input whose sizes are only those that it has if nothing else is said.
     *
     * @param valueName its name
     * @param type its type
     * @return this
     */
    public GraphBuilder resizableInput(String valueName, TensorType type) {
        inputs.add(new Graph.Input(valueName, type, true, Optional.empty()));
        return this;
    }

    /**
     * Adds an input of known sizes.
     *
     * @param valueName its name
     * @param dtype the type of its elements
     * @param sizes its shape; none for a scalar
     * @return this
     */
    public GraphBuilder input(String valueName, DType dtype, long... sizes) {
        return input(valueName, TensorType.of(dtype, sizes));
    }

    /**
     * Makes a value an output, behind those there are.
     *
     * @param valueName the name of the value
     * @return this
     */
    public GraphBuilder output(String valueName) {
        outputs.add(valueName);
        return this;
    }

    /**
     * Adds a constant, which stays the caller's.
     *
     * @param valueName its name
     * @param value its elements
     * @return this
     */
    public GraphBuilder constant(String valueName, Tensor value) {
        constants.put(valueName, value);
        return this;
    }

    /**
     * Says that a caller may supply a constant, of this type.
     *
     * @param valueName the name of the constant
     * @param type its type
     * @return this
     */
    public GraphBuilder defaultInput(String valueName, TensorType type) {
        defaults.add(new Graph.Input(valueName, type));
        return this;
    }

    /**
     * Adds a node behind those there are.
     *
     * @param node the node
     * @return this
     */
    public GraphBuilder node(Node node) {
        nodes.add(nodeNames.add(node.name()) ? node : renamed(node));
        return this;
    }

    /**
     * Adds a node made in Java, without a file behind it.
     *
     * @param op the canonical operator
     * @param nodeInputs names of values; empty for one that is left out
     * @param nodeOutputs names of the values that it gives
     * @param params attributes by name
     * @return this
     */
    public GraphBuilder node(
            String op, List<String> nodeInputs, List<String> nodeOutputs, Map<String, Attribute> params) {
        return node(op.toLowerCase(Locale.ROOT) + "_" + nodes.size(), op, nodeInputs, nodeOutputs, params);
    }

    /**
     * Adds a node made in Java, without a file behind it, under a name.
     *
     * @param nodeName the name, unique in the graph
     * @param op the canonical operator
     * @param nodeInputs names of values; empty for one that is left out
     * @param nodeOutputs names of the values that it gives
     * @param params attributes by name
     * @return this
     */
    public GraphBuilder node(
            String nodeName,
            String op,
            List<String> nodeInputs,
            List<String> nodeOutputs,
            Map<String, Attribute> params) {
        SourceRef ref = new SourceRef(source.file(), "node " + nodes.size() + " '" + nodeName + "' (" + op + ")");
        return node(new Node(nodeName, op, nodeInputs, nodeOutputs, params, ref));
    }

    /** {@return the number of nodes so far} */
    public int size() {
        return nodes.size();
    }

    /**
     * Takes back the nodes behind the first ones.
     *
     * @param size how many nodes stay
     */
    public void truncate(int size) {
        List<Node> behind = nodes.subList(size, nodes.size());
        behind.forEach(node -> nodeNames.remove(node.name()));
        behind.clear();
    }

    /**
     * {@return a value name nobody uses yet}
     *
     * @param stem its beginning
     */
    public String freshName(String stem) {
        return stem + "#" + fresh++;
    }

    private Node renamed(Node node) {
        String candidate;
        do {
            candidate = node.name() + "_" + (renames.merge(node.name(), 1, Integer::sum) + 1);
        } while (!nodeNames.add(candidate));
        return node.named(candidate);
    }

    /**
     * {@return the verified graph}
     *
     * @throws GraphException if a value is used but never produced, produced twice, or part of a cycle
     */
    public Graph build() {
        Map<String, Node> producers = new HashMap<>();
        for (Node node : nodes) {
            for (String output : node.outputs()) {
                if (!output.isEmpty() && producers.put(output, node) != null) {
                    throw new GraphException(node.source(), "value '" + output + "' is produced twice");
                }
            }
        }
        List<Node> sorted = new TopologicalOrder(producers).from(outputs);
        Set<String> used = new HashSet<>(outputs);
        sorted.forEach(node -> used.addAll(node.inputs()));
        Map<String, Tensor> needed = new LinkedHashMap<>(constants);
        needed.keySet().retainAll(used);
        List<Graph.Input> supplied = defaults.stream()
                .filter(input -> needed.containsKey(input.name()))
                .toList();
        Graph graph = new Graph(
                name, inputs, List.copyOf(outputs), sorted, needed, supplied, Metadata.NONE, Optional.empty(), source);
        GraphVerifier.verify(graph);
        return graph;
    }
}
