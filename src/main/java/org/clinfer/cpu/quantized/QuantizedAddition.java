package org.clinfer.cpu.quantized;

import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.Operand;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Sums of quantized values of 8 bits as those of another scale. */
final class QuantizedAddition implements CpuOperator {

    private static final int ZERO_POINT = 2;
    private static final int SCALE = 4;
    private static final int Y_SCALE = 6;
    private static final int Y_ZERO_POINT = 7;

    private final @Nullable VectorKernels kernels;

    QuantizedAddition(CpuPath path) {
        this.kernels = path.kernels();
    }

    @Override
    public void run(CpuCall call) {
        Tensor output = call.output();
        Term a = Term.of(call, 0, kernels);
        Term b = Term.of(call, 1, kernels);
        TypedMemory to = new TypedMemory(output);
        float zeros = zeroOf(call.input(Y_ZERO_POINT)) - Math.fma(a.factor, a.zero, b.factor * b.zero);
        call.parallel().forRange(Math.toIntExact(output.elements()), Chunks.GRAIN, (first, end) -> {
            float[] left = new float[Math.min(Chunks.SIZE, end - first)];
            float[] right = new float[left.length];
            byte[] sums = new byte[left.length];
            Chunks.forEach(first, end, (start, count) -> {
                a.load(start, count, left);
                b.load(start, count, right);
                add(left, a.factor, right, b.factor, zeros, count);
                QuantizedValues.round(left, 0, count, 0, output.dtype(), sums, 0, kernels);
                to.storeBytes(start, 1, count, sums);
            });
        });
    }

    private static void add(float[] left, float leftFactor, float[] right, float rightFactor, float zeros, int count) {
        for (int i = 0; i < count; i++) {
            left[i] = Math.fma(left[i], leftFactor, Math.fma(right[i], rightFactor, zeros));
        }
    }

    private static int zeroOf(@Nullable Tensor zeroPoint) {
        return zeroPoint == null ? 0 : (int) zeroPoint.getLong(0);
    }

    /** One of the two. */
    private record Term(Operand operand, QuantizedValues values, int zero, float factor) {

        static Term of(CpuCall call, int position, @Nullable VectorKernels kernels) {
            Tensor tensor = call.input(position);
            return new Term(
                    Operand.of(tensor, call.output().shape()),
                    new QuantizedValues(tensor, kernels),
                    zeroOf(call.optionalInput(ZERO_POINT + position)),
                    scale(call, SCALE + position) / scale(call, Y_SCALE));
        }

        private static float scale(CpuCall call, int input) {
            return (float) call.input(input).getDouble(0);
        }

        /** Loads what belongs to outputs from {@code from} on. */
        void load(int from, int count, float[] to) {
            operand.view().forRuns(from, count, (source, at, length) -> {
                if (operand.view().step() == 1) {
                    values.read(source, length, 0, to, at);
                    return;
                }
                operand.memory().load(source, operand.view().step(), length, to, at);
            });
        }
    }
}
