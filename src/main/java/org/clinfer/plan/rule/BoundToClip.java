package org.clinfer.plan.rule;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleBinaryOperator;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.ActivationFunction.Bounds;

/**
 * Writes Max and Min with one number as Clip, which a convolution may then take, with the bounds of the operator before it.
 *
 * <pre>
 * r = Relu(x);  y = Min(r, 6)
 * y = Clip(x) {min: 0, max: 6}
 * </pre>
 *
 * <p>Not of integers, and not where anything else uses what is between.
 */
final class BoundToClip implements FusionRule {

    private static final Bounds NONE = new Bounds(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

    /** The bound that is left of one of an operator before and one of its own. */
    private static final Map<String, DoubleBinaryOperator> OPERATORS = Map.of("Max", Math::max, "Min", Math::min);

    @Override
    public Set<String> needs() {
        return OPERATORS.keySet();
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        Part part = Part.at(position, graph);
        DoubleBinaryOperator bound = OPERATORS.get(part.op());
        if (bound == null
                || part.inputs() != 2
                || !graph.type(part.output()).dtype().isFloating()) {
            return false;
        }
        return part.operands().anyMatch(operand -> {
            double number = Part.number(operand.value(), graph).orElse(Double.NaN);
            return !Double.isNaN(number) && isClip(part, operand.other(), bound, number, graph);
        });
    }

    private static boolean isClip(Part part, String x, DoubleBinaryOperator bound, double number, Rewriting graph) {
        Optional<Part> before = Part.making(x, graph)
                .filter(found -> found.placed().target() == part.placed().target())
                .filter(found -> graph.isUsedOnce(x));
        Optional<Bounds> known = before.flatMap(found -> PlainActivation.bounds(found.placed()));
        Bounds others = known.orElse(NONE);
        double low = bound.applyAsDouble(others.low(), number);
        double high = bound.applyAsDouble(others.high(), number);
        Map<String, ExpressionValue> params = new HashMap<>();
        if (low != NONE.low()) {
            params.put("min", ExpressionValue.of(low));
        }
        if (high != NONE.high()) {
            params.put("max", ExpressionValue.of(high));
        }
        String from = known.isPresent() ? before.orElseThrow().input(0) : x;
        List<Integer> parts = known.isPresent() ? List.of(before.orElseThrow().position()) : List.of();
        return graph.replace(part.position(), part.placed().as("Clip", List.of(from)), params, parts);
    }
}
