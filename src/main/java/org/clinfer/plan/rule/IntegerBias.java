package org.clinfer.plan.rule;

import java.util.List;
import java.util.Optional;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * A constant bias as int32, in units of the product of both scales.
 *
 * @param name the constant; empty where there is none
 */
record IntegerBias(String name, @Nullable Tensor data) {

    static final IntegerBias NONE = new IntegerBias("", null);

    /**
     * The bias of a convolution or a product, one for each output channel or one for all.
     *
     * @param value its name as a value of float32, or empty
     * @return empty where it is not constant, or does not fit int32
     */
    static Optional<IntegerBias> of(String value, QuantizationParameters x, QuantizedWeights weights, Rewriting graph) {
        if (value.isEmpty()) {
            return Optional.of(NONE);
        }
        Optional<Dequantized> dequantized =
                Dequantized.of(value, graph).filter(found -> found.data().isPresent());
        Optional<Tensor> numbers = dequantized.isPresent()
                ? dequantized.get().data()
                : graph.constant(value).filter(known -> known.dtype() == DType.FLOAT32);
        if (numbers.isEmpty() || !isOfChannels(numbers.get(), weights.channels())) {
            return Optional.empty();
        }
        Tensor stored = numbers.get();
        TensorType type = new TensorType(DType.INT32, stored.shape());
        List<String> key =
                List.of(value, "in units of", x.scale(), weights.steps().scale());
        return graph.folded()
                .of(key, type, () -> units(stored, dequantized.map(Dequantized::steps), x, weights.steps(), type))
                .filter(graph::add)
                .map(named -> new IntegerBias(named.name(), named.tensor()));
    }

    private static boolean isOfChannels(Tensor bias, int channels) {
        long[] sizes = bias.shape().sizes();
        return bias.elements() == 1 || (bias.elements() == channels && sizes[sizes.length - 1] == channels);
    }

    private static Optional<Tensor> units(
            Tensor stored,
            Optional<QuantizationParameters> dequantized,
            QuantizationParameters x,
            QuantizationParameters weights,
            TensorType type) {
        Tensor units = Tensor.allocate(type);
        boolean isPerChannel = stored.elements() > 1;
        if (!isPerChannel && !weights.isOne()) {
            return Optional.empty();
        }
        for (int i = 0; i < stored.elements(); i++) {
            int channel = i;
            double number = dequantized
                    .map(steps -> (stored.getDouble(channel) - steps.zero(channel)) * (double) steps.scale(channel))
                    .orElseGet(() -> stored.getDouble(channel));
            double rounded = Math.rint(number / ((double) x.scale(0) * weights.scale(channel)));
            if (!(Math.abs(rounded) < Integer.MAX_VALUE)) {
                return Optional.empty();
            }
            units.setDouble(i, rounded);
        }
        return Optional.of(units);
    }

    long units(int channel) {
        return data == null ? 0 : data.getLong(data.elements() == 1 ? 0 : channel);
    }
}
