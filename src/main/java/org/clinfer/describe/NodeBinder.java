package org.clinfer.describe;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;
import org.jspecify.annotations.Nullable;

/** Binds the nodes of a graph to the descriptions of their operators while the graph is written. Thread-safe. */
public final class NodeBinder {

    private static final int MOST_REASONS = 3;

    private final OpCatalog catalog;
    private final Bindings bindings = new Bindings();

    /** @param catalog the operators there are */
    public NodeBinder(OpCatalog catalog) {
        this.catalog = catalog;
    }

    /** The operators there are. */
    public OpCatalog catalog() {
        return catalog;
    }

    /**
     * A node bound to its description, with all that is wrong with it.
     *
     * @param arguments the node's inputs in order; null for one that is left out
     * @return empty where there is no such operator
     */
    public Optional<Binding> bind(Node node, List<? extends @Nullable ArgValue> arguments) {
        return catalog.find(node.op())
                .map(op -> bindings.bind(
                        op,
                        node.name(),
                        arguments,
                        AttributeValues.of(node.params()),
                        node.outputs().size()));
    }

    /**
     * A node bound to its description.
     *
     * @param arguments the node's inputs in order; null for one that is left out
     * @throws GraphException if there is no such operator, or it does not take these inputs and parameters; the message
     *     does not have the name of the node
     */
    public Binding sound(Node node, List<? extends @Nullable ArgValue> arguments) {
        Binding binding = bind(node, arguments)
                .orElseThrow(() -> refusal(node, "there is no operator '" + Printable.shortened(node.op()) + "'"));
        List<Violation> violations = binding.violations();
        if (!violations.isEmpty()) {
            throw refusal(node, violations.stream().map(Violation::message).toList());
        }
        return binding;
    }

    /**
     * The types of a node's outputs.
     *
     * @param arguments the node's inputs in order; null for one that is left out
     * @throws GraphException if there is no such operator, it does not take these inputs and parameters, or they do not
     *     decide what it gives
     */
    public List<TensorType> types(Node node, List<? extends @Nullable ArgValue> arguments) {
        Binding binding = sound(node, arguments);
        if (binding.outputs().size() != node.outputs().size()) {
            throw binding.unknown().isEmpty()
                    ? refusal(node, node.op() + ": nothing is known of the types of its outputs")
                    : refusal(node, binding.unknown());
        }
        return binding.outputs();
    }

    private static GraphException refusal(Node node, List<String> reasons) {
        return refusal(
                node,
                reasons.stream()
                        .limit(MOST_REASONS)
                        .map(reason -> withoutName(reason, node))
                        .collect(Collectors.joining("; ")));
    }

    private static GraphException refusal(Node node, String reason) {
        return new GraphException(node.source(), Printable.shortened(reason));
    }

    /** The message without the name that the node has for the time being. */
    private static String withoutName(String message, Node node) {
        return node.name().isEmpty()
                ? message
                : message.replace("'" + node.name() + "'", "").replace(node.op() + " :", node.op() + ":");
    }
}
