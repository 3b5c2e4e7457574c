package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.clinfer.graph.ActivationFunction.Bounds;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;

/**
 * The quantized bytes, of one scale, that are the only use of a float32 value, perhaps after an activation that cuts it to
 * the range that they have themselves.
 *
 * @param parts the positions of the nodes from the value to the quantized values
 * @param quantized the name of the quantized values
 */
record Quantized(List<Integer> parts, String quantized, QuantizationParameters steps) {

    /** Operators that quantize. */
    static final Set<String> ENDS = Set.of("QuantizeLinear");

    private static final int LONGEST = 4;

    static Optional<Quantized> of(String value, Rewriting graph) {
        List<Integer> parts = new ArrayList<>();
        List<Bounds> cuts = new ArrayList<>();
        String last = value;
        for (int i = 0; i < LONGEST && graph.isUsedOnce(last); i++) {
            Part next = Part.at(graph.users(last).get(0), graph);
            if (ENDS.contains(next.op())) {
                return next.input(0).equals(last) ? ending(parts, cuts, next, graph) : Optional.empty();
            }
            Optional<Bounds> cut = PlainActivation.bounds(next.placed());
            if (cut.isEmpty()) {
                return Optional.empty();
            }
            parts.add(next.position());
            cuts.add(cut.get());
            last = next.output();
        }
        return Optional.empty();
    }

    private static Optional<Quantized> ending(List<Integer> parts, List<Bounds> cuts, Part end, Rewriting graph) {
        TensorType type = graph.type(end.output());
        boolean isSingle = graph.type(end.input(0)).dtype() == DType.FLOAT32
                && end.binding().text("precision").equals("float32");
        parts.add(end.position());
        return QuantizationParameters.of(type.dtype(), end, graph)
                .filter(steps -> isSingle && steps.isOfBytes() && steps.isOne())
                .filter(steps -> cuts.stream().allMatch(cut -> covers(steps, cut)))
                .map(steps -> new Quantized(parts, end.output(), steps));
    }

    /** {@return whether the codes reach no further than what is cut off, so that they saturate where it cuts} */
    private static boolean covers(QuantizationParameters steps, Bounds cut) {
        return cut.low() <= cut.high()
                && steps.code(cut.low()) <= steps.lowest()
                && steps.code(cut.high()) >= steps.highest();
    }

    /** The name of the zero point, which is made where it is left out; empty where there is no memory for it. */
    Optional<String> zero(Rewriting graph) {
        return steps.zero().isEmpty() ? QuantizedConstants.zero(steps.type(), graph) : Optional.of(steps.zero());
    }
}
