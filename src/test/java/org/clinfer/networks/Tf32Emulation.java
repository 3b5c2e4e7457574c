package org.clinfer.networks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Networks whose factors are rounded to the 10 bits of TF32 by nodes of float32, so that any engine computes what matrix
 * units for TF32 do: products are exact in float32 then, and added in it. Rounding is to nearest by two subtractions:
 * {@code c = 8193 x; c - (c - x)} (T. J. Dekker, 1971); an engine must not fuse nodes.
 */
final class Tf32Emulation {

    /** 2^13 + 1: of the 24 bits of a float32, the lower 13 go. */
    private static final float SPLITTER = 8193;

    private static final String SPLITTER_NAME = "2^13 + 1";

    private final Map<String, Tensor> constants;
    private final List<Node> nodes = new ArrayList<>();
    private final Set<String> float32;

    private Tf32Emulation(Graph graph, Set<String> float32) {
        this.constants = new LinkedHashMap<>(graph.constants());
        this.float32 = float32;
        constants.put(SPLITTER_NAME, Tensor.scalar(SPLITTER));
    }

    /**
     * The network with rounded factors.
     *
     * @param products names of the nodes that multiply their first two inputs
     * @param float32 names of the values of float32 that are computed or are inputs
     */
    static Graph of(Graph graph, Set<String> products, Set<String> float32) {
        Tf32Emulation emulation = new Tf32Emulation(graph, float32);
        for (Node node : graph.nodes()) {
            List<String> inputs = new ArrayList<>(node.inputs());
            if (products.contains(node.name())) {
                inputs.set(0, emulation.rounded(inputs.get(0), node));
                inputs.set(1, emulation.rounded(inputs.get(1), node));
            }
            emulation.nodes.add(new Node(node.name(), node.op(), inputs, node.outputs(), node.params(), node.source()));
        }
        return new Graph(
                graph.name(), graph.inputs(), graph.outputs(), emulation.nodes, emulation.constants, graph.source());
    }

    private String rounded(String value, Node user) {
        String name = value + " rounded";
        Tensor constant = constants.get(value);
        if (constant != null && constant.dtype() == DType.FLOAT32) {
            constants.computeIfAbsent(name, any -> rounded(constant));
            return name;
        }
        if (!float32.contains(value)) {
            throw new IllegalArgumentException(user + " multiplies what is not float32: " + value);
        }
        if (nodes.stream().noneMatch(node -> node.name().equals(name))) {
            add("Mul", value, SPLITTER_NAME, value + " split", user);
            add("Sub", value + " split", value, value + " rest", user);
            add("Sub", value + " split", value + " rest", name, user);
        }
        return name;
    }

    private void add(String op, String a, String b, String y, Node user) {
        nodes.add(new Node(y, op, List.of(a, b), List.of(y), Map.of(), user.source()));
    }

    private static Tensor rounded(Tensor tensor) {
        float[] values = tensor.toFloatArray();
        for (int i = 0; i < values.length; i++) {
            values[i] = rounded(values[i]);
        }
        return Tensor.of(values, tensor.shape().sizes());
    }

    static float rounded(float value) {
        float split = SPLITTER * value;
        return split - (split - value);
    }
}
