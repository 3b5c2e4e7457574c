package org.clinfer.plan.rule;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Constant weights of bytes.
 *
 * @param channels output channels, of which each may have a scale and a zero point of its own
 * @param channelStep elements from one channel to the next
 */
record QuantizedWeights(Tensor data, QuantizationParameters steps, int channels, int channelStep) {

    /** Weights whose output channels are an axis. */
    static Optional<QuantizedWeights> of(Dequantized weights, int axis) {
        QuantizationParameters steps = weights.steps();
        Optional<Tensor> data = weights.data().filter(known -> known.elements() > 0);
        if (data.isEmpty() || !steps.isOfBytes() || (!steps.isOne() && steps.axis() != axis)) {
            return Optional.empty();
        }
        long[] sizes = data.get().shape().sizes();
        long step = 1;
        for (int i = axis + 1; i < sizes.length; i++) {
            step *= sizes[i];
        }
        return Optional.of(
                new QuantizedWeights(data.get(), steps, Math.toIntExact(sizes[axis]), Math.toIntExact(step)));
    }

    /** {@return whether no sum of a channel can leave int32, whatever is multiplied} */
    boolean fits(QuantizationParameters x, IntegerBias bias) {
        long[] sums = new long[channels];
        boolean isSigned = data.dtype() == DType.INT8;
        ByteBuffer bytes = data.bytes();
        int length = Math.toIntExact(data.elements());
        for (int start = 0; start < length; start += channelStep) {
            int channel = start / channelStep % channels;
            long zero = steps.zero(channel);
            long sum = 0;
            for (int i = start; i < start + channelStep; i++) {
                sum += Math.abs((isSigned ? bytes.get(i) : bytes.get(i) & 0xff) - zero);
            }
            sums[channel] += sum;
        }
        for (int channel = 0; channel < channels; channel++) {
            if (sums[channel] * x.reach() + Math.abs(bias.units(channel)) > Integer.MAX_VALUE) {
                return false;
            }
        }
        return true;
    }

    /**
     * {@return whether sums of products can be stored as quantized values of {@code y}: what they are multiplied by
     * is a normal number of float32, and at most 1, so that a bias that is rounded to whole sums is wrong by half a
     * step at most}
     */
    boolean scales(QuantizationParameters x, QuantizationParameters y) {
        for (int channel = 0; channel < (steps.isOne() ? 1 : channels); channel++) {
            float product = x.scale(0) * steps.scale(channel);
            float factor = product / y.scale(0);
            if (!(product >= Float.MIN_NORMAL) || !(factor >= Float.MIN_NORMAL) || !(factor <= 1)) {
                return false;
            }
        }
        return true;
    }
}
