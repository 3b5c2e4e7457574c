package org.clinfer.cpu.quantized;

import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.memory.Operand;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Sums of quantized values of 8 bits as those of another scale. */
final class QuantizedAddition {

    private static final int ZERO_POINT = 2;
    private static final int SCALE = 4;
    private static final int Y_SCALE = 6;
    private static final int Y_ZERO_POINT = 7;

    private QuantizedAddition() {}

    static void run(CpuCall call) {
        Tensor output = call.output();
        Operand a = Operand.of(call.input(0), output.shape());
        Operand b = Operand.of(call.input(1), output.shape());
        TypedMemory to = new TypedMemory(output);
        long aZero = zero(call.optionalInput(ZERO_POINT));
        long bZero = zero(call.optionalInput(ZERO_POINT + 1));
        long yZero = zero(call.input(Y_ZERO_POINT));
        float aFactor = scale(call, SCALE) / scale(call, Y_SCALE);
        float bFactor = scale(call, SCALE + 1) / scale(call, Y_SCALE);
        call.parallel().forRange(Math.toIntExact(output.elements()), Chunks.GRAIN, (first, end) -> {
            long[] left = new long[Math.min(Chunks.SIZE, end - first)];
            long[] right = new long[left.length];
            Chunks.forEach(first, end, (start, count) -> {
                a.load(start, count, left);
                b.load(start, count, right);
                for (int i = 0; i < count; i++) {
                    float sum = Math.fma((float) (right[i] - bZero), bFactor, (left[i] - aZero) * aFactor);
                    left[i] = Requantization.quantized(sum, yZero);
                }
                to.store(start, count, left);
            });
        });
    }

    private static long zero(@Nullable Tensor zeroPoint) {
        return zeroPoint == null ? 0 : zeroPoint.getLong(0);
    }

    private static float scale(CpuCall call, int input) {
        return (float) call.input(input).getDouble(0);
    }
}
