package org.clinfer.cpu.matrix;

import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.call.Scratch;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.RowKernels;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.tensor.Tensor;

/** Products of small matrices, many at a time as in attention, each by one thread in explicit vectors. */
final class SmallProducts {

    /*
     * A unit is some rows of one product. What it reads lies in one piece or in lines, and so does what it writes. The right matrix is brought into panels once for units that follow one another. Where there are few rows, the right matrix is
     * read but a few times: it is copied piece by piece, each as large as the first cache level holds.
     */

    /** Floats of a right matrix that stays in the second cache level. */
    private static final int MOST = 1 << 16;

    /** Floats of the left matrix and of the result that a unit has, roughly. */
    private static final int UNIT = 1 << 13;

    /** Floats of a piece of the right matrix, roughly. */
    private static final int PIECE = 1 << 12;

    /** Rows from which on there are tiles. */
    private static final int TILE_ROWS = 4;

    private final Sizes sizes;
    private final Tensor left;
    private final Tensor right;
    private final Tensor result;
    private final VectorKernels kernels;

    /** Rows of a unit; the last of a product may have fewer. */
    private final int unit;

    /** Units of a product. */
    private final int units;

    /**
     * Products of left matrices whose columns are neighbours.
     *
     * @param right matrices of which the columns or the rows are neighbours
     * @param alpha by which the products are multiplied
     */
    record Sizes(int rows, int depth, int columns, Matrices left, Matrices right, Matrices result, float alpha) {

        /** The number of products. */
        int count() {
            return left.begins.length;
        }

        /** {@return whether the right matrices are small, and there is something to compute} */
        boolean areSmall() {
            return (long) depth * columns <= MOST && depth > 0 && (long) rows * columns * count() > 0;
        }
    }

