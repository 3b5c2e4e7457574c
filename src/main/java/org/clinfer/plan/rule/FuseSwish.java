package org.clinfer.plan.rule;

import java.util.List;
import java.util.Map;
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
        return product.operands()
                .flatMap(x -> Part.making(x.other(), "Sigmoid", graph).stream()
                        .filter(part -> part.input(0).equals(x.value())))
                .findFirst()
                .filter(sigmoid -> rewrite(product, sigmoid, graph))
                .isPresent();
    }

    private static boolean rewrite(Part product, Part sigmoid, Rewriting graph) {
        Node by = product.placed().as("Swish", List.of(sigmoid.input(0)));
        return graph.replace(product.position(), by, Map.of(), List.of(sigmoid.position()));
    }
}
