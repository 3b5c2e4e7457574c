package org.clinfer.cpu.memory;

import java.util.Arrays;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Integer tensors as arrays of longs, in which their sums are exact. */
public final class LongValues {

    private LongValues() {}

    /** All elements; none of a tensor that was left out. */
    public static long[] all(@Nullable Tensor tensor) {
        return tensor == null ? new long[0] : tensor.toLongArray();
    }

    /** Writes the whole tensor, saturated to its type, split over the threads. */
    public static void writeAll(long[] values, Tensor tensor, Parallel parallel) {
        TypedMemory memory = new TypedMemory(tensor);
        parallel.forRange(
                values.length,
                Chunks.GRAIN,
                (from, to) -> Chunks.forEach(
                        from,
                        to,
                        (start, count) ->
                                memory.store(start, count, Arrays.copyOfRange(values, start, start + count))));
    }

    /** Half to even; what no long holds saturates, and a NaN is 0. */
    public static long rounded(double value) {
        return (long) Math.rint(value);
    }

    /** {@code sum / count}, half to even. */
    public static long mean(long sum, long count) {
        long floor = Math.floorDiv(sum, count);
        long rest = sum - floor * count;
        boolean up = rest > count - rest || (rest == count - rest && (floor & 1) != 0);
        return up ? floor + 1 : floor;
    }
}
