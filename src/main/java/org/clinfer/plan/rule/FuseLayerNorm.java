package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/**
 * Fuses the nodes that exporters write for a layer normalization.
 *
 * <pre>
 * d = Sub(x, Mean(x));  s = Sqrt(Add(Mean(Pow(d, 2)), e));  y = Add(Mul(Div(d, s), w), b)
 * y = LayerNorm(x, w, b) {epsilon: e}
 * </pre>
 *
 * <p>The square may be a product. Both means are over the last axes, which they keep; the factors, and the addends if there
 * are any, are constants with the sizes of these axes. Not where anything else uses what is between.
 */
final class FuseLayerNorm implements FusionRule {

    /** {@code (x - mean) / sqrt(variance + epsilon)}. */
    private record Normal(String x, int axis, double epsilon, List<Integer> parts) {}

    @Override
    public Set<String> needs() {
        return Set.of("Sqrt");
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        Part root = Part.at(position, graph);
        boolean isSum = root.op().equals("Add");
        if (!isSum && (!root.op().equals("Mul") || isShifted(root, graph))) {
            return false;
        }
        for (int side = 0; side < 2; side++) {
            if (isSum) {
                String addends = root.input(1 - side);
                Optional<Part> scaled = Part.making(root.input(side), "Mul", graph);
                if (scaled.isPresent() && rewrite(root, scaled.get(), addends, graph)) {
                    return true;
                }
            } else if (rewrite(root, root, "", graph)) {
                return true;
            }
        }
        return false;
    }

    /** {@return whether a product is all that a constant is added to} */
    private static boolean isShifted(Part product, Rewriting graph) {
        if (!graph.isUsedOnce(product.output())) {
            return false;
        }
        Part user = Part.at(graph.users(product.output()).get(0), graph);
        return user.op().equals("Add")
                && IntStream.range(0, 2)
                        .anyMatch(i -> graph.constant(user.input(i)).isPresent());
    }

    private static boolean rewrite(Part root, Part scaled, String addends, Rewriting graph) {
        for (int side = 0; side < 2; side++) {
            Optional<Normal> found = normal(scaled.input(side), graph);
            if (found.isEmpty()) {
                continue;
            }
            Normal normal = found.get();
            Optional<String> scale = coefficients(scaled.input(1 - side), normal, graph);
            Optional<String> bias = addends.isEmpty() ? Optional.of("") : coefficients(addends, normal, graph);
            if (scale.isEmpty() || bias.isEmpty()) {
                return false;
            }
            List<Integer> parts = new ArrayList<>(normal.parts());
            if (scaled.position() != root.position()) {
                parts.add(scaled.position());
            }
            List<String> inputs =
                    addends.isEmpty() ? List.of(normal.x(), scale.get()) : List.of(normal.x(), scale.get(), bias.get());
            Node node = root.placed().form();
            Node by = new Node(node.name(), "LayerNorm", inputs, node.outputs(), Map.of(), node.source());
            return graph.replace(
                    root.position(),
                    by,
                    Map.of("axis", ExpressionValue.of(normal.axis()), "epsilon", ExpressionValue.of(normal.epsilon())),
                    parts);
        }
        return false;
    }

    private static Optional<Normal> normal(String value, Rewriting graph) {
        Optional<Part> quotient = Part.making(value, "Div", graph);
        Optional<Part> distance = quotient.flatMap(part -> Part.making(part.input(0), "Sub", graph));
        Optional<Part> root = quotient.flatMap(part -> Part.making(part.input(1), "Sqrt", graph));
        Optional<Part> sum = root.flatMap(part -> Part.making(part.input(0), "Add", graph));
        if (distance.isEmpty() || sum.isEmpty()) {
            return Optional.empty();
        }
        String x = distance.get().input(0);
        Optional<Part> mean = Part.making(distance.get().input(1), "Mean", graph)
                .filter(part -> part.input(0).equals(x));
        OptionalDouble first = Part.number(sum.get().input(0), graph);
        OptionalDouble epsilon =
                first.isPresent() ? first : Part.number(sum.get().input(1), graph);
        Optional<Part> variance = Part.making(sum.get().input(first.isPresent() ? 1 : 0), "Mean", graph);
        Optional<Part> square =
                variance.flatMap(part -> square(part.input(0), distance.get().output(), graph));
        if (mean.isEmpty() || square.isEmpty() || epsilon.isEmpty() || epsilon.getAsDouble() < 0) {
            return Optional.empty();
        }
        int rank = graph.type(x).shape().rank();
        int axis = firstAxis(mean.get(), rank);
        if (axis < 0 || axis != firstAxis(variance.orElseThrow(), rank)) {
            return Optional.empty();
        }
        List<Integer> parts = List.of(
                quotient.orElseThrow().position(),
                distance.get().position(),
                root.orElseThrow().position(),
                sum.get().position(),
                mean.get().position(),
                variance.get().position(),
                square.get().position());
        return Optional.of(new Normal(x, axis, epsilon.getAsDouble(), parts));
    }

    private static Optional<Part> square(String value, String of, Rewriting graph) {
        Optional<Part> product = Part.making(value, "Mul", graph)
                .filter(part -> part.input(0).equals(of) && part.input(1).equals(of));
        return product.isPresent()
                ? product
                : Part.making(value, "Pow", graph)
                        .filter(part -> part.input(0).equals(of))
                        .filter(part -> Part.number(part.input(1), graph).orElse(0) == 2);
    }

    /** The first of the last axes over which a mean is taken; -1 where it is another one. */
    private static int firstAxis(Part mean, int rank) {
        long[] reduced = mean.binding().integers("reduced");
        boolean areLast = IntStream.range(0, reduced.length).allMatch(i -> reduced[i] == rank - reduced.length + i);
        return reduced.length > 0 && areLast && mean.binding().flag("keep_dims") ? (int) reduced[0] : -1;
    }

    /** The name of constants with exactly the sizes of what is normalised. */
    private static Optional<String> coefficients(String name, Normal normal, Rewriting graph) {
        Optional<Tensor> constant = graph.constant(name);
        if (constant.isEmpty()) {
            return Optional.empty();
        }
        long[] of = graph.type(normal.x()).shape().sizes();
        long[] row = Arrays.copyOfRange(of, normal.axis(), of.length);
        long[] sizes = constant.get().shape().sizes();
        if (Arrays.equals(sizes, row)) {
            return Optional.of(name);
        }
        int more = sizes.length - row.length;
        boolean fits = more > 0
                && Arrays.stream(sizes, 0, more).allMatch(size -> size == 1)
                && Arrays.equals(Arrays.copyOfRange(sizes, more, sizes.length), row);
        if (!fits) {
            return Optional.empty();
        }
        return graph.folded()
                .reshaped(List.of(name, "without leading axes"), constant.get(), Shape.of(row))
                .filter(graph::add)
                .map(FoldedConstants.Named::name);
    }
}
