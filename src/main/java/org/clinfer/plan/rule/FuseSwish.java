package org.clinfer.plan.rule;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.graph.Node;

/**
 * Fuses Sigmoid and the Mul with its input into Swish.
 *
 * <pre>
 * s = Sigmoid(x);  y = Mul(x, s)
 * y = Swish(x)
 * </pre>
 *
 * <p>Not where anything else uses the Sigmoid.
 */
final class FuseSwish implements FusionRule {

    @Override
    public Set<String> needs() {
        return Set.of("Sigmoid");
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        Part product = Part.at(position, graph);
        if (!product.op().equals("Mul")) {
            return false;
        }
        for (int side = 0; side < 2; side++) {
            String x = product.input(side);
            Optional<Part> sigmoid = Part.making(product.input(1 - side), "Sigmoid", graph)
                    .filter(part -> part.input(0).equals(x));
            if (sigmoid.isPresent()) {
                Node node = product.placed().form();
                Node by = new Node(node.name(), "Swish", List.of(x), node.outputs(), Map.of(), node.source());
                return graph.replace(
                        position, by, Map.of(), List.of(sigmoid.get().position()));
            }
        }
        return false;
    }
}