    /**
     * One matrix of each product.
     *
     * @param begins where each begins
     * @param first distance of rows
     * @param second distance of columns
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Matrices(int[] begins, int first, int second) {

        /** Reads some rows whose columns are neighbours, or some columns whose rows are. */
        void read(Tensor from, int at, int lines, int length, float[] into) {
            TensorValues values = TensorValues.of(from);
            int step = second == 1 ? first : second;
            if (step == length) {
                values.read(at, into, 0, lines * length);
                return;
            }
            for (int line = 0; line < lines; line++) {
                values.read(at + line * step, into, line * length, length);
            }
        }
    }

    SmallProducts(CpuCall call, Sizes sizes, VectorKernels kernels) {
        this.sizes = sizes;
        this.left = call.input(0);
        this.right = call.input(1);
        this.result = call.output();
        this.kernels = kernels;
        int held = Math.max(1, UNIT / Math.max(sizes.depth, sizes.columns));
        int wanted = Rounding.ceilDiv(4 * call.parallel().threads(), sizes.count());
        int height = kernels.strips().rows();
        int rows = Math.max(height, Math.min(held, Rounding.ceilDiv(sizes.rows, wanted)));
        this.unit = Math.min(Rounding.roundUp(rows, height), sizes.rows);
        this.units = Rounding.ceilDiv(sizes.rows, unit);
    }

    void run(Parallel parallel) {
        long products = (long) unit * sizes.depth * sizes.columns;
        int grain = Math.max(1, (int) ((1 << 16) / products));
        int count = Math.multiplyExact(sizes.count(), units);
        if (sizes.rows < TILE_ROWS) {
            parallel.forRange(count, grain, (from, to) -> multiplyFew(from, to, parallel.scratch()));
            return;
        }
        Queue<RightPanels> idle = new ConcurrentLinkedQueue<>();
        parallel.forRange(count, grain, (from, to) -> {
            RightPanels found = idle.poll();
            RightPanels b = found == null ? new RightPanels(parallel.scratch()) : found;
            multiply(from, to, b, parallel.scratch());
            idle.add(b);
        });
        idle.forEach(b -> parallel.scratch().give(b.values));
    }

    private void multiply(int from, int to, RightPanels b, Scratch scratch) {
        int height = kernels.strips().rows();
        int held = Rounding.roundUp(unit, height);
        int slice = RowSlices.terms(kernels.strips(), sizes.depth);
        float[] read = scratch.take(Math.max(held, sizes.columns) * sizes.depth);
        RowSlices a = new RowSlices(kernels.strips(), sizes.depth, held, scratch);
        float[] y = scratch.take(held * tilePitch());
        for (int at = from; at < to; at++) {
            int index = at / units;
            int row = at % units * unit;
            int rows = Math.min(unit, sizes.rows - row);
            b.bring(sizes.right.begins[index], read);
            sizes.left.read(left, sizes.left.begins[index] + row * sizes.left.first, rows, sizes.depth, read);
            Arrays.fill(read, rows * sizes.depth, held * sizes.depth, 0);
            a.put(read, Rounding.roundUp(rows, height), 0);
            for (int column = 0; column < sizes.columns; column += VectorKernels.PANEL) {
                for (int term = 0; term < sizes.depth; term += slice) {
                    int terms = Math.min(slice, sizes.depth - term);
                    int panel = column * sizes.depth + term * VectorKernels.PANEL;
                    int first = panelBegin(column);
                    kernels.multiplyStrips(
                            a.values(), a.place(term), b.values, panel, y, first, tilePitch(), rows, terms, term == 0);
                }
            }
            write(y, rows, sizes.result.begins[index] + row * sizes.result.first);
        }
        scratch.give(y);
        a.give(scratch);
        scratch.give(read);
    }

    /** The first column of the panel for a column. */
    private int panelBegin(int column) {
        return Math.max(0, Math.min(column, sizes.columns - VectorKernels.PANEL));
    }

    /** The distance of rows that hold a panel. */
    private int tilePitch() {
        return Math.max(sizes.columns, VectorKernels.PANEL);
    }

    private void write(float[] y, int rows, int to) {
        int pitch = tilePitch();
        float alpha = sizes.alpha;
        for (int i = 0; alpha != 1 && i < rows * pitch; i++) {
            y[i] *= alpha;
        }
        TensorValues results = TensorValues.of(result);
        if (sizes.result.first != sizes.columns) {
            for (int row = 0; row < rows; row++) {
                results.write(to + row * sizes.result.first, y, row * pitch, sizes.columns);
            }
            return;
        }
        for (int row = 1; row < rows && pitch > sizes.columns; row++) {
            System.arraycopy(y, row * pitch, y, row * sizes.columns, sizes.columns);
        }
        results.write(to, y, 0, rows * sizes.columns);
    }

    /** For matrices that lie as they are multiplied. */
    private void multiplyFew(int from, int to, Scratch scratch) {
        TensorValues lefts = TensorValues.of(left);
        TensorValues rights = TensorValues.of(right);
        TensorValues results = TensorValues.of(result);
        int most = Math.max(1, PIECE / sizes.columns);
        int slack = VectorKernels.ROW_VECTORS * kernels.lanes();
        float[] a = scratch.take(sizes.rows * sizes.depth);
        float[] b = scratch.take(Math.min(most, sizes.depth) * sizes.columns + slack);
        float[] y = scratch.take(sizes.rows * pitch() + slack);
        for (int index = from; index < to; index++) {
            lefts.read(sizes.left.begins[index], a, 0, sizes.rows * sizes.depth);
            for (int term = 0; term < sizes.depth; term += most) {
                int terms = Math.min(most, sizes.depth - term);
                rights.read(sizes.right.begins[index] + term * sizes.columns, b, 0, terms * sizes.columns);
                for (int row = 0; row < sizes.rows; row++) {
                    kernels.addRow(
                            a, row * sizes.depth + term, terms, b, 0, sizes.columns, y, row * pitch(), term == 0);
                }
            }
            for (int row = 0; row < sizes.rows; row++) {
                results.write(sizes.result.begins[index] + row * sizes.columns, y, row * pitch(), sizes.columns);
            }
        }
        scratch.give(y);
        scratch.give(b);
        scratch.give(a);
    }

    /** The distance of rows of sums where a row may be longer than the matrix. */
    private int pitch() {
        int tile = VectorKernels.ROW_VECTORS * kernels.lanes();
        return Rounding.ceilDiv(sizes.columns, tile) * tile;
    }

    /** A right matrix in panels, the last of which ends with the matrix. A thread keeps it for the units that it takes next. */
    private final class RightPanels {
        private final float[] values;
        private int packed = -1;

        RightPanels(Scratch scratch) {
            this.values = scratch.take(Rounding.roundUp(sizes.columns, VectorKernels.PANEL) * sizes.depth);
        }

        void bring(int at, float[] read) {
            if (packed == at) {
                return;
            }
            packed = at;
            boolean hasRows = sizes.right.second == 1;
            int lines = hasRows ? sizes.depth : sizes.columns;
            int length = hasRows ? sizes.columns : sizes.depth;
            sizes.right.read(right, at, lines, length, read);
            int width = Math.min(VectorKernels.PANEL, sizes.columns);
            for (int column = 0; column < sizes.columns; column += VectorKernels.PANEL) {
                for (int k = 0; k < sizes.depth; k++) {
                    int to = column * sizes.depth + k * VectorKernels.PANEL;
                    int first = panelBegin(column);
                    if (hasRows) {
                        System.arraycopy(read, k * sizes.columns + first, values, to, width);
                    } else {
                        RowKernels.everyNth(read, first * sizes.depth + k, sizes.depth, values, to, width);
                    }
                    Arrays.fill(values, to + width, to + VectorKernels.PANEL, 0);
                }
            }
        }
    }
}
