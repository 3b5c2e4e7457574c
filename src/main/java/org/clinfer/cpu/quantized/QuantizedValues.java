package org.clinfer.cpu.quantized;

import java.nio.ByteBuffer;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.convolution.Codes;
import org.clinfer.cpu.memory.LongValues;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Quantized values of 8 bits: less their zero points, as floats, in which they are multiplied; and made of real numbers. */
final class QuantizedValues {

    private static final int PIECE = 1024;

    private final ByteBuffer bytes;
    private final int mask;
    private final @Nullable VectorKernels kernels;

    QuantizedValues(Tensor tensor, @Nullable VectorKernels kernels) {
        this.bytes = tensor.bytes();
        this.mask = tensor.dtype().isUnsigned() ? 0xff : -1;
        this.kernels = kernels;
    }

    /** The elements of a small tensor of integers; none of one that was left out. */
    static int[] integers(@Nullable Tensor tensor) {
        long[] wide = LongValues.all(tensor);
        int[] values = new int[wide.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = (int) wide[i];
        }
        return values;
    }

    ByteBuffer bytes() {
        return bytes;
    }

    /** 255 where they are unsigned, else -1. */
    int mask() {
        return mask;
    }

    /** The elements as they are, with one zero point. */
    Codes codes(int zero) {
        return new Codes(bytes, mask, zero);
    }

    /** All elements less their zero point, of which there is one for all, or one for each of {@code parts} equal parts. */
    float[] all(@Nullable Tensor zeroPoint, int parts, Parallel parallel) {
        int[] zeros = integers(zeroPoint);
        int length = bytes.capacity();
        int part = zeros.length > 1 ? length / parts : length;
        float[] values = new float[length];
        parallel.forRange(length, Chunks.GRAIN, (first, end) -> {
            for (int at = first; at < end; ) {
                int index = at / part;
                int count = Math.min(end, (index + 1) * part) - at;
                read(at, count, zeros.length == 0 ? 0 : zeros[index], values, at);
                at += count;
            }
        });
        return values;
    }

    /** Reads {@code count} elements from {@code from} on, less {@code zero}, to {@code to[at]} and those behind it. */
    void read(int from, int count, int zero, float[] to, int at) {
        byte[] piece = new byte[Math.min(PIECE, count)];
        for (int done = 0; done < count; done += PIECE) {
            int length = Math.min(PIECE, count - done);
            bytes.get(from + done, piece, 0, length);
            if (kernels != null) {
                kernels.integers(piece, 0, length, mask, zero, to, at + done);
                continue;
            }
            for (int i = 0; i < length; i++) {
                to[at + done + i] = (piece[i] & mask) - zero;
            }
        }
    }

    /**
     * {@code to[first + i] = round(values[at + i]) + zero} for i below {@code count}, half to even, within what a type of 8 bits
     * holds; a NaN is {@code zero}.
     *
     * @param dtype a type of 8 bits, in which {@code zero} is
     * @param kernels loops in vectors, or null for plain ones
     */
    static void round(
            float[] values,
            int at,
            int count,
            int zero,
            DType dtype,
            byte[] to,
            int first,
            @Nullable VectorKernels kernels) {
        int low = (int) dtype.lowest();
        int high = (int) dtype.highest();
        if (kernels != null) {
            kernels.quantize(values, at, count, zero, low, high, to, first);
            return;
        }
        for (int i = 0; i < count; i++) {
            to[first + i] = (byte) Math.max(low, Math.min(high, Requantization.quantized(values[at + i], zero)));
        }
    }
}
