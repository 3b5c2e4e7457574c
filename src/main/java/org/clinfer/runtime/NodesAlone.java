package org.clinfer.runtime;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Some nodes of a network side by side in a graph without inputs: what a node took from others it takes from constants, so
 * that nothing is moved between their launches.
 *
 * @param graph the nodes in order
 * @param outputs the values that each node gives, in its order
 */
record NodesAlone(PlacedGraph graph, List<List<String>> outputs) {

    /** Makes what a node takes. */
    @FunctionalInterface
    interface Inputs {

        /** A tensor of this type for a value that the node takes, which belongs to the caller of {@link NodesAlone#of}. */
        Tensor input(PlacedNode node, String value, TensorType type);
    }

    /**
     * A graph of these nodes.
     *
     * @param network where they come from, whose constants they keep
     * @param made makes the other inputs
     */
    static NodesAlone of(List<PlacedNode> nodes, PlacedGraph network, Inputs made) {
        List<PlacedNode> placed = new ArrayList<>();
        Map<String, TensorType> types = new LinkedHashMap<>();
        Map<String, Tensor> constants = new LinkedHashMap<>();
        List<List<String>> outputs = new ArrayList<>();
        for (PlacedNode node : nodes) {
            String prefix = placed.size() + " ";
            List<String> inputs = new ArrayList<>();
            for (int i = 0; i < node.inputs().size(); i++) {
                String name = node.inputs().get(i);
                TensorType type = node.inputTypes().get(i);
                Tensor constant = network.constants().get(name);
                if (type == null || constant != null) {
                    inputs.add(name);
                } else {
                    inputs.add(prefix + name);
                    constants.computeIfAbsent(prefix + name, input -> made.input(node, name, type));
                }
                if (constant != null) {
                    constants.put(name, constant);
                }
            }
            List<String> given = node.outputs().stream()
                    .map(name -> name.isEmpty() ? name : prefix + name)
                    .toList();
            for (int i = 0; i < given.size(); i++) {
                types.put(given.get(i), node.outputTypes().get(i));
            }
            Node form = node.form();
            placed.add(node.on(new CheckedNode(
                    new Node(prefix + form.name(), form.op(), inputs, given, form.params(), form.source()),
                    node.description(),
                    node.binding(),
                    node.inputTypes(),
                    node.outputTypes(),
                    null)));
            outputs.add(given.stream().filter(name -> !name.isEmpty()).toList());
        }
        List<Node> forms = placed.stream().map(PlacedNode::form).toList();
        Graph graph = new Graph(
                "nodes alone",
                List.of(),
                outputs.stream().flatMap(List::stream).toList(),
                forms,
                constants,
                network.source());
        CheckedGraph checked = new CheckedGraph(
                graph,
                Map.of(),
                forms,
                placed.stream().map(PlacedNode::node).toList(),
                types,
                constants,
                Map.of(),
                List.of(),
                Map.of());
        return new NodesAlone(new PlacedGraph(checked, placed), outputs);
    }

    /** The same graph with its nodes in other places. */
    NodesAlone with(List<PlacedNode> places) {
        return new NodesAlone(new PlacedGraph(graph.graph(), places), outputs);
    }
}
