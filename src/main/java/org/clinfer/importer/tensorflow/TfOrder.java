package org.clinfer.importer.tensorflow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.clinfer.graph.GraphException;

/** The order in which nodes are translated: each once, after all that it needs. */
final class TfOrder {

    private final TfNetwork network;
    private final Leftovers leftovers;
    private final Set<String> done = new HashSet<>();
    private Optional<GraphException> cycle = Optional.empty();

    TfOrder(TfNetwork network, Leftovers leftovers) {
        this.network = network;
        this.leftovers = leftovers;
    }

    /** The error of the first cycle that was met; empty if there was none. */
    Optional<GraphException> cycle() {
        return cycle;
    }

    /** Translates a node after all that it needs; iterative, so that deep graphs do not exhaust the stack. */
    void visit(TfNode root, Consumer<TfNode> translate) {
        Deque<TfNode> stack = new ArrayDeque<>();
        Set<String> open = new HashSet<>();
        stack.push(root);
        while (!stack.isEmpty()) {
            TfNode node = stack.peek();
            if (done.contains(node.name())) {
                stack.pop();
            } else if (open.add(node.name())) {
                for (TfNode read : reads(node)) {
                    if (open.contains(read.name()) && !done.contains(read.name())) {
                        noteCycle(node, read);
                    } else if (!done.contains(read.name())) {
                        stack.push(read);
                    }
                }
            } else {
                stack.pop();
                done.add(node.name());
                translate.accept(node);
            }
        }
    }

    private void noteCycle(TfNode node, TfNode read) {
        if (cycle.isEmpty()) {
            cycle = Optional.of(node.malformed("the graph has a cycle through '" + read.name() + "'"));
        }
    }

    /** The nodes that a node needs; of one that is left over from training only what it passes on. */
    private List<TfNode> reads(TfNode node) {
        Optional<Ref> dropped = leftovers.dropped(node);
        if (dropped.isPresent()) {
            return List.of(network.node(dropped.get()));
        }
        List<TfNode> read = new ArrayList<>();
        for (int i = node.inputs().size() - 1; i >= 0; i--) {
            read.add(network.node(node.inputs().get(i)));
        }
        node.controls().stream()
                .flatMap(name -> network.find(name).stream())
                .filter(this::isBranch)
                .forEach(read::add);
        return read;
    }

    /** {@return whether a node marks a branch of a condition: it passes on the output of a switch} */
    private boolean isBranch(TfNode node) {
        return node.op().equals("Identity")
                && node.inputs().size() == 1
                && network.node(node.inputs().get(0)).op().equals("Switch");
    }
}
