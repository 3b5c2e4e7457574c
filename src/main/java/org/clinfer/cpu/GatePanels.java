package org.clinfer.cpu;

import org.jspecify.annotations.Nullable;

/**
 * Weights of gates of a recurrent layer, as products of rows with them read them: panels of columns, a column for each
 * unit of each gate.
 *
 * @param weights panel after panel, each {@code depth} rows of {@link #WIDTH} columns
 * @param depth of the products
 * @param columns of all panels together; those without a unit are 0
 */
@SuppressWarnings("ArrayRecordComponent")
record GatePanels(float[] weights, int depth, int columns) {

    /** A tile of one row in vectors of up to 16. */
    static final int WIDTH = VectorKernels.ROW_VECTORS * 16;

    private static final int VECTOR = 16;
    private static final int TILE_ROWS = 4;
    private static final int STRIP = 32;
    private static final int GRAIN = 1 << 15;

    /** How far the columns of gates are apart, so that each begins with a vector. */
    static int pitch(int units) {
        return MatrixProduct.ceilDiv(units, VECTOR) * VECTOR;
    }

    /**
     * Those of an input [gates of the layer * units, depth].
     *
     * @param first gate
     * @param gates so many of them
     */
    static GatePanels of(CpuCall call, int position, int units, int first, int gates) {
        int depth = Math.toIntExact(call.input(position).shape().size(1));
        int columns = MatrixProduct.ceilDiv(gates * pitch(units), WIDTH) * WIDTH;
        float[] weights = call.packed(position, "panels of " + gates + " gates from " + first, () -> {
            float[] rows = new float[gates * units * depth];
            TensorValues.of(call.input(position)).read(first * units * depth, rows, 0, rows.length);
            float[] packed = new float[Math.multiplyExact(columns, depth)];
            for (int row = 0; row < gates * units; row++) {
                int column = row / units * pitch(units) + row % units;
                int to = column / WIDTH * WIDTH * depth + column % WIDTH;
                for (int k = 0; k < depth; k++) {
                    packed[to + k * WIDTH] = rows[row * depth + k];
                }
            }
            return packed;
        });
        return new GatePanels(weights, depth, columns);
    }

    /** Writes the products of rows [rows, depth] to {@code y} [rows, columns]. */
    void multiply(float[] a, int rows, float[] y, Parallel parallel, @Nullable VectorKernels kernels) {
        if (rows == 0) {
            return;
        }
        int strips = MatrixProduct.ceilDiv(rows, STRIP);
        int height = MatrixProduct.ceilDiv(rows, strips);
        int grain = (int) Math.max(1, GRAIN / Math.max(1, (long) height * depth * WIDTH));
        parallel.forRange(columns / WIDTH * strips, grain, (from, to) -> {
            for (int item = from; item < to; item++) {
                // the last strip ends with the rows, and is as high as the others
                int row = Math.min(item % strips * height, rows - height);
                strip(a, row, height, item / strips, y, parallel.scratch(), kernels);
            }
        });
    }

    private void strip(
            float[] a, int row, int rows, int panel, float[] y, Scratch scratch, @Nullable VectorKernels kernels) {
        int right = panel * depth * WIDTH;
        int to = row * columns + panel * WIDTH;
        if (kernels == null) {
            for (int i = 0; i < rows; i++) {
                addRow(a, (row + i) * depth, right, y, to + i * columns);
            }
        } else if (rows < TILE_ROWS) {
            for (int i = 0; i < rows; i++) {
                kernels.addRow(a, (row + i) * depth, depth, weights, right, WIDTH, y, to + i * columns, true);
            }
        } else {
            float[] tile = scratch.take(rows * WIDTH);
            kernels.multiplyRows(a, row * depth, weights, right, tile, rows, depth, WIDTH);
            for (int i = 0; i < rows; i++) {
                System.arraycopy(tile, i * WIDTH, y, to + i * columns, WIDTH);
            }
            scratch.give(tile);
        }
    }

    private void addRow(float[] a, int left, int right, float[] y, int to) {
        float[] sums = new float[WIDTH];
        for (int k = 0; k < depth; k++) {
            RowKernels.addRow(sums, weights, right + k * WIDTH, a[left + k]);
        }
        System.arraycopy(sums, 0, y, to, WIDTH);
    }
}
