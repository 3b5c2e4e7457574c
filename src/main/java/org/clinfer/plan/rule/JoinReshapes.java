package org.clinfer.plan.rule;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.expr.Value;
import org.clinfer.graph.Node;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.TensorType;

/**
 * Writes several changes of shape, one after another, as one, and takes those away that change nothing.
 *
 * <pre>
 * a = Unsqueeze(x);  b = Flatten(a);  y = Reshape(b)
 * y = Reshape(x)
 * </pre>
 *
 * <p>Not where anything else uses what is between them.
 */
final class JoinReshapes implements Rule {

    private static final Set<String> OPERATORS = Set.of("Reshape", "Flatten", "Squeeze", "Unsqueeze");

    @Override
    public boolean apply(int position, Rewriting graph) {
        PlacedNode last = graph.node(position).orElseThrow();
        Node node = last.node().node();
        if (!OPERATORS.contains(node.op())) {
            return false;
        }
        String from = node.inputs().get(0);
        Optional<Integer> before = graph.producer(from)
                .filter(at -> OPERATORS.contains(
                        graph.node(at).orElseThrow().node().node().op()));
        if (before.isEmpty() || !graph.isUsedOnce(from)) {
            return removeIdle(position, last, graph);
        }
        String x = graph.node(before.get()).orElseThrow().node().node().inputs().get(0);
        TensorType y = last.node().outputTypes().get(0);
        Value shape =
                Value.list(Arrays.stream(y.shape().sizes()).mapToObj(Value::of).toList());
        Node joined = new Node(node.name(), "Reshape", List.of(x), node.outputs(), Map.of(), node.source());
        return graph.replace(
                position, joined, Map.of("shape", shape, "allow_zero", Value.of(true)), List.of(before.get()));
    }

    /** Where the shape stays as it is, and the value need not have a name of its own. */
    private static boolean removeIdle(int position, PlacedNode node, Rewriting graph) {
        String x = node.node().node().inputs().get(0);
        String y = node.node().node().outputs().get(0);
        Optional<Integer> producer =
                graph.producer(x).filter(at -> graph.node(at).orElseThrow().target() == node.target());
        if (producer.isEmpty() || graph.isOutput(y) || !graph.type(x).equals(graph.type(y))) {
            return false;
        }
        graph.users(y).stream().distinct().forEach(user -> graph.redirect(user, y, x));
        graph.remove(position, producer.get());
        return true;
    }
}
