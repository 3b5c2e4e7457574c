package org.clinfer.graph;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Depth-first order of the nodes that some wanted values need; iterative, so deep graphs do not exhaust the stack. */
final class TopologicalOrder {

    private enum Mark {
        OPEN,
        DONE
    }

    private final Map<String, Node> producers;
    private final IdentityHashMap<Node, Mark> marks = new IdentityHashMap<>();
    private final List<Node> sorted = new ArrayList<>();

    TopologicalOrder(Map<String, Node> producers) {
        this.producers = producers;
    }

    List<Node> from(Collection<String> wanted) {
        for (String value : wanted) {
            Node producer = producers.get(value);
            if (producer != null) {
                visit(producer);
            }
        }
        return sorted;
    }

    private void visit(Node root) {
        Deque<Node> stack = new ArrayDeque<>();
        stack.push(root);
        while (!stack.isEmpty()) {
            Node node = stack.peek();
            if (marks.get(node) == Mark.DONE) {
                stack.pop();
            } else if (marks.put(node, Mark.OPEN) == null) {
                pushInputs(node, stack);
            } else {
                stack.pop();
                marks.put(node, Mark.DONE);
                sorted.add(node);
            }
        }
    }

    private void pushInputs(Node node, Deque<Node> stack) {
        List<String> inputs = node.inputs();
        for (int i = inputs.size() - 1; i >= 0; i--) {
            Node producer = producers.get(inputs.get(i));
            if (producer == null) {
                continue;
            }
            if (marks.get(producer) == Mark.OPEN) {
                throw new GraphException(node.source(), "the graph has a cycle through value '" + inputs.get(i) + "'");
            }
            if (marks.get(producer) != Mark.DONE) {
                stack.push(producer);
            }
        }
    }
}
