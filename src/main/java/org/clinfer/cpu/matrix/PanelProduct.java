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

    /** Terms of which a panel stays in the second cache level. */
    private static final int MAX_TERMS = 2048;

    private static final int STRIP = 32;
    private static final int GRAIN = 1 << 15;

    /** Takes a product, stretch by stretch of its rows. */
    @FunctionalInterface
    public interface Result {
        /**
         * Takes a row's products with {@code count} columns from {@code column} on, which begin at {@code sums[at]} and may be
         * overwritten. Two threads may give the same stretch.
         */
        void take(int row, int column, int count, float[] sums, int at);
    }

    /** {@return the terms of a slice, of which a panel stays in the caches} */
    int slice() {
        return Rounding.ceilDiv(depth, Math.max(1, Rounding.ceilDiv(depth, MAX_TERMS)));
    }

    /** Writes the products of rows [rows, depth] to {@code y} [rows, columns]. */
    public void multiply(
            float[] a, int rows, MatrixOperands.Destination y, Parallel parallel, @Nullable VectorKernels kernels) {
        Result result = (row, column, count, sums, at) ->
                System.arraycopy(sums, at, y.values(), y.origin() + row * columns + column, count);
        multiply(new Left(a, rows, depth), result, parallel, kernels);
    }

    /**
     * The left matrix: slices of columns one after the other, each with all rows.
     *
     * @param slice columns of a slice; the last may have fewer
     */
    record Left(float[] values, int rows, int slice) {}

    /** Gives a product to a result. */
    void multiply(Left left, Result result, Parallel parallel, @Nullable VectorKernels kernels) {
        int rows = left.rows;
        int slice = left.slice;
        if (rows == 0) {
            return;
        }
        int strips = Rounding.ceilDiv(rows, STRIP);
        int height = Rounding.ceilDiv(rows, strips);
        int grain = (int) Math.max(1, GRAIN / Math.max(1, (long) height * depth * width));
        parallel.forRange(Rounding.ceilDiv(columns, width) * strips, grain, (from, to) -> {
            float[] tile = parallel.scratch().take(height * width);
            float[] more = parallel.scratch().take(slice < depth ? height * width : 0);
            for (int item = from; item < to; item++) {
                // the last strip ends with the rows, and is as high as the others
                int row = Math.min(item % strips * height, rows - height);
                int panel = item / strips;
                strip(left, row, height, panel, 0, tile, kernels);
                for (int term = slice; term < depth; term += slice) {
                    strip(left, row, height, panel, term, more, kernels);
                    RowKernels.add(tile, more, height * width);
                }
                int column = panel * width;
                int count = Math.min(width, columns - column);
                for (int i = 0; i < height; i++) {
                    result.take(row + i, column, count, tile, i * width);
                }
            }
            parallel.scratch().give(more);
            parallel.scratch().give(tile);
        });
    }

    /** The products of some rows with one panel, of the terms of the slice that begins with {@code term}. */
    private void strip(
            Left from, int row, int height, int panel, int term, float[] tile, @Nullable VectorKernels kernels) {
        float[] a = from.values;
        int terms = Math.min(from.slice, depth - term);
        int left = from.rows * term + row * terms;
        int right = (panel * depth + term) * width;
        if (kernels == null) {
            Arrays.fill(tile, 0, height * width, 0);
            for (int i = 0; i < height; i++) {
                for (int k = 0; k < terms; k++) {
                    RowKernels.addRow(tile, i * width, panels, right + k * width, a[left + i * terms + k], width);
                }
            }
        } else if (height < TILE_ROWS) {
            for (int i = 0; i < height; i++) {
                kernels.addRow(a, left + i * terms, terms, panels, right, width, tile, i * width, true);
            }
        } else {
            kernels.multiplyRows(a, left, panels, right, tile, height, terms, width);
        }
    }
}
