package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.graph.Node;

/**
 * Fuses DequantizeLinear, Add and QuantizeLinear into one quantized addition.
 *
 * <pre>
 * a = DequantizeLinear(x);  b = DequantizeLinear(z);  c = Add(a, b);  d = Relu(c);  y = QuantizeLinear(d)
 * y = QuantizedAdd(x, z)
 * </pre>
 *
 * <p>y differs by one quantization step at most. Not where scales are computed, where an activation cuts more than the range of
 * the quantized type,
 * or where shapes differ, for which there is no fast kernel.
 */
final class FuseQdqAdd implements FusionRule {

    @Override
    public Set<String> needs() {
        return Quantized.ENDS;
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        Part sum = Part.at(position, graph);
        if (!sum.op().equals("Add")) {
            return false;
        }
        Optional<Dequantized> left = Dequantized.of(sum.input(0), graph).filter(Dequantized::isPlain);
        Optional<Dequantized> right = Dequantized.of(sum.input(1), graph).filter(Dequantized::isPlain);
        Optional<Quantized> end =
                left.isPresent() && right.isPresent() ? Quantized.of(sum.output(), graph) : Optional.empty();
        Optional<String> zero = end.flatMap(quantized -> quantized.zero(graph));
        if (zero.isEmpty()
                || !graph.type(left.get().quantized())
                        .equals(graph.type(right.get().quantized()))) {
            return false;
        }
        Quantized y = end.get();
        Dequantized a = left.get();
        Dequantized b = right.get();
        List<String> inputs = List.of(
                a.quantized(),
                b.quantized(),
                a.steps().zero(),
                b.steps().zero(),
                a.steps().scale(),
                b.steps().scale(),
                y.steps().scale(),
                zero.get());
        Node by = sum.placed().as("QuantizedAdd", inputs, List.of(y.quantized()));
        List<Integer> parts = new ArrayList<>(y.parts());
        a.own(sum.input(0), graph).ifPresent(parts::add);
        b.own(sum.input(1), graph).filter(at -> !parts.contains(at)).ifPresent(parts::add);
        return graph.takeOver(position, by, Map.of(), parts, taken -> IntegerProduct.pays(sum.placed(), taken));
    }
}
