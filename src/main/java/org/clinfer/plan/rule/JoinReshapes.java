package org.clinfer.plan.rule;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;
import org.clinfer.place.PlacedNode;

/**
 * Joins consecutive Reshape, Flatten, Squeeze and Unsqueeze into one Reshape.
 *
 * <pre>
 * a = Unsqueeze(x);  b = Flatten(a);  y = Reshape(b)
 * y = Reshape(x)
 * </pre>
 *
 * <p>Not where anything else uses what is between them.
 */
final class JoinReshapes implements FusionRule {

    @Override
    public boolean apply(int position, Rewriting graph) {
        Optional<String> between = graph.viewed(position).filter(graph::isUsedOnce);
        Optional<Integer> before = between.flatMap(graph::producer);
        Optional<String> x = before.flatMap(graph::viewed);
        if (x.isEmpty()) {
            return false;
        }
        PlacedNode node = graph.node(position).orElseThrow();
        ExpressionValue shape = ExpressionValue.list(
                Arrays.stream(graph.type(node.outputs().get(0)).shape().sizes())
                        .mapToObj(ExpressionValue::of)
                        .toList());
        Node joined = node.as("Reshape", List.of(x.get()));
        return graph.replace(
                position,
                joined,
                Map.of("shape", shape, "allow_zero", ExpressionValue.of(true)),
                List.of(before.get()));
    }
}
