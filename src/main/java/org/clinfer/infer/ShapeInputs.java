package org.clinfer.infer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;

/**
 * Finds the graph inputs whose values, not just types, decide the shapes in a graph: those that reach an argument which
 * a description marks as {@code value}. A plan is made for their values as well as for the types of all inputs.
 */
public final class ShapeInputs {

    private final OpCatalog catalog;
    private final Map<String, Node> producers = new HashMap<>();

    private ShapeInputs(Graph graph, OpCatalog catalog) {
        this.catalog = catalog;
        for (Node node : graph.nodes()) {
            node.outputs().forEach(output -> producers.put(output, node));
        }
    }

    /**
     * {@return the names of the inputs of {@code graph} whose values decide shapes, in the graph's order}
     *
     * @param graph the network
     * @param catalog the operators
     */
    public static Set<String> of(Graph graph, OpCatalog catalog) {
        Set<String> reached = new ShapeInputs(graph, catalog).reachedBackwards(graph.nodes());
        Set<String> names = new LinkedHashSet<>();
        for (Graph.Input input : graph.inputs()) {
            if (reached.contains(input.name())) {
                names.add(input.name());
            }
        }
        return names;
    }

    private Set<String> reachedBackwards(List<Node> nodes) {
        Deque<String> open = new ArrayDeque<>();
        for (Node node : nodes) {
            for (int i = 0; i < node.inputs().size(); i++) {
                if (isValueArgument(node, i)) {
                    open.add(node.inputs().get(i));
                }
            }
        }
        Set<String> reached = new HashSet<>();
        while (!open.isEmpty()) {
            String value = open.remove();
            Node producer = producers.get(value);
            if (reached.add(value) && producer != null && !needsTypesOnly(producer)) {
                open.addAll(producer.inputs());
            }
        }
        return reached;
    }

    private boolean isValueArgument(Node node, int position) {
        Optional<OpDescription> op = catalog.find(node.op());
        if (op.isEmpty() || position >= op.get().inputs().size()) {
            return false;
        }
        return op.get().inputs().get(position).value();
    }

    private boolean needsTypesOnly(Node node) {
        return catalog.find(node.op()).filter(OpDescription::givesValues).isPresent();
    }
}
