package org.clinfer.cpu.quantized;

import org.clinfer.cpu.elements.Epilogue;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The conversion of sums of products of quantized values: to int32 as they are, to real numbers by the scales of both
 * factors, or to quantized values of another scale.
 */
@SuppressWarnings("ArrayRecordComponent")
record Requantization(DType dtype, float[] multipliers, long zero) {

    /**
     * Of scales of which each has one element for all or one for each of {@code count} channels.
     *
     * @param scales the two factors' and the result's, none for results of int32, the first two for real numbers
     */
    static Requantization of(Tensor output, @Nullable Tensor[] scales, @Nullable Tensor zeroPoint, int count) {
        Tensor left = scales[0];
        Tensor right = scales[1];
        if (left == null || right == null) {
            return new Requantization(output.dtype(), new float[0], 0);
        }
        Tensor result = scales[2];
        float[] multipliers = new float[count];
        for (int i = 0; i < count; i++) {
            float product = element(left, i) * element(right, i);
            multipliers[i] = result == null ? product : product / element(result, i);
        }
        return new Requantization(output.dtype(), multipliers, zeroPoint == null ? 0 : zeroPoint.getLong(0));
    }

    private static float element(Tensor scale, int index) {
        return (float) scale.getDouble(scale.elements() == 1 ? 0 : index);
    }

    /** {@code round(value) + zero}, half to even; a NaN is {@code zero}. */
    static long quantized(float value, long zero) {
        return (int) Math.rint(value) + zero;
    }

    /**
     * Stores the sums of a stretch from {@code sums[at]} on.
     *
     * @param kernels loops in vectors, or null for plain ones
     */
    void store(int[] sums, int at, TypedMemory to, Epilogue.Stretch stretch, @Nullable VectorKernels kernels) {
        int count = stretch.count();
        if (multipliers.length == 0) {
            to.storeInts(stretch.element(), stretch.step(), count, sums, at);
            return;
        }
        float[] reals = reals(sums, at, stretch, kernels);
        if (dtype.isFloating()) {
            to.store(stretch.element(), stretch.step(), count, reals, 0);
            return;
        }
        if (dtype == DType.INT8 || dtype == DType.UINT8) {
            byte[] bytes = new byte[count];
            QuantizedValues.round(reals, 0, count, (int) zero, dtype, bytes, kernels);
            to.storeBytes(stretch.element(), stretch.step(), count, bytes);
            return;
        }
        long[] quantized = new long[count];
        for (int i = 0; i < count; i++) {
            quantized[i] = quantized(reals[i], zero);
        }
        to.store(stretch.element(), stretch.step(), count, quantized, 0);
    }

    private float[] reals(int[] sums, int at, Epilogue.Stretch stretch, @Nullable VectorKernels kernels) {
        int channel = stretch.channel();
        float[] reals = new float[stretch.count()];
        if (kernels != null && stretch.isAlongChannels() && channel + reals.length <= multipliers.length) {
            kernels.scale(sums, at, reals.length, multipliers, channel, reals);
            return reals;
        }
        if (!stretch.isAlongChannels()) {
            float multiplier = multipliers[channel];
            for (int i = 0; i < reals.length; i++) {
                reals[i] = sums[at + i] * multiplier;
            }
            return reals;
        }
        for (int i = 0; i < reals.length; i++) {
            reals[i] = sums[at + i] * multipliers[channel];
            channel = channel + 1 == multipliers.length ? 0 : channel + 1;
        }
        return reals;
    }
}
