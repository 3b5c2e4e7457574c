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

    /*
     * Several rows are brought into strips, and each panel stays in the caches while strips pass. Few rows are multiplied one
     * by one, and so are all where there are no vectors.
     */

    /** Rows from which on there are tiles of several. */
    static final int TILE_ROWS = 4;

    /** Terms of which a panel stays in the second cache level. */
    private static final int MAX_TERMS = 2048;

    /** Rows that pass a panel before the next panel, roughly. */
    private static final int ROWS = 32;

    /** Panels whose products go to a result together, at most. */
    private static final int PANELS = 4;

    private static final int GRAIN = 1 << 15;

    /** Elements that are copied in some microseconds. */
    private static final int COPIED = 1 << 14;

    /** {@return columns of a panel for products of {@code rows} rows} */
    public static int width(int rows) {
        return rows < TILE_ROWS ? VectorKernels.ROW_VECTORS * 16 : VectorKernels.PANEL;
    }

    /** The left matrix. */
    @FunctionalInterface
    interface Left {
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
            new InStrips(left, rows, result, parallel, kernels).run();
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

    /** One product in strips of rows. */
    private final class InStrips {
        private final Left left;
        private final int rows;
        private final Result result;
        private final Parallel parallel;
        private final VectorKernels kernels;
        private final int height;
        private final int strips;

        /** Terms of a slice. */
        private final int slice;

        InStrips(Left left, int rows, Result result, Parallel parallel, VectorKernels kernels) {
            this.left = left;
            this.rows = rows;
            this.result = result;
            this.parallel = parallel;
            this.kernels = kernels;
            this.height = kernels.stripRows();
            this.strips = Rounding.ceilDiv(rows, height);
            this.slice = Rounding.ceilDiv(depth, Math.max(1, Rounding.ceilDiv(depth, MAX_TERMS)));
        }

        void run() {
            float[] a = parallel.scratch().take(Math.multiplyExact(strips * height, depth));
            pack(a);
            int held = evenly(strips, Math.max(1, ROWS / height));
            int groups = Rounding.ceilDiv(strips, held);
            int count = Rounding.ceilDiv(columns, width);
            int wide = evenly(count, PANELS);
            int grain = (int) Math.max(1, GRAIN / Math.max(1, (long) held * height * depth * wide * width));
            parallel.forRange(Rounding.ceilDiv(count, wide) * groups, grain, (from, to) -> {
                float[] tile = parallel.scratch().take(held * height * wide * width);
                float[] more = parallel.scratch().take(slice < depth ? held * height * wide * width : 0);
                for (int item = from; item < to; item++) {
                    int panel = item / groups * wide;
                    multiply(a, item % groups * held, held, panel, Math.min(wide, count - panel), tile, more);
                }
                parallel.scratch().give(more);
                parallel.scratch().give(tile);
            });
            parallel.scratch().give(a);
        }

        /** Slice by slice of the depth, strip by strip. */
        private void pack(float[] a) {
            parallel.forRange(strips, Math.max(1, COPIED / Math.max(1, height * depth)), (from, to) -> {
                float[] read = parallel.scratch().take(height * depth);
                for (int strip = from; strip < to; strip++) {
                    int count = Math.min(height, rows - strip * height);
                    left.read(strip * height, count, read);
                    Arrays.fill(read, count * depth, height * depth, 0);
                    for (int term = 0; term < depth; term += slice) {
                        int terms = Math.min(slice, depth - term);
                        int at = height * (strips * term + strip * terms);
                        kernels.packStrip(read, term, depth, terms, a, at);
                    }
                }
                parallel.scratch().give(read);
            });
        }

        /** Some strips by some panels that follow one another. */
        private void multiply(float[] a, int strip, int held, int panel, int wide, float[] tile, float[] more) {
            int row = strip * height;
            int count = Math.min(held * height, rows - row);
            int pitch = wide * width;
            for (int term = 0; term < depth; term += slice) {
                int terms = Math.min(slice, depth - term);
                int at = height * (strips * term + strip * terms);
                float[] sums = term == 0 ? tile : more;
                for (int i = 0; i < wide; i++) {
                    int right = ((panel + i) * depth + term) * width;
                    kernels.multiplyStrips(a, at, panels, right, sums, i * width, pitch, count, terms);
                }
                if (term > 0) {
                    RowKernels.add(tile, more, count * pitch);
                }
            }
            int column = panel * width;
            for (int i = 0; i < count; i++) {
                result.take(row + i, column, Math.min(pitch, columns - column), tile, i * pitch);
            }
        }

        /** {@return how many of {@code count} go together, {@code most} at most, where all groups are about as large} */
        private static int evenly(int count, int most) {
            return Rounding.ceilDiv(count, Rounding.ceilDiv(count, most));
        }
    }
}
