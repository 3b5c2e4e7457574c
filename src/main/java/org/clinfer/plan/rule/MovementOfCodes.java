package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.DoubleStream;
import org.clinfer.expr.Value;
import org.clinfer.graph.Node;

/**
 * Moves codes, not numbers, where they are made codes of the same scale and zero point again.
 *
 * <pre>
 * a = DequantizeLinear(x);  b = Transpose(a);  y = QuantizeLinear(b)
 * y = Transpose(x)
 * </pre>
 *
 * <p>What moves elements or selects among them: a maximum of numbers is that of their codes, and Concat takes several of one
 * scale. Padding becomes the code of its number. y is the same, because a number that a code stands for is no other code.
 */
final class MovementOfCodes implements Rule {

    private static final Set<String> OF_ONE = Set.of(
            "Reshape",
            "Flatten",
            "Squeeze",
            "Unsqueeze",
            "Transpose",
            "Slice",
            "MaxPool",
            "Tile",
            "Expand",
            "Reorg",
            "Pad");
    private static final String JOIN = "Concat";

    @Override
    public boolean apply(int position, Rewriting graph) {
        Part move = Part.at(position, graph);
        boolean joins = move.op().equals(JOIN);
        if (!joins && !OF_ONE.contains(move.op())) {
            return false;
        }
        List<String> moved = joins ? move.placed().node().node().inputs() : List.of(move.input(0));
        Optional<Quantized> y =
                Quantized.of(move.output(), graph).filter(end -> end.parts().size() == 1);
        if (y.isEmpty()) {
            return false;
        }
        List<String> codes = new ArrayList<>();
        List<Integer> parts = new ArrayList<>(y.get().parts());
        for (String value : moved) {
            Optional<Dequantized> x = Dequantized.of(value, graph)
                    .filter(Dequantized::isPlain)
                    .filter(found -> found.steps().isSame(y.get().steps()));
            if (x.isEmpty()) {
                return false;
            }
            codes.add(x.get().codes());
            x.get().own(value, graph).filter(at -> !parts.contains(at)).ifPresent(parts::add);
        }
        Node node = move.placed().node().node();
        Node by = new Node(node.name(), node.op(), codes, List.of(y.get().codes()), Map.of(), node.source());
        return graph.takeOver(position, by, params(move, y.get().steps(), graph), parts, taken -> true);
    }

    /** As they are, but for what shapes and numbers decide: those of y, and their codes. */
    private static Map<String, Value> params(Part move, Steps steps, Rewriting graph) {
        if (move.op().equals("Reshape")) {
            long[] sizes = graph.type(move.output()).shape().sizes();
            List<Value> shape = new ArrayList<>();
            for (long size : sizes) {
                shape.add(Value.of(size));
            }
            return Map.of("shape", Value.list(shape), "allow_zero", Value.of(true));
        }
        Map<String, Value> params = new HashMap<>(move.binding().params());
        if (move.op().equals("Pad")) {
            double[] numbers = move.binding().reals("real_constants");
            List<Value> border = DoubleStream.of(numbers)
                    .mapToObj(number -> Value.of((double) steps.saturated(number)))
                    .toList();
            params.put("constant_values", Value.list(border));
        }
        return params;
    }
}
