package org.clinfer.ops;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.clinfer.describe.ArgValue;
import org.clinfer.describe.Binding;
import org.clinfer.describe.NodeBinder;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** A node under construction. */
final class OpCall {

    private final String op;
    private final SortedMap<Integer, Edge> inputs = new TreeMap<>();
    private final Map<String, Attribute> params = new LinkedHashMap<>();
    private final SortedMap<Integer, Edge> outputs = new TreeMap<>();
    private String name = "";
    private @Nullable Binding binding;

    OpCall(String op) {
        this.op = op;
    }

    String op() {
        return op;
    }

    /** The name that was given, or empty. */
    String name() {
        return name;
    }

    void rename(String newName) {
        name = newName;
    }

    Map<String, Attribute> params() {
        return params;
    }

    /** The inputs by their position. */
    SortedMap<Integer, Edge> inputs() {
        return inputs;
    }

    /** The outputs that somebody may use, by their position. */
    SortedMap<Integer, Edge> outputs() {
        return outputs;
    }

    /**
     * Binds the node to the description of its operator, with the outputs that it has so far. Nothing is known of a node
     * that takes a value of which nothing is known.
     *
     * @throws org.clinfer.graph.GraphException if the operator does not take these inputs and parameters
     */
    void bind(NodeBinder binder, SourceRef source) {
        List<@Nullable ArgValue> arguments = new ArrayList<>();
        for (Map.Entry<Integer, Edge> input : inputs.entrySet()) {
            Optional<ArgValue> value = input.getValue().value();
            if (value.isEmpty()) {
                binding = null;
                return;
            }
            while (arguments.size() < input.getKey()) {
                arguments.add(null);
            }
            arguments.add(value.get());
        }
        Node node = new Node(name, op, names(inputs, Map.of()), names(outputs, Map.of()), params, source);
        binding = binder.sound(node, arguments);
    }

    /** The facts known of an output; empty where not even its type is. */
    Optional<ArgValue> value(int output) {
        if (binding == null || output >= binding.outputs().size()) {
            return Optional.empty();
        }
        TensorType type = binding.outputs().get(output);
        return Optional.of(
                new ArgValue(type, output == 0 ? binding.outputValues().orElse(null) : null));
    }

    /** The names of edges by their position, {@code ""} where there is none. */
    static List<String> names(SortedMap<Integer, Edge> edges, Map<Edge, String> names) {
        List<String> listed = new ArrayList<>();
        edges.forEach((position, edge) -> {
            while (listed.size() < position) {
                listed.add("");
            }
            listed.add(names.getOrDefault(edge, edge.sourceName()));
        });
        return listed;
    }

    @Override
    public String toString() {
        return op + (name.isEmpty() ? "" : " '" + name + "'");
    }
}
