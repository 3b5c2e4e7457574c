package org.clinfer.judge;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.infer.CheckedGraph;

/**
 * The nodes that the file of a network does not have: reading it made them for another node, whose place in the file they
 * have. These are transposes between channels second and channels last, conversions between quantized numbers and
 * floats, and nodes that only give a value another name, as the results of branches.
 */
final class AddedNodes {

    private static final String TRANSPOSE = "Transpose";
    private static final Set<String> CONVERSIONS = Set.of("QuantizeLinear", "DequantizeLinear", "Identity");

    /** The end of the places of nodes that stand as one of their graphs. */
    private static final String BRANCHES = "If)";

    private AddedNodes() {}

    /** The nodes, by identity. */
    static Set<Node> of(CheckedGraph checked) {
        Set<SourceRef> others = new HashSet<>();
        for (Node node : checked.walked()) {
            if (!mayBeAdded(node) && !node.source().element().isEmpty()) {
                others.add(node.source());
            }
        }
        Set<Node> added = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Node node : checked.walked()) {
            boolean isOfWhole = checked.wholes().containsKey(node.name());
            boolean isOfOther =
                    others.contains(node.source()) || node.source().element().endsWith(BRANCHES);
            if (mayBeAdded(node) && !isOfWhole && isOfOther) {
                added.add(node);
            }
        }
        return added;
    }

    private static boolean mayBeAdded(Node node) {
        return CONVERSIONS.contains(node.op()) || (node.op().equals(TRANSPOSE) && isOfLayouts(node));
    }

    /** Tells whether the last dimension becomes the second, or the second the last, and the others keep their order. */
    private static boolean isOfLayouts(Node node) {
        if (!(node.params().get("perm") instanceof Attribute.ListValue perm)) {
            return false;
        }
        List<Long> order = perm.values().stream()
                .<Long>map(axis -> axis instanceof Attribute.IntValue number ? number.value() : -1L)
                .toList();
        int rank = order.size();
        return rank > 2 && (order.equals(moved(rank, rank - 1, 1)) || order.equals(moved(rank, 1, rank - 1)));
    }

    /** The order of dimensions with one of them at another place. */
    private static List<Long> moved(int rank, int from, int to) {
        List<Long> order = new ArrayList<>();
        for (long axis = 0; axis < rank; axis++) {
            order.add(axis);
        }
        order.add(to, order.remove(from));
        return List.copyOf(order);
    }
}
