package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;
import org.clinfer.tensor.DType;

/**
 * Fuses the nodes that exporters write for Gelu, in both of its forms.
 *
 * <pre>
 * y = Mul(Mul(x, Add(Erf(Div(x, sqrt(2))), 1)), 0.5)
 * y = Gelu(x)
 *
 * y = Mul(Mul(x, 0.5), Add(Tanh(Mul(Add(x, Mul(Pow(x, 3), 0.044715)), sqrt(2 / pi))), 1))
 * y = Gelu(x) {approximate: TANH}
 * </pre>
 *
 * <p>Factors may stand in any order. Not where anything else uses what is between, or where numbers differ by more than
 * files round them.
 */
final class FuseGelu implements FusionRule {

    private static final double CUBIC = 0.044715;

    @Override
    public Set<String> needs() {
        return Set.of("Erf", "Tanh");
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        Part root = Part.at(position, graph);
        if (!root.op().equals("Mul")
                || !root.placed().outputTypes().get(0).dtype().isFloating()) {
            return false;
        }
        for (String x : candidates(root, graph)) {
            if (rewrite(root, x, graph)) {
                return true;
            }
        }
        return false;
    }

    /** The candidates for the x of a product: its factors, and theirs. */
    private static Set<String> candidates(Part root, Rewriting graph) {
        Set<String> all = new LinkedHashSet<>();
        for (int i = 0; i < 2; i++) {
            String factor = root.input(i);
            all.add(factor);
            Part.making(factor, "Mul", graph).ifPresent(product -> {
                all.add(product.input(0));
                all.add(product.input(1));
            });
        }
        all.removeIf(value -> graph.constant(value).isPresent());
        return all;
    }

    private static boolean rewrite(Part root, String x, Rewriting graph) {
        DType type = graph.type(x).dtype();
        Factors outer = Factors.of(root.output(), x, graph);
        if (outer.values().size() != 2
                || Collections.frequency(outer.values(), x) != 1
                || !Part.isNear(outer.number(), 0.5, type)) {
            return false;
        }
        String other = outer.values().get(outer.values().get(0).equals(x) ? 1 : 0);
        List<Integer> parts = new ArrayList<>(outer.parts());
        Optional<Part> sum = Part.making(other, "Add", graph);
        Optional<Part> curve = sum.flatMap(part -> part.beside(1, graph))
                .flatMap(term -> Part.making(term, "Erf", graph).or(() -> Part.making(term, "Tanh", graph)));
        if (curve.isEmpty()) {
            return false;
        }
        parts.add(sum.get().position());
        parts.add(curve.get().position());
        boolean isTanh = curve.get().op().equals("Tanh");
        Factors argument = Factors.of(curve.get().input(0), x, graph);
        parts.addAll(argument.parts());
        boolean fits = isTanh
                ? Part.isNear(argument.number(), Math.sqrt(2 / Math.PI), type)
                        && isCubic(argument, x, type, parts, graph)
                : Part.isNear(argument.number(), Math.sqrt(0.5), type)
                        && argument.values().equals(List.of(x));
        if (!fits) {
            return false;
        }
        parts.removeIf(part -> part == root.position());
        Node by = root.placed().as("Gelu", List.of(x));
        return graph.replace(
                root.position(),
                by,
                Map.of("approximate", ExpressionValue.of(isTanh ? "TANH" : "NONE")),
                Set.copyOf(parts));
    }

    /**
     * {@return whether factors are {@code x + 0.044715 x^3}, or x and {@code 1 + 0.044715 x^2}; the nodes are added
     * to parts}
     */
    private static boolean isCubic(Factors factors, String x, DType type, List<Integer> parts, Rewriting graph) {
        List<String> values = new ArrayList<>(factors.values());
        boolean isFactored = values.remove(x);
        Optional<Part> sum = values.size() == 1 ? Part.making(values.get(0), "Add", graph) : Optional.empty();
        if (sum.isEmpty()) {
            return false;
        }
        parts.add(sum.get().position());
        Optional<Factors> power = sum.get()
                .operands()
                .filter(term -> isFactored
                        ? Part.number(term.value(), graph).orElse(0) == 1
                        : term.value().equals(x))
                .map(linear -> Factors.of(linear.other(), x, graph))
                .filter(term -> Part.isNear(term.number(), CUBIC, type)
                        && term.values().equals(Collections.nCopies(isFactored ? 2 : 3, x)))
                .findFirst();
        power.map(Factors::parts).ifPresent(parts::addAll);
        return power.isPresent();
    }
}
