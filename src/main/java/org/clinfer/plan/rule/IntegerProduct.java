package org.clinfer.plan.rule;

import java.util.List;
import java.util.Optional;
import org.clinfer.kernel.KernelVariant;
import org.clinfer.place.PlacedNode;

/** Integer products of a quantized value with constant weights, requantized. */
record IntegerProduct(Dequantized x, QuantizationParameters weights, IntegerBias bias, Quantized y, String yZero) {

    /** Empty where sums might leave int32, or scales cannot be applied to them. */
    static Optional<IntegerProduct> of(
            Dequantized x, QuantizedWeights weights, String bias, Quantized y, Rewriting graph) {
        if (!weights.scales(x.steps(), y.steps())) {
            return Optional.empty();
        }
        Optional<IntegerBias> units =
                IntegerBias.of(bias, x.steps(), weights, graph).filter(known -> weights.fits(x.steps(), known));
        Optional<String> zero = y.zero(graph);
        return units.isPresent() && zero.isPresent()
                ? Optional.of(new IntegerProduct(x, weights.steps(), units.get(), y, zero.get()))
                : Optional.empty();
    }

    /** The inputs of QuantizedConv and QuantizedMatMul, in their order. */
    List<String> inputs(String quantizedWeights) {
        return List.of(
                x.quantized(),
                quantizedWeights,
                bias.name(),
                x.steps().zero(),
                weights.plainZero(),
                x.steps().scale(),
                weights.scale(),
                y.steps().scale(),
                yZero);
    }

    /** {@return whether the same device takes both, with a kernel that is made for the integers, or none for the numbers either} */
    static boolean pays(PlacedNode numbers, PlacedNode integers) {
        return numbers.target() == integers.target() && (!isAny(integers) || isAny(numbers));
    }

    private static boolean isAny(PlacedNode node) {
        return node.variant().filter(KernelVariant::isReference).isPresent();
    }
}
