package org.clinfer.plan.rule;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
        return PartsOf.gating(product, FuseSwish::sigmoid, graph)
                .filter(gate -> graph.replace(
                        position, product.placed().as("Swish", List.of(gate.value())), Map.of(), gate.parts()))
                .isPresent();
    }

    private static Optional<PartsOf> sigmoid(String value, Rewriting graph) {
        return Part.making(value, "Sigmoid", graph).map(part -> PartsOf.of(part.input(0), part));
    }
}
