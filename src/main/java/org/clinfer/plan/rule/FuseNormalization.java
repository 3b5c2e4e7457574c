package org.clinfer.plan.rule;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/**
 * Fuses the nodes that exporters write for a layer normalization, and for one by the root of the mean square alone.
 *
 * <pre>
 * d = Sub(x, Mean(x));  s = Sqrt(Add(Mean(Pow(d, 2)), e));  y = Add(Mul(Div(d, s), w), b)
 * y = LayerNorm(x, w, b) {epsilon: e}
 * r = Reciprocal(Sqrt(Add(Mean(Pow(x, 2)), e)));  y = Mul(Mul(x, r), w)
 * y = RmsNorm(x, w) {epsilon: e}
 * </pre>
 *
 * <p>The square may be a product. The quotient may be a product with a reciprocal, with 1 divided by the root, or with a
 * power of -0.5. All means are over the last axes, which they keep; the factors, and the addends of a layer normalization if
 * there are any, are constants with the sizes of these axes. In a network of 16-bit floats there may be Casts to float32 and back around the quotient. Not
 * where anything else uses what is between.
 */
final class FuseNormalization implements FusionRule {

    /** {@code x / sqrt(mean square + epsilon)}, or the same of the distances from the mean. */
    private record Normal(PartsOf of, boolean isCentred, int axis, double epsilon) {

        String x() {
            return of.value();
        }

        Normal with(PartsOf other) {
            return new Normal(other, isCentred, axis, epsilon);
        }
    }

    @Override
    public Set<String> needs() {
        return Set.of("Sqrt", "Pow");
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        Part root = Part.at(position, graph);
        if (root.op().equals("Mul")) {
            return rewrite(root, root, "", graph);
        }
        return root.op().equals("Add")
                && root.operands()
                        .anyMatch(term -> Part.making(term.value(), "Mul", graph)
                                .filter(scaled -> rewrite(root, scaled, term.other(), graph))
                                .isPresent());
    }

    /** {@return whether a product is all that addends of a layer normalization are added to} */
    private static boolean isShifted(Part product, Normal normal, Rewriting graph) {
        if (!graph.isUsedOnce(product.output())) {
            return false;
        }
        Part user = Part.at(graph.users(product.output()).get(0), graph);
        return user.op().equals("Add")
                && user.operands()
                        .anyMatch(term ->
                                coefficients(term.value(), normal, graph).isPresent());
    }

    private static boolean rewrite(Part root, Part scaled, String addends, Rewriting graph) {
        return scaled.operands()
                .flatMap(factor -> normal(factor.value(), graph)
                        .or(() -> widened(factor.value(), graph))
                        .map(normal -> rewrite(root, scaled, normal, factor.other(), addends, graph))
                        .stream())
                .findFirst()
                .orElse(false);
    }

    private static boolean rewrite(
            Part root, Part scaled, Normal normal, String factors, String addends, Rewriting graph) {
        boolean isShifted = !addends.isEmpty();
        Optional<String> scale = coefficients(factors, normal, graph);
        Optional<String> bias = isShifted ? coefficients(addends, normal, graph) : Optional.of("");
        boolean isWhole = normal.isCentred() ? isShifted || !isShifted(root, normal, graph) : !isShifted;
        if (scale.isEmpty() || bias.isEmpty() || !isWhole) {
            return false;
        }
        PartsOf parts =
                scaled.position() == root.position() ? normal.of() : normal.of().then(scaled);
        List<String> inputs =
                isShifted ? List.of(normal.x(), scale.get(), bias.get()) : List.of(normal.x(), scale.get());
        String op = normal.isCentred() ? "LayerNorm" : "RmsNorm";
        Node by = root.placed().as(op, inputs);
        return graph.replace(
                root.position(),
                by,
                Map.of("axis", ExpressionValue.of(normal.axis()), "epsilon", ExpressionValue.of(normal.epsilon())),
                parts.parts());
    }

