package org.clinfer.plan.rule;

import java.util.Optional;
import org.clinfer.describe.Binding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * The quantization parameters of a value, as constants: scale and zero point, for the whole tensor or for each index of an axis.
 *
 * @param type of the quantized values
 * @param scale the name of the scale
 * @param zero the name of the zero point; empty where it is left out and so 0
 * @param axis of the scales where there are several, else 0
 */
record QuantizationParameters(DType type, String scale, Tensor scales, String zero, Optional<Tensor> zeros, int axis) {

    private static final float LARGEST = 0x1p100f;

    /** Of a use of QuantizeLinear or DequantizeLinear; empty where it is not constant, in blocks, or not of float32. */
    static Optional<QuantizationParameters> of(DType type, Part use, Rewriting graph) {
        return of(type, use.binding(), use.input(1), use.inputs() > 2 ? use.input(2) : "", graph);
    }

    static Optional<QuantizationParameters> of(
            DType type, Binding binding, String scale, String zero, Rewriting graph) {
        Optional<Tensor> scales = graph.constant(scale).filter(QuantizationParameters::areNumbers);
        Optional<Tensor> zeros = graph.constant(zero);
        if (scales.isEmpty() || (zeros.isEmpty() && !zero.isEmpty()) || binding.integer("block_size") != 0) {
            return Optional.empty();
        }
        int axis = Math.toIntExact(binding.integer("along"));
        return Optional.of(new QuantizationParameters(type, scale, scales.get(), zero, zeros, axis));
    }

    /** {@return whether no number that a quantized value of a byte stands for leaves the normal numbers of float32} */
    private static boolean areNumbers(Tensor scales) {
        for (long i = 0; i < scales.elements(); i++) {
            float scale = (float) scales.getDouble(i);
            if (!(scale >= Float.MIN_NORMAL) || scale > LARGEST) {
                return false;
            }
        }
        return scales.elements() > 0;
    }

    boolean isOfBytes() {
        return type == DType.INT8 || type == DType.UINT8;
    }

    boolean isOne() {
        return scales.elements() == 1;
    }

    float scale(int channel) {
        return (float) scales.getDouble(isOne() ? 0 : channel);
    }

    long zero(int channel) {
        return zeros.map(known -> known.getLong(known.elements() == 1 ? 0 : channel))
                .orElse(0L);
    }

    /** The name of the zero point, or empty where that changes nothing. */
    String plainZero() {
        for (long i = 0; i < zeros.map(Tensor::elements).orElse(0L); i++) {
            if (zeros.get().getLong(i) != 0) {
                return zero;
            }
        }
        return "";
    }

    long lowest() {
        return type == DType.INT8 ? Byte.MIN_VALUE : 0;
    }

    long highest() {
        return type == DType.INT8 ? Byte.MAX_VALUE : 255;
    }

    /** The largest distance of a quantized value of a byte from the zero point. */
    long reach() {
        return Math.max(zero(0) - lowest(), highest() - zero(0));
    }

    /** The quantized value of a number, without bounds. */
    double code(double value) {
        return Math.rint((float) value / scale(0)) + zero(0);
    }

    /** The quantized value of a number. */
    long saturated(double value) {
        return (long) Math.max((double) lowest(), Math.min((double) highest(), code(value)));
    }

    /** {@return whether quantized values of the one are those of the other; of one scale each} */
    boolean isSame(QuantizationParameters other) {
        return isOne() && other.isOne() && type == other.type && scale(0) == other.scale(0) && zero(0) == other.zero(0);
    }
}
