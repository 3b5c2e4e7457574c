package org.clinfer.importer.tensorflow.functional;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.clinfer.graph.WorkBudget;
import org.clinfer.importer.tensorflow.proto.NodeDef;

/** The nodes of a graph or of a function by their names, while some are replaced by others. */
final class NodeMap {

    private static final int MOST_ALIASES = 100;

    private final Map<String, NodeDef> nodes = new LinkedHashMap<>();
    private final WorkBudget budget;

    NodeMap(Iterable<NodeDef> nodes, WorkBudget budget) {
        nodes.forEach(this::put);
        this.budget = budget;
    }

    /** The same work for the nodes of a function. */
    NodeMap of(Iterable<NodeDef> others) {
        return new NodeMap(others, budget);
    }

    /**
     * Counts a step.
     *
     * @throws NotFunctional if there were too many
     */
    void spend() {
        spend(1);
    }

    private void spend(int steps) {
        if (!budget.spend(steps)) {
            throw new NotFunctional();
        }
    }

    void put(NodeDef node) {
        nodes.put(node.getName(), node);
    }

    void remove(String name) {
        nodes.remove(name);
    }

    List<NodeDef> all() {
        return List.copyOf(nodes.values());
    }

    List<NodeDef> all(Predicate<NodeDef> wanted) {
        spend(nodes.size());
        return nodes.values().stream().filter(wanted).toList();
    }

    /** {@return whether there is such a node} */
    boolean has(String reference) {
        return nodes.containsKey(name(reference));
    }

    /**
     * The node that an input names.
     *
     * @throws NotFunctional if there is none
     */
    NodeDef node(String reference) {
        NodeDef node = nodes.get(name(reference));
        if (node == null) {
            throw new NotFunctional();
        }
        return node;
    }

    /** {@return whether an input is the output of a node with one of these operators, and no argument} */
    boolean is(String reference, Set<String> operators) {
        NodeDef node = nodes.get(name(reference));
        return node != null && operators.contains(node.getOp());
    }

    /** The value behind nodes that only pass one on, as an input names it. */
    String origin(String reference) {
        String at = reference;
        for (int i = 0; i < MOST_ALIASES && is(at, DataInputs.ALIASES); i++) {
            at = data(node(at), 0);
        }
        return at;
    }

    /** A name that no node has. */
    String free(String stem) {
        String name = stem;
        for (int i = 1; nodes.containsKey(name); i++) {
            name = stem + "_" + i;
        }
        return name;
    }

    /** The values that a node reads. */
    static List<String> data(NodeDef node) {
        return DataInputs.data(node);
    }

    /**
     * One of them.
     *
     * @throws NotFunctional if it does not read so many
     */
    static String data(NodeDef node, int index) {
        return DataInputs.data(node, index).orElseThrow(NotFunctional::new);
    }

    /** {@return whether an input says only that its node comes before} */
    static boolean isControl(String input) {
        return input.startsWith("^");
    }

    /** The name of the node in an input. */
    static String name(String input) {
        int start = isControl(input) ? 1 : 0;
        int colon = input.indexOf(':');
        return input.substring(start, colon < 0 ? input.length() : colon);
    }

    /** {@return whether an input is this output of a node} */
    static boolean isPort(String input, int port) {
        return input.endsWith(":" + port) || (port == 0 && input.indexOf(':') < 0);
    }
}
