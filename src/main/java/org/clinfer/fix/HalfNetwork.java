package org.clinfer.fix;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.InputDescription;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Writes a network of float32 as one of float16: its inputs, outputs and weights. */
final class HalfNetwork {

    static final String STEP = "the whole network in float16, its inputs and outputs as well";

    private static final double LARGEST = 65504;

    private HalfNetwork() {}

    /** The network so; empty where it has no float32, runs graphs of its own, or has weights that float16 does not hold. */
    static Optional<Graph> of(CheckedGraph checked, MadeTensors made) {
        Graph graph = checked.graph();
        boolean isPlain = graph.nodes().stream()
                .allMatch(node -> !node.isControl() && node.opaque().isEmpty());
        boolean isFloat = graph.inputs().stream().anyMatch(input -> input.type().dtype() == DType.FLOAT32);
        if (!isPlain || !isFloat) {
            return Optional.empty();
        }
        Set<String> settings = settings(checked);
        Map<String, Tensor> constants = new LinkedHashMap<>();
        for (Map.Entry<String, Tensor> each : graph.constants().entrySet()) {
            Tensor tensor = each.getValue();
            boolean isChanged = tensor.dtype() == DType.FLOAT32 && !settings.contains(each.getKey());
            if (isChanged && !fits(tensor)) {
                return Optional.empty();
            }
            constants.put(each.getKey(), isChanged ? made.add(tensor.to(DType.FLOAT16)) : tensor);
        }
        List<Graph.Input> inputs = graph.inputs().stream()
                .map(input -> new Graph.Input(input.name(), half(input.type())))
                .toList();
        List<Node> nodes = graph.nodes().stream().map(HalfNetwork::half).toList();
        return Optional.of(new Graph(graph.name(), inputs, graph.outputs(), nodes, constants, graph.source()));
    }

    private static TensorType half(TensorType type) {
        return type.dtype() == DType.FLOAT32 ? new TensorType(DType.FLOAT16, type.shape()) : type;
    }

    /** With the types that it asks for. */
    private static Node half(Node node) {
        Map<String, Attribute> params = new HashMap<>(node.params());
        params.replaceAll((name, value) ->
                value.equals(Attribute.of(DType.FLOAT32.label())) ? Attribute.of(DType.FLOAT16.label()) : value);
        return new Node(node.name(), node.op(), node.inputs(), node.outputs(), params, node.source());
    }

    /** The values that stand for parameters, as the scales of Resize. */
    private static Set<String> settings(CheckedGraph checked) {
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

    private static boolean fits(Tensor tensor) {
        for (long i = 0; i < tensor.elements(); i++) {
            double value = tensor.getDouble(i);
            if (!Double.isFinite(value) || Math.abs(value) > LARGEST) {
                return false;
            }
        }
        return true;
    }
}
