package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.DoubleStream;
import org.clinfer.describe.OpDescription;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.graph.Node;

/**
 * Removes DequantizeLinear and QuantizeLinear of one scale and zero point around operators that only move elements: they
 * move the quantized values.
 *
 * <pre>
 * a = DequantizeLinear(x);  b = Transpose(a);  y = QuantizeLinear(b)
 * y = Transpose(x)
 * </pre>
 *
 * <p>What {@linkplain OpDescription#moves moves} elements or selects among them: the maximum of real values is
 * that of their quantized values, and Concat takes several inputs of one scale. The value of a padding is quantized. y is
 * the same, because a dequantized value is quantized to where it came from.
 */
final class MoveQuantizedValues implements FusionRule {

    /** The border that it fills is no element of its input, and becomes a quantized value besides. */
    private static final String PAD = "Pad";

    @Override
    public Set<String> needs() {
        return Quantized.ENDS;
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        Part move = Part.at(position, graph);
        OpDescription op = move.placed().node().op();
        if ((!op.moves() && !isPad(move))
                || move.placed().node().node().outputs().size() != 1) {
            return false;
        }
        Optional<Quantized> y =
                Quantized.of(move.output(), graph).filter(end -> end.parts().size() == 1);
        if (y.isEmpty()) {
            return false;
        }
        List<String> inputs = new ArrayList<>();
        List<Integer> parts = new ArrayList<>(y.get().parts());
        Set<Integer> moved = op.moved();
        for (int i = 0; i < move.inputs(); i++) {
            int declared = Math.min(i, op.inputs().size() - 1);
            String value = op.inputs().get(declared).value() ? "" : move.input(i);
            if (value.isEmpty() || !moved.contains(declared)) {
                inputs.add(value);
                continue;
            }
            Optional<Dequantized> x = Dequantized.of(value, graph)
                    .filter(Dequantized::isPlain)
                    .filter(found -> found.steps().isSame(y.get().steps()));
            if (x.isEmpty()) {
                return false;
            }
            inputs.add(x.get().quantized());
            x.get().own(value, graph).filter(at -> !parts.contains(at)).ifPresent(parts::add);
        }
        while (inputs.get(inputs.size() - 1).isEmpty()) {
            inputs.remove(inputs.size() - 1);
        }
        Node by = move.placed().as(move.op(), inputs, List.of(y.get().quantized()));
        return graph.takeOver(position, by, params(move, y.get().steps(), graph), parts, taken -> true);
    }

    /** {@return whether it has a border of numbers; what a NaN is as a code, only its node says} */
    private static boolean isPad(Part move) {
        return move.op().equals(PAD)
                && DoubleStream.of(move.binding().reals("real_constants")).noneMatch(Double::isNaN);
    }

    /** As they are, but for what shapes and numbers decide: those of y, and their quantized values. */
    private static Map<String, ExpressionValue> params(Part move, QuantizationParameters steps, Rewriting graph) {
        if (move.op().equals("Reshape")) {
            long[] sizes = graph.type(move.output()).shape().sizes();
            List<ExpressionValue> shape = new ArrayList<>();
            for (long size : sizes) {
                shape.add(ExpressionValue.of(size));
            }
            return Map.of("shape", ExpressionValue.list(shape), "allow_zero", ExpressionValue.of(true));
        }
        Map<String, ExpressionValue> params = new HashMap<>(move.binding().params());
        if (move.op().equals(PAD)) {
            double[] numbers = move.binding().reals("real_constants");
            List<ExpressionValue> border = DoubleStream.of(numbers)
                    .mapToObj(number -> ExpressionValue.of((double) steps.saturated(number)))
                    .toList();
            params.remove("constant_value");
            params.put("constant_values", ExpressionValue.list(border));
        }
        return params;
    }
}
