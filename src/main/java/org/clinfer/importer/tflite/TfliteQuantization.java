package org.clinfer.importer.tflite;

import java.util.Arrays;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/**
 * The real numbers that a quantized tensor stands for: {@code scale * (q - zero point)}, with one of each for the whole tensor
 * or for each index of an axis.
 */
final class TfliteQuantization {

    private final float[] scales;
    private final long[] zeros;
    private final int axis;

    /** @param axis of the scales, where there are several */
    TfliteQuantization(float[] scales, long[] zeros, int axis) {
        this.scales = scales;
        this.zeros = zeros;
        this.axis = axis;
    }

    float[] scales() {
        return scales;
    }

    long[] zeros() {
        return zeros;
    }

    int axis() {
        return axis;
    }

    /** {@return whether one scale is for the whole tensor} */
    boolean isWhole() {
        return scales.length == 1;
    }

    float scale() {
        return scales[0];
    }

    long zero(int index) {
        return zeros.length == 0 ? 0 : zeros[zeros.length == 1 ? 0 : index];
    }

    boolean hasZeros() {
        return Arrays.stream(zeros).anyMatch(zero -> zero != 0);
    }

    /** {@return whether quantized numbers of the one stand for the same as those of the other; of one scale each} */
    boolean isSame(TfliteQuantization other) {
        return isWhole() && other.isWhole() && scale() == other.scale() && zero(0) == other.zero(0);
    }

    /** The scales as a constant: a scalar, or a vector. */
    Tensor scaleTensor() {
        return Tensor.of(scales, sizes());
    }

    /** The zero points as a constant of a type: as many as there are scales. */
    Tensor zeroTensor(DType type) {
        Tensor tensor = Tensor.allocate(type, sizes());
        for (int i = 0; i < scales.length; i++) {
            tensor.setLong(i, zero(i));
        }
        return tensor;
    }

    private long[] sizes() {
        return isWhole() ? Shape.SCALAR.sizes() : new long[] {scales.length};
    }

    /** The quantized number that stands for a real one, within the bounds of its type. */
    long quantized(double real, DType type) {
        double code = Math.rint(real / scale()) + zero(0);
        return (long) Math.max((double) lowest(type), Math.min((double) highest(type), code));
    }

    static long lowest(DType type) {
        return type == DType.UINT8 ? 0 : -(1L << (type.bits() - 1));
    }

    static long highest(DType type) {
        return type == DType.UINT8 ? 255 : (1L << (type.bits() - 1)) - 1;
    }
}
