package org.clinfer.cpu.matrix;

import java.util.Arrays;
import java.util.function.IntFunction;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.call.Scratch;
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

    /** Terms of which floats hold the sum of products of integers exactly: of each at most {@link MatrixProduct#MAX_INTEGER}. */
    private static final int EXACT_TERMS = (1 << 24) / (MatrixProduct.MAX_INTEGER * MatrixProduct.MAX_INTEGER);

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

    /** Gives the exact product to a result. All elements are integers of at most {@link MatrixProduct#MAX_INTEGER} in magnitude. */
    public void multiplyIntegers(Left left, int rows, IntegerResult result, Parallel parallel, VectorKernels kernels) {
        InStrips strips = new InStrips(left, rows, Math.min(MAX_TERMS, EXACT_TERMS), parallel, kernels);
        strips.run(size -> new Integers(size, result, parallel, kernels));
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
            InStrips strips = new InStrips(left, rows, MAX_TERMS, parallel, kernels);
            strips.run(size -> new Floats(size, size * (strips.slice < depth ? 1 : 0), result, parallel));
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

    /** The sums of some rows and columns, slice by slice. */
    private interface Sums extends AutoCloseable {
        /** The array for the sums of a slice. */
        float[] slice(boolean isFirst);

        /** Adds the first {@code count} sums of a slice. */
        void add(int count, boolean isFirst);

        /** Gives {@code count} sums from {@code at} on to the result. */
        void give(int row, int column, int count, int at);

        @Override
        void close();
    }

    private static final class Floats implements Sums {
        private final Result result;
        private final Scratch scratch;
        private final float[] sums;
        private final float[] more;

        Floats(int size, int later, Result result, Parallel parallel) {
            this.result = result;
            this.scratch = parallel.scratch();
            this.sums = scratch.take(size);
            this.more = scratch.take(later);
        }

        @Override
        public float[] slice(boolean isFirst) {
            return isFirst ? sums : more;
        }

        @Override
        public void add(int count, boolean isFirst) {
            if (!isFirst) {
                RowKernels.add(sums, more, count);
            }
        }

        @Override
        public void give(int row, int column, int count, int at) {
            result.take(row, column, count, sums, at);
        }

        @Override
        public void close() {
            scratch.give(more);
            scratch.give(sums);
        }
    }

    private static final class Integers implements Sums {
        private final IntegerResult result;
        private final Scratch scratch;
        private final VectorKernels kernels;
        private final float[] slice;
        private final int[] sums;

        Integers(int size, IntegerResult result, Parallel parallel, VectorKernels kernels) {
            this.result = result;
            this.scratch = parallel.scratch();
            this.kernels = kernels;
            this.slice = scratch.take(size);
            this.sums = new int[size];
        }

        @Override
        public float[] slice(boolean isFirst) {
            return slice;
        }

        @Override
        public void add(int count, boolean isFirst) {
            if (isFirst) {
                Arrays.fill(sums, 0, count, 0);
            }
            kernels.addIntegers(slice, sums, count);
        }

        @Override
        public void give(int row, int column, int count, int at) {
            result.take(row, column, count, sums, at);
        }

        @Override
        public void close() {
            scratch.give(slice);
        }
    }

    /** One product in strips of rows. */
    private final class InStrips {
        private final Left left;
        private final int rows;
        private final Parallel parallel;
        private final VectorKernels kernels;
        private final int height;
        private final int strips;

        /** Terms of a slice. */
        private final int slice;

        /** @param most terms of a slice */
        InStrips(Left left, int rows, int most, Parallel parallel, VectorKernels kernels) {
            this.left = left;
            this.rows = rows;
            this.parallel = parallel;
            this.kernels = kernels;
            this.height = kernels.stripRows();
            this.strips = Rounding.ceilDiv(rows, height);
            this.slice = Rounding.ceilDiv(depth, Math.max(1, Rounding.ceilDiv(depth, most)));
        }

        /** @param sums room for so many of them */
        void run(IntFunction<Sums> sums) {
            float[] a = parallel.scratch().take(Math.multiplyExact(strips * height, depth));
            pack(a);
            int held = evenly(strips, Math.max(1, ROWS / height));
            int groups = Rounding.ceilDiv(strips, held);
            int count = Rounding.ceilDiv(columns, width);
            int wide = evenly(count, PANELS);
            int grain = (int) Math.max(1, GRAIN / Math.max(1, (long) held * height * depth * wide * width));
            parallel.forRange(Rounding.ceilDiv(count, wide) * groups, grain, (from, to) -> {
                try (Sums of = sums.apply(held * height * wide * width)) {
                    for (int item = from; item < to; item++) {
                        int panel = item / groups * wide;
                        multiply(a, item % groups * held, held, panel, Math.min(wide, count - panel), of);
                    }
                }
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
        private void multiply(float[] a, int strip, int held, int panel, int wide, Sums sums) {
            int row = strip * height;
            int count = Math.min(held * height, rows - row);
            int pitch = wide * width;
            for (int term = 0; term < depth; term += slice) {
                int terms = Math.min(slice, depth - term);
                int at = height * (strips * term + strip * terms);
                for (int i = 0; i < wide; i++) {
                    int right = ((panel + i) * depth + term) * width;
                    kernels.multiplyStrips(a, at, panels, right, sums.slice(term == 0), i * width, pitch, count, terms);
                }
                sums.add(count * pitch, term == 0);
            }
            int column = panel * width;
            for (int i = 0; i < count; i++) {
                sums.give(row + i, column, Math.min(pitch, columns - column), i * pitch);
            }
        }

        /** {@return how many of {@code count} go together, {@code most} at most, where all groups are about as large} */
        private static int evenly(int count, int most) {
            return Rounding.ceilDiv(count, Rounding.ceilDiv(count, most));
        }
    }
}
