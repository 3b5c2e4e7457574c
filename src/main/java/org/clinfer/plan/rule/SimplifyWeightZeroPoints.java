package org.clinfer.plan.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.clinfer.graph.Node;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Removes zero points of weights that are all 0, and replaces equal zero points of all channels by one.
 *
 * <pre>
 * y = QuantizedConv(x, w, bias, x_zero, [0, 0, 0 …])
 * y = QuantizedConv(x, w, bias, x_zero)
 * </pre>
 *
 * <p>Kernels are made for weights with one zero point, and a description looks at few elements only.
 */
final class SimplifyWeightZeroPoints implements FusionRule {

    private static final Set<String> OPERATORS = Set.of("QuantizedConv", "QuantizedMatMul");
    private static final int ZERO_POINT = 4;

    @Override
    public Set<String> needs() {
        return OPERATORS;
    }

    @Override
    public boolean apply(int position, Rewriting graph) {
        Part product = Part.at(position, graph);
        if (!OPERATORS.contains(product.op()) || product.inputs() <= ZERO_POINT) {
            return false;
        }
        String name = product.input(ZERO_POINT);
        Optional<String> one = graph.constant(name)
                .filter(zeros -> zeros.elements() > 0 && areSame(zeros))
                .flatMap(zeros -> one(zeros, graph));
        if (one.isEmpty() || one.get().equals(name)) {
            return false;
        }
        List<String> inputs = new ArrayList<>(product.placed().inputs());
        inputs.set(ZERO_POINT, one.get());
        Node by = product.placed().as(product.op(), inputs);
        return graph.replace(position, by, product.binding().params(), List.of());
    }

    private static boolean areSame(Tensor zeros) {
        for (long i = 1; i < zeros.elements(); i++) {
            if (zeros.getLong(i) != zeros.getLong(0)) {
                return false;
            }
        }
        return true;
    }

    private static Optional<String> one(Tensor zeros, Rewriting graph) {
        long zero = zeros.getLong(0);
        if (zero == 0) {
            return Optional.of("");
        }
        if (zeros.elements() == 1) {
            return Optional.empty();
        }
        TensorType type = TensorType.of(zeros.dtype(), 1);
        List<String> key = List.of("zero point", zeros.dtype().label(), String.valueOf(zero));
        return QuantizedConstants.name(
                graph.folded().of(key, type, () -> {
                    Tensor one = Tensor.allocate(type);
                    one.setDouble(0, (double) zero);
                    return Optional.of(one);
                }),
                graph);
    }
}
