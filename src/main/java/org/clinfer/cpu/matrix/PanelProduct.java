package org.clinfer.cpu.matrix;

import java.util.Arrays;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.vector.RowKernels;
import org.clinfer.cpu.vector.VectorKernels;
import org.jspecify.annotations.Nullable;

/**
 * Products of rows with a matrix that lies in panels of columns, in explicit vectors where there are any.
 *
 * @param panels panel after panel, each {@code depth} rows of {@code width} columns; beyond the last column 0
 * @param depth of the products
 * @param columns of the matrix
 * @param width {@link #WIDTH}, or {@link #NARROW} where there are {@link #TILE_ROWS} rows at least
 */
@SuppressWarnings("ArrayRecordComponent")
public record PanelProduct(float[] panels, int depth, int columns, int width) {

    /** A tile of one row in vectors of up to 16. */
    public static final int WIDTH = VectorKernels.ROW_VECTORS * 16;

    /** A tile of several rows. */
    static final int NARROW = VectorKernels.VECTORS * 16;

    /** Rows from which on there are tiles of several. */
    static final int TILE_ROWS = 4;

    private static final int STRIP = 32;
    private static final int GRAIN = 1 << 15;

    /** Writes the products of rows [rows, depth] to {@code y} [rows, columns]. */
    public void multiply(
            float[] a, int rows, MatrixOperands.Destination y, Parallel parallel, @Nullable VectorKernels kernels) {
        if (rows == 0) {
            return;
        }
        int strips = Rounding.ceilDiv(rows, STRIP);
        int height = Rounding.ceilDiv(rows, strips);
        int grain = (int) Math.max(1, GRAIN / Math.max(1, (long) height * depth * width));
        parallel.forRange(Rounding.ceilDiv(columns, width) * strips, grain, (from, to) -> {
            float[] tile = parallel.scratch().take(height * width);
            for (int item = from; item < to; item++) {
                // the last strip ends with the rows, and is as high as the others
                int row = Math.min(item % strips * height, rows - height);
                strip(a, row * depth, height, item / strips, tile, kernels);
                int column = item / strips * width;
                for (int i = 0; i < height; i++) {
                    int at = y.origin() + (row + i) * columns + column;
                    System.arraycopy(tile, i * width, y.values(), at, Math.min(width, columns - column));
                }
            }
            parallel.scratch().give(tile);
        });
    }

    private void strip(float[] a, int left, int rows, int panel, float[] tile, @Nullable VectorKernels kernels) {
        int right = panel * depth * width;
        if (kernels == null) {
            Arrays.fill(tile, 0, rows * width, 0);
            for (int i = 0; i < rows; i++) {
                for (int k = 0; k < depth; k++) {
                    RowKernels.addRow(tile, i * width, panels, right + k * width, a[left + i * depth + k], width);
                }
            }
        } else if (rows < TILE_ROWS) {
            for (int i = 0; i < rows; i++) {
                kernels.addRow(a, left + i * depth, depth, panels, right, width, tile, i * width, true);
            }
        } else {
            kernels.multiplyRows(a, left, panels, right, tile, rows, depth, width);
        }
    }
}
