package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.describe.Binding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;

/**
 * The quantized bytes, of one scale, that are the only use of a float32 value, perhaps after an activation that cuts it to
 * the range that they have themselves.
 *
 * @param parts the positions of the nodes from the value to the quantized values
 * @param codes the name of the quantized values
 */
record Quantized(List<Integer> parts, String codes, QuantizationParameters steps) {

    private static final int LONGEST = 4;

    static Optional<Quantized> of(String value, Rewriting graph) {
        List<Part> cuts = new ArrayList<>();
        String last = value;
        for (int i = 0; i < LONGEST && graph.isUsedOnce(last); i++) {
            Part next = Part.at(graph.users(last).get(0), graph);
            if (next.op().equals("QuantizeLinear")) {
                return next.input(0).equals(last) ? ending(cuts, next, graph) : Optional.empty();
            }
            if (!isCut(next)) {
                return Optional.empty();
            }
            cuts.add(next);
            last = next.output();
        }
        return Optional.empty();
    }

    private static Optional<Quantized> ending(List<Part> cuts, Part end, Rewriting graph) {
        TensorType type = graph.type(end.output());
        boolean isSingle = graph.type(end.input(0)).dtype() == DType.FLOAT32
                && end.binding().text("precision").equals("float32");
        List<Integer> parts = new ArrayList<>(cuts.stream().map(Part::position).toList());
        parts.add(end.position());
        return QuantizationParameters.of(type.dtype(), end, graph)
                .filter(steps -> isSingle && steps.isOfBytes() && steps.isOne())
                .filter(steps -> cuts.stream().allMatch(cut -> covers(steps, cut)))
                .map(steps -> new Quantized(parts, end.output(), steps));
    }

    private static boolean isCut(Part part) {
        return part.op().equals("Relu")
                || part.op().equals("Relu6")
                || part.op().equals("Clip");
    }

    /** Whether the codes reach no further than what is cut off, so that they saturate where it cuts. */
    private static boolean covers(QuantizationParameters steps, Part cut) {
        Binding binding = cut.binding();
        boolean isClip = cut.op().equals("Clip");
        double low = isClip ? binding.real("low") : 0;
        double high = isClip ? binding.real("high") : cut.op().equals("Relu6") ? 6 : Double.POSITIVE_INFINITY;
        return low <= high && steps.code(low) <= steps.lowest() && steps.code(high) >= steps.highest();
    }

    /** The name of the zero point, which is made where it is left out; empty where there is no memory for it. */
    Optional<String> zero(Rewriting graph) {
        return steps.zero().isEmpty() ? QuantizedConstants.zero(steps.type(), graph) : Optional.of(steps.zero());
    }
}
