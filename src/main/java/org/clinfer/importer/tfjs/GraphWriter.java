package org.clinfer.importer.tfjs;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** The graph while it is written. */
final class GraphWriter {

    /** Nodes at most; networks inside networks, used many times, could multiply without end. */
    private static final int MOST_NODES = 200_000;

    private final GraphBuilder builder;
    private final SourceRef source;
    private final Set<String> produced = new HashSet<>();
    private int nodes;

    GraphWriter(String name, SourceRef source) {
        this.builder = new GraphBuilder(name, source);
        this.source = source;
    }

    void input(String value, TensorType type) {
        builder.input(value, type);
    }

    /** Adds a constant, unless it was added before, and gives its name. */
    String constant(String value, Supplier<Tensor> tensor) {
        if (!builder.isConstant(value)) {
            builder.constant(value, tensor.get());
        }
        return value;
    }

    void node(Node node) {
        if (++nodes > MOST_NODES) {
            throw new GraphException(source, "the network has more than " + MOST_NODES + " operators");
        }
        produced.addAll(node.outputs());
        builder.node(node);
    }

    String freshName(String stem) {
        return builder.freshName(stem);
    }

    /** Makes a value an output of the graph; under the wanted name, where no operator gives the value under its own. */
    void output(Value value, String wanted) {
        if (produced.contains(value.name())) {
            builder.output(value.name());
            return;
        }
        SourceRef output = new SourceRef(source.file(), "output '" + wanted + "'");
        String name = value.name().equals(wanted) ? freshName(wanted) : wanted;
        Map<String, Attribute> none = Map.of();
        builder.node(new Node(name, "Identity", List.of(value.name()), List.of(name), none, output));
        builder.output(name);
    }

    Graph build() {
        return builder.build();
    }
}
