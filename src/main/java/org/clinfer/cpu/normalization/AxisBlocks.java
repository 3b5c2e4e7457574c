package org.clinfer.cpu.normalization;

import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.memory.TensorValues;

/** Walks a tensor [outer, size, inner] in blocks that hold the whole middle axis for a stretch of the inner one. */
record AxisBlocks(int outer, int size, int inner) {

    private static final int BLOCK = 1 << 14;

    /** Changes one block in place: element {@code (i, j)} of [size, width] is at {@code i * width + j}. */
    @FunctionalInterface
    interface Change {
        void apply(double[] block, int width);
    }

    void change(TensorValues x, TensorValues y, Parallel parallel, Change change) {
        if (size == 0 || inner == 0) {
            return;
        }
        int width = Math.min(inner, Math.max(1, BLOCK / size));
        int blocks = Rounding.ceilDiv(inner, width);
        int grain = Math.max(1, BLOCK / Math.max(1, size * width));
        parallel.forRange(outer * blocks, grain, (from, to) -> {
            double[] block = new double[size * width];
            for (int unit = from; unit < to; unit++) {
                int column = unit % blocks * width;
                int count = Math.min(width, inner - column);
                int origin = unit / blocks * size * inner + column;
                if (count == inner) {
                    x.read(origin, block, 0, size * inner);
                } else {
                    for (int i = 0; i < size; i++) {
                        x.read(origin + i * inner, block, i * count, count);
                    }
                }
                change.apply(block, count);
                if (count == inner) {
                    y.write(origin, block, 0, size * inner);
                } else {
                    for (int i = 0; i < size; i++) {
                        y.write(origin + i * inner, block, i * count, count);
                    }
                }
            }
        });
    }
}
