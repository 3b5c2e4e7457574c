package org.clinfer.fix;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.clinfer.describe.InputDescription;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Writes a network with one element type in the place of another: in its inputs, outputs, weights, and the types that its
 * nodes ask for. Constants that stand for parameters, as the sizes of Reshape, keep their type.
 *
 * @param checked the network as it is
 * @param from the type that goes
 * @param to the type that comes
 */
record RetypedNetwork(CheckedGraph checked, DType from, DType to) {

    /**
     * The network with the other type; empty where it runs graphs of its own, or has constants that the type does not hold.
     *
     * @param made the owner of the constants that are made
     */
    Optional<Graph> written(Predicate<Tensor> fits, MadeTensors made) {
        Graph graph = checked.graph();
        boolean isPlain = graph.nodes().stream()
                .allMatch(node -> !node.isControl() && node.opaque().isEmpty());
        Set<String> settings = settings();
        Predicate<Map.Entry<String, Tensor>> isChanged =
                each -> each.getValue().dtype() == from && !settings.contains(each.getKey());
        if (!isPlain
                || !graph.constants().entrySet().stream()
                        .filter(isChanged)
                        .allMatch(each -> fits.test(each.getValue()))) {
            return Optional.empty();
        }
        Map<String, Tensor> constants = new LinkedHashMap<>();
        graph.constants()
                .entrySet()
                .forEach(each -> constants.put(
                        each.getKey(),
                        isChanged.test(each) ? made.add(each.getValue().to(to)) : each.getValue()));
        List<Graph.Input> inputs = graph.inputs().stream()
                .map(input -> new Graph.Input(input.name(), retyped(input.type())))
                .toList();
        List<Node> nodes = graph.nodes().stream().map(this::retyped).toList();
        return Optional.of(new Graph(graph.name(), inputs, graph.outputs(), nodes, constants, graph.source()));
    }

    private TensorType retyped(TensorType type) {
        return type.dtype() == from ? new TensorType(to, type.shape()) : type;
    }

    /** With the types that it asks for. */
    private Node retyped(Node node) {
        Map<String, Attribute> params = new HashMap<>(node.params());
        params.replaceAll((name, value) -> value.equals(Attribute.of(from.label())) ? Attribute.of(to.label()) : value);
        return new Node(node.name(), node.op(), node.inputs(), node.outputs(), params, node.source());
    }

    /** The values that stand for parameters, as the scales of Resize. */
    private Set<String> settings() {
        Set<String> settings = new HashSet<>();
        for (CheckedNode node : checked.nodes()) {
            List<InputDescription> described = node.op().inputs();
            for (int i = 0; i < node.node().inputs().size(); i++) {
                if (described.get(Math.min(i, described.size() - 1)).value()) {
                    settings.add(node.node().inputs().get(i));
                }
            }
        }
        return settings;
    }
}
