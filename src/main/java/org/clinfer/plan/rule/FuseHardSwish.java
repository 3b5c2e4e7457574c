package org.clinfer.plan.rule;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.graph.ActivationFunction.Bounds;
import org.clinfer.tensor.DType;

/**
 * Fuses HardSigmoid and the Mul with its input into HardSwish, which a convolution may then take; or the parts of both, as
 * exporters wrote them before their formats had these operators.
 *
 * <pre>
 * s = HardSigmoid(x) {alpha: 1/6, beta: 0.5};  y = Mul(x, s)
 * c = Clip(Add(x, 3)) {min: 0, max: 6};  y = Mul(x, Div(c, 6))
 * y = HardSwish(x)
 * </pre>
 *
 * <p>The division may follow the product, and may be a product with 1/6. Not where anything else uses what is between, or
 * where the line is another one.
 */
final class FuseHardSwish implements FusionRule {

    private static final double SIXTH = 1.0 / 6;

    private static final Bounds TO_SIX = new Bounds(0, 6);

    @Override
    public Set<String> needs() {
        return Set.of("HardSigmoid", "Clip", "Relu6");
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        Part root = Part.at(position, graph);
        Optional<PartsOf> found = PartsOf.gating(root, FuseHardSwish::line, graph)
                .or(() -> sixth(root, graph)
                        .flatMap(value -> Part.making(value, "Mul", graph))
                        .flatMap(product -> PartsOf.gating(product, FuseHardSwish::clipped, graph)
                                .map(parts -> parts.then(product))));
        return found.filter(parts -> graph.replace(
                        position, root.placed().as("HardSwish", List.of(parts.value())), Map.of(), parts.parts()))
                .isPresent();
    }

    /** The hard sigmoid that is a line of {@code x / 6 + 1 / 2}, or its parts. */
    private static Optional<PartsOf> line(String value, Rewriting graph) {
        Optional<Part> sigmoid = Part.making(value, "HardSigmoid", graph);
        if (sigmoid.isPresent()) {
            DType type = graph.type(value).dtype();
            return sigmoid.filter(part -> Part.isNear(part.binding().real("alpha"), SIXTH, type)
                            && Part.isNear(part.binding().real("beta"), 0.5, type))
                    .map(part -> PartsOf.of(part.input(0), part));
        }
        return Part.making(value, graph)
                .flatMap(part -> sixth(part, graph)
                        .flatMap(whole -> clipped(whole, graph))
                        .map(found -> found.then(part)));
    }

    /** The value that a node divides by 6. */
    private static Optional<String> sixth(Part part, Rewriting graph) {
        return switch (part.op()) {
            case "Div" -> part.beside(6, graph);
            case "Mul" ->
                part.scalars(graph)
                        .filter(by -> Part.isNear(
                                by.number(), SIXTH, graph.type(part.output()).dtype()))
                        .map(Part.Scalar::other)
                        .findFirst();
            default -> Optional.empty();
        };
    }

    /** The parts of {@code clip(x + 3, 0, 6)}. */
    private static Optional<PartsOf> clipped(String value, Rewriting graph) {
        return Part.making(value, graph)
                .filter(part -> PlainActivation.bounds(part.placed()).equals(Optional.of(TO_SIX)))
                .flatMap(clip -> Part.making(clip.input(0), "Add", graph)
                        .flatMap(sum ->
                                sum.beside(3, graph).map(x -> PartsOf.of(x, sum).then(clip))));
    }
}
