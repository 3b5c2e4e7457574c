package org.clinfer.cpu.normalization;

import java.util.Arrays;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.RowKernels;
import org.clinfer.cpu.vector.VectorFunctions;

/** Softmax of floats, or its logarithm, along the middle axis of [outer, size, inner], with functions in vectors. */
final class FloatSoftmax {

    /*
     * A block of lines is read at once, and goes through four loops: the greatest of each line, what is left without it,
     * its exponentials, their sums. The third runs over all lines as one.
     */
    private static final int BLOCK = 4096;

    /** Lines from this length on are folded in vectors. */
    private static final int LONG_LINE = 24;

    /** Rows that are summed alone, so that a long sum does not lose what is small beside it. */
    private static final int SUMMED_ALONE = 1024;

    private final AxisBlocks axis;
    private final boolean isLogarithm;
    private final VectorFunctions vectors;

    FloatSoftmax(AxisBlocks axis, boolean isLogarithm, VectorFunctions vectors) {
        this.axis = axis;
        this.isLogarithm = isLogarithm;
        this.vectors = vectors;
    }

    void run(CpuCall call) {
        int size = axis.size();
        int inner = axis.inner();
        if (size == 0 || inner == 0 || axis.outer() == 0) {
            return;
        }
        TensorValues x = TensorValues.of(call.input(0));
        TensorValues y = TensorValues.of(call.output());
        if (inner == 1) {
            int together = Math.max(1, BLOCK / size);
            call.parallel().forRange(axis.outer(), Chunks.grain(4L * size), (from, to) -> {
                float[] shifted = new float[Math.min(together, to - from) * size];
                float[] powers = new float[shifted.length];
                for (int line = from; line < to; line += together) {
                    int lines = Math.min(together, to - line);
                    x.read(line * size, shifted, 0, lines * size);
                    alongLines(shifted, powers, lines);
                    y.write(line * size, isLogarithm ? shifted : powers, 0, lines * size);
                }
            });
            return;
        }
        int width = Math.min(inner, Math.max(16, BLOCK / size));
        int blocks = Rounding.ceilDiv(inner, width);
        call.parallel().forRange(axis.outer() * blocks, Chunks.grain(4L * size * width), (from, to) -> {
            float[] shifted = new float[size * width];
            float[] powers = new float[size * width];
            float[] row = new float[width];
            for (int unit = from; unit < to; unit++) {
                int column = unit % blocks * width;
                int count = Math.min(width, inner - column);
                int origin = unit / blocks * size * inner + column;
                for (int i = 0; i < size; i++) {
                    x.read(origin + i * inner, shifted, i * width, count);
                }
                acrossRows(shifted, powers, row, width);
                float[] result = isLogarithm ? shifted : powers;
                for (int i = 0; i < size; i++) {
                    y.write(origin + i * inner, result, i * width, count);
                }
            }
        });
    }

    private void alongLines(float[] shifted, float[] powers, int lines) {
        int size = axis.size();
        for (int line = 0; line < lines; line++) {
            int from = line * size;
            float most = fold(VectorFunctions.Fold.MAXIMUM, shifted, from, from + size);
            for (int i = from; i < from + size; i++) {
                shifted[i] -= most;
            }
        }
        System.arraycopy(shifted, 0, powers, 0, lines * size);
        vectors.exp(powers, 0, lines * size);
        for (int line = 0; line < lines; line++) {
            int from = line * size;
            float sum = fold(VectorFunctions.Fold.SUM, powers, from, from + size);
            if (isLogarithm) {
                float logarithm = (float) Math.log(sum);
                for (int i = from; i < from + size; i++) {
                    shifted[i] -= logarithm;
                }
            } else {
                float factor = 1 / sum;
                for (int i = from; i < from + size; i++) {
                    powers[i] *= factor;
                }
            }
        }
    }

    private float fold(VectorFunctions.Fold kind, float[] values, int from, int to) {
        if (to - from >= LONG_LINE) {
            return (float) vectors.fold(kind, values, from, to);
        }
        float result = values[from];
        for (int i = from + 1; i < to; i++) {
            result = kind == VectorFunctions.Fold.SUM ? result + values[i] : Math.max(result, values[i]);
        }
        return result;
    }

    /** Writes the sum of all rows over {@code sums}. */
    private void sumRows(float[] rows, float[] sums, int width) {
        float[] part = new float[width];
        Arrays.fill(sums, 0);
        for (int first = 0; first < axis.size(); first += SUMMED_ALONE) {
            Arrays.fill(part, 0);
            for (int i = first; i < Math.min(axis.size(), first + SUMMED_ALONE); i++) {
                RowKernels.add(part, rows, i * width, width);
            }
            RowKernels.add(sums, part, 0, width);
        }
    }

    private void acrossRows(float[] shifted, float[] powers, float[] row, int width) {
        int size = axis.size();
        System.arraycopy(shifted, 0, row, 0, width);
        for (int i = 1; i < size; i++) {
            RowKernels.max(row, shifted, i * width, width);
        }
        for (int i = 0; i < size; i++) {
            RowKernels.subtract(shifted, i * width, row, width);
        }
        System.arraycopy(shifted, 0, powers, 0, size * width);
        vectors.exp(powers, 0, size * width);
        sumRows(powers, row, width);
        if (isLogarithm) {
            vectors.log(row, 0, width);
            for (int i = 0; i < size; i++) {
                RowKernels.subtract(shifted, i * width, row, width);
            }
            return;
        }
        for (int i = 0; i < size; i++) {
            RowKernels.divide(powers, i * width, row, width);
        }
    }
}