    /** The same in float32 of a network of 16-bit floats, to which the operator rounds as well. */
    private static Optional<Normal> widened(String value, Rewriting graph) {
        return Part.making(value, "Cast", graph)
                .flatMap(narrow -> normal(narrow.input(0), graph)
                        .map(normal -> normal.with(normal.of().then(narrow))))
                .flatMap(normal -> Part.making(normal.x(), "Cast", graph)
                        .filter(wide -> graph.type(wide.output()).dtype() == DType.FLOAT32)
                        .filter(wide -> graph.type(wide.input(0)).equals(graph.type(value)))
                        .map(wide -> normal.with(
                                (isOfParts(normal.of(), graph) ? normal.of().then(wide) : normal.of())
                                        .from(wide.input(0)))));
    }

    /** {@return whether nothing but its parts uses a value} */
    private static boolean isOfParts(PartsOf of, Rewriting graph) {
        return !graph.isOutput(of.value()) && of.parts().containsAll(graph.users(of.value()));
    }

    private static Optional<Normal> normal(String value, Rewriting graph) {
        Optional<Part> quotient = Part.making(value, "Div", graph);
        if (quotient.isPresent()) {
            return root(quotient.get().input(1), graph)
                    .flatMap(root -> quotient(quotient.get().input(0), root.then(quotient.get()), graph));
        }
        return Part.making(value, "Mul", graph)
                .flatMap(product -> product.operands()
                        .flatMap(
                                x -> inverseRoot(x.other(), graph)
                                        .flatMap(root -> quotient(x.value(), root.then(product), graph))
                                        .stream())
                        .findFirst());
    }

    private static Optional<PartsOf> root(String value, Rewriting graph) {
        return Part.making(value, "Sqrt", graph).map(part -> PartsOf.of(part.input(0), part));
    }

    private static Optional<PartsOf> inverseRoot(String value, Rewriting graph) {
        return Part.making(value, "Reciprocal", graph)
                .flatMap(part -> root(part.input(0), graph).map(root -> root.then(part)))
                .or(() -> Part.making(value, "Div", graph)
                        .filter(part -> Part.number(part.input(0), graph).orElse(0) == 1)
                        .flatMap(part -> root(part.input(1), graph).map(root -> root.then(part))))
                .or(() -> Part.making(value, "Pow", graph)
                        .flatMap(part -> part.beside(-0.5, graph).map(base -> PartsOf.of(base, part))));
    }

    /** @param root the sum of the mean square and of epsilon, and what has been found of it */
    private static Optional<Normal> quotient(String divided, PartsOf root, Rewriting graph) {
        int rank = graph.type(divided).shape().rank();
        return Part.making(root.value(), "Add", graph)
                .flatMap(sum -> sum.scalars(graph)
                        .findFirst()
                        .filter(epsilon -> epsilon.number() >= 0)
                        .flatMap(epsilon -> Part.making(epsilon.other(), "Mean", graph)
                                .flatMap(variance -> square(variance.input(0), divided, graph)
                                        .map(square -> root.then(sum, variance, square))
                                        .map(parts -> new Normal(
                                                parts.from(divided),
                                                false,
                                                firstAxis(variance, rank),
                                                epsilon.number())))))
                .filter(normal -> normal.axis() >= 0)
                .map(normal -> centred(normal, graph).orElse(normal));
    }

    /** The layer normalization, where what is divided are distances from the mean. */
    private static Optional<Normal> centred(Normal normal, Rewriting graph) {
        int rank = graph.type(normal.x()).shape().rank();
        return Part.making(normal.x(), "Sub", graph)
                .flatMap(distance -> Part.making(distance.input(1), "Mean", graph)
                        .filter(mean ->
                                mean.input(0).equals(distance.input(0)) && firstAxis(mean, rank) == normal.axis())
                        .map(mean -> normal.of().then(distance, mean).from(mean.input(0))))
                .map(parts -> new Normal(parts, true, normal.axis(), normal.epsilon()));
    }

    private static Optional<Part> square(String value, String of, Rewriting graph) {
        Optional<Part> product = Part.making(value, "Mul", graph)
                .filter(part -> part.input(0).equals(of) && part.input(1).equals(of));
        return product.isPresent()
                ? product
                : Part.making(value, "Pow", graph)
                        .filter(part -> part.beside(2, graph).equals(Optional.of(of)));
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
