package org.clinfer.cpu.quantized;

import org.clinfer.cpu.elements.Epilogue;
import org.clinfer.cpu.memory.TensorValues;
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
        float[] ofLeft = TensorValues.allFloats(left);
        float[] ofRight = TensorValues.allFloats(right);
        float[] ofResult = scales[2] == null ? new float[] {1} : TensorValues.allFloats(scales[2]);
        float[] multipliers = new float[count];
        for (int i = 0; i < count; i++) {
            multipliers[i] = element(ofLeft, i) * element(ofRight, i) / element(ofResult, i);
        }
        return new Requantization(output.dtype(), multipliers, zeroPoint == null ? 0 : zeroPoint.getLong(0));
    }

    private static float element(float[] scale, int index) {
        return scale[scale.length == 1 ? 0 : index];
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
        if (isOfBytes()) {
            storeBytes(reals, 0, to, stretch, kernels);
            return;
        }
        long[] quantized = new long[count];
        for (int i = 0; i < count; i++) {
            quantized[i] = quantized(reals[i], zero);
        }
        to.store(stretch.element(), stretch.step(), count, quantized, 0);
    }

    /** {@return whether results are quantized values of 8 bits} */
    boolean isOfBytes() {
        return multipliers.length > 0 && (dtype == DType.INT8 || dtype == DType.UINT8);
    }

    /** The same for sums of one channel that floats hold exactly, plus {@code bias}, and results of 8 bits; overwrites the sums. */
    void storeBytes(
            float[] sums,
            int at,
            float bias,
            TypedMemory to,
            Epilogue.Stretch stretch,
            @Nullable VectorKernels kernels) {
        float multiplier = multipliers[stretch.channel()];
        for (int i = at; i < at + stretch.count(); i++) {
            sums[i] = (sums[i] + bias) * multiplier;
        }
        storeBytes(sums, at, to, stretch, kernels);
    }

    private void storeBytes(
            float[] reals, int at, TypedMemory to, Epilogue.Stretch stretch, @Nullable VectorKernels kernels) {
        byte[] bytes = new byte[stretch.count()];
        QuantizedValues.round(reals, at, bytes.length, (int) zero, dtype, bytes, 0, kernels);
        to.storeBytes(stretch.element(), stretch.step(), bytes.length, bytes);
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
