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
 * @param width columns of a panel, of {@link #width}
 */
@SuppressWarnings("ArrayRecordComponent")
public record PanelProduct(float[] panels, int depth, int columns, int width) {

    /* Several rows are brought into strips; few rows are multiplied one by one, and so are all where there are no vectors. */

    /** Rows from which on there are tiles of several. */
    static final int TILE_ROWS = 4;

    /** Rows that pass a panel before the next panel, roughly. */
    private static final int ROWS = 32;

    /** Multiply-adds of some microseconds. */
    static final int GRAIN = 1 << 15;

    /** {@return columns of a panel for products of {@code rows} rows} */
    public static int width(int rows) {
        return rows < TILE_ROWS ? VectorKernels.ROW_VECTORS * 16 : VectorKernels.PANEL;
    }

    /** The left matrix. */
    @FunctionalInterface
    public interface Left {
        /** Brings {@code count} rows from {@code row} on to the beginning of {@code into}, each of {@link #depth} elements. */
        void read(int row, int count, float[] into);
    }

    /** Takes a product, stretch by stretch of its rows. */
    @FunctionalInterface
    public interface Result {
        /**
         * Takes a row's products with {@code count} columns from {@code column} on, which begin at {@code sums[at]} and may be
         * overwritten.
         */
        void take(int row, int column, int count, float[] sums, int at);
    }

    /** Takes a product of integers, stretch by stretch of its rows. */
    @FunctionalInterface
    public interface IntegerResult {
        /** As {@link Result#take}; sums beyond 32 bits wrap. */
        void take(int row, int column, int count, int[] sums, int at);
    }

    /** {@return whether {@link #multiplyIntegers} takes so many rows} */
    public static boolean takesIntegers(int rows) {
        return rows >= TILE_ROWS;
    }

    /** Gives the exact product of integers of at most {@link MatrixProduct#MAX_INTEGER} in magnitude to a result. */
    public static void multiplyIntegers(
            Left left,
            int rows,
            Panels right,
            int columns,
            IntegerResult result,
            Parallel parallel,
            VectorKernels kernels) {
        new StripProduct(right, columns, left, rows, parallel, kernels)
                .run(size -> new StripSums.Integers(size, result, parallel, kernels));
    }

    /** Writes the products of rows [rows, depth] to {@code y} [rows, columns]. */
    public void multiply(
            float[] a, int rows, MatrixOperands.Destination y, Parallel parallel, @Nullable VectorKernels kernels) {
        Left left = (row, count, into) -> System.arraycopy(a, row * depth, into, 0, count * depth);
        Result result = (row, column, count, sums, at) ->
                System.arraycopy(sums, at, y.values(), y.origin() + row * columns + column, count);
        multiply(left, rows, result, parallel, kernels);
    }

    /** Gives the product of {@code rows} rows to a result. */
    void multiply(Left left, int rows, Result result, Parallel parallel, @Nullable VectorKernels kernels) {
        if (kernels == null || rows < TILE_ROWS) {
            multiplyOneByOne(left, rows, result, parallel, kernels);
        } else {
            Panels right = new Panels.OfFloats(panels, depth, width);
            new StripProduct(right, columns, left, rows, parallel, kernels)
                    .run(size -> new StripSums.Floats(size, result, parallel));
        }
    }

    private void multiplyOneByOne(
            Left left, int rows, Result result, Parallel parallel, @Nullable VectorKernels kernels) {
        float[] a = parallel.scratch().take(Math.multiplyExact(rows, depth));
        left.read(0, rows, a);
        int groups = Rounding.ceilDiv(rows, ROWS);
        int grain = (int) Math.max(1, GRAIN / Math.max(1, (long) Math.min(ROWS, rows) * depth * width));
        parallel.forRange(Rounding.ceilDiv(columns, width) * groups, grain, (from, to) -> {
            float[] sums = parallel.scratch().take(width);
            for (int item = from; item < to; item++) {
                int panel = item / groups;
                int first = item % groups * ROWS;
                for (int row = first; row < Math.min(rows, first + ROWS); row++) {
                    int right = panel * depth * width;
                    if (kernels == null) {
                        Arrays.fill(sums, 0, width, 0);
                        for (int k = 0; k < depth; k++) {
                            RowKernels.addRow(sums, 0, panels, right + k * width, a[row * depth + k], width);
                        }
                    } else {
                        kernels.addRow(a, row * depth, depth, panels, right, width, sums, 0, true);
                    }
                    result.take(row, panel * width, Math.min(width, columns - panel * width), sums, 0);
                }
            }
            parallel.scratch().give(sums);
        });
        parallel.scratch().give(a);
    }
}
