package org.clinfer.cpu.memory;

import java.util.Arrays;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Integer tensors as arrays of longs, in which their sums are exact or wrap. */
public final class LongValues {

    private LongValues() {}

    /** All elements; none of a tensor that was left out. */
    public static long[] all(@Nullable Tensor tensor) {
        return tensor == null ? new long[0] : tensor.toLongArray();
    }

    /** Writes the whole tensor, the low bits of each value, split over the threads. */
    public static void writeAll(long[] values, Tensor tensor, Parallel parallel) {
        TypedMemory memory = new TypedMemory(tensor);
        parallel.forRange(
                values.length,
                Chunks.GRAIN,
                (from, to) -> Chunks.forEach(from, to, (start, count) -> {
                    long[] chunk = Arrays.copyOfRange(values, start, start + count);
                    keepLowBits(chunk, count, tensor.dtype());
                    memory.store(start, count, chunk);
                }));
    }

    /** Wraps values to their type, where it is an integer. */
    public static void keepLowBits(long[] values, int count, DType dtype) {
        if (dtype.isInteger() && dtype.bits() < Long.SIZE) {
            for (int i = 0; i < count; i++) {
                values[i] = dtype.lowBits(values[i]);
            }
        }
    }

    /** Half to even; what no long holds saturates, and a NaN is 0. */
    public static long rounded(double value) {
        return (long) Math.rint(value);
    }

    /** {@code sum / count}, half to even; 0 where nothing was summed. */
    public static long mean(long sum, long count) {
        if (count == 0) {
            return 0;
        }
        long floor = Math.floorDiv(sum, count);
        long rest = sum - floor * count;
        boolean up = rest > count - rest || (rest == count - rest && (floor & 1) != 0);
        return up ? floor + 1 : floor;
    }
}
