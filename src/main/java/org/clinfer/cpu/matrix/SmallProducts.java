package org.clinfer.cpu.matrix;

import java.util.Arrays;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.call.Scratch;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.tensor.Tensor;

/** Products of small matrices, many at a time as in attention, each by one thread in explicit vectors. */
final class SmallProducts {

    /*
     * A unit is some rows of one product. What it reads lies in one piece, and so does what it writes: each is one copy. The
     * right matrix is brought into panels once for units that follow one another. Where there are few rows, the right matrix is
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
     * @param count products
     * @param lefts where the left matrix of each begins
     * @param rights where the right matrix of each begins
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Sizes(int rows, int depth, int columns, int count, int[] lefts, int[] rights) {

        /** {@return whether the right matrices are small, and there is something to compute} */
        boolean areSmall() {
            return (long) depth * columns <= MOST && depth > 0 && (long) rows * columns * count > 0;
        }
    }

    SmallProducts(CpuCall call, Sizes sizes, VectorKernels kernels) {
        this.sizes = sizes;
        this.left = call.input(0);
        this.right = call.input(1);
        this.result = call.output();
        this.kernels = kernels;
        int held = Math.max(1, UNIT / Math.max(sizes.depth, sizes.columns));
        int wanted = Rounding.ceilDiv(4 * call.parallel().threads(), sizes.count);
        int height = kernels.strips().rows();
        int rows = Math.max(height, Math.min(held, Rounding.ceilDiv(sizes.rows, wanted)));
        this.unit = Math.min(Rounding.roundUp(rows, height), sizes.rows);
        this.units = Rounding.ceilDiv(sizes.rows, unit);
    }

    void run(Parallel parallel) {
        long products = (long) unit * sizes.depth * sizes.columns;
        int grain = Math.max(1, (int) ((1 << 16) / products));
        parallel.forRange(Math.multiplyExact(sizes.count, units), grain, (from, to) -> {
            if (sizes.rows < TILE_ROWS) {
                multiplyFew(from, to, parallel.scratch());
            } else {
                multiply(from, to, parallel.scratch());
            }
        });
    }

    private void multiply(int from, int to, Scratch scratch) {
        TensorValues lefts = TensorValues.of(left);
        TensorValues results = TensorValues.of(result);
        int height = kernels.strips().rows();
        int held = Rounding.roundUp(unit, height);
        int slice = RowSlices.terms(kernels.strips(), sizes.depth);
        float[] read = scratch.take(Math.max(held, sizes.columns) * sizes.depth);
        RowSlices a = new RowSlices(kernels.strips(), sizes.depth, held, scratch);
        float[] b = scratch.take(Rounding.roundUp(sizes.columns, VectorKernels.PANEL) * sizes.depth);
        float[] y = scratch.take(held * tilePitch());
        int packed = -1;
        for (int at = from; at < to; at++) {
            int index = at / units;
            int row = at % units * unit;
            int rows = Math.min(unit, sizes.rows - row);
            if (sizes.rights[index] != packed) {
                packed = sizes.rights[index];
                pack(packed, read, b);
            }
            lefts.read(sizes.lefts[index] + row * sizes.depth, read, 0, rows * sizes.depth);
            Arrays.fill(read, rows * sizes.depth, held * sizes.depth, 0);
            a.put(read, Rounding.roundUp(rows, height), 0);
            for (int column = 0; column < sizes.columns; column += VectorKernels.PANEL) {
                for (int term = 0; term < sizes.depth; term += slice) {
                    int terms = Math.min(slice, sizes.depth - term);
                    int panel = column * sizes.depth + term * VectorKernels.PANEL;
                    int first = panelBegin(column);
                    kernels.multiplyStrips(
                            a.values(), a.place(term), b, panel, y, first, tilePitch(), rows, terms, term == 0);
                }
            }
            joinRows(y, rows);
            results.write((index * sizes.rows + row) * sizes.columns, y, 0, rows * sizes.columns);
        }
        scratch.give(y);
        scratch.give(b);
        a.give(scratch);
        scratch.give(read);
    }

    /** Brings a right matrix into panels, the last of which ends with the matrix. */
    private void pack(int at, float[] read, float[] b) {
        TensorValues.of(right).read(at, read, 0, sizes.depth * sizes.columns);
        int width = Math.min(VectorKernels.PANEL, sizes.columns);
        for (int column = 0; column < sizes.columns; column += VectorKernels.PANEL) {
            for (int k = 0; k < sizes.depth; k++) {
                int to = column * sizes.depth + k * VectorKernels.PANEL;
                System.arraycopy(read, k * sizes.columns + panelBegin(column), b, to, width);
                Arrays.fill(b, to + width, to + VectorKernels.PANEL, 0);
            }
        }
    }

    /** The first column of the panel for a column. */
    private int panelBegin(int column) {
        return Math.max(0, Math.min(column, sizes.columns - VectorKernels.PANEL));
    }

    /** The distance of rows that hold a panel. */
    private int tilePitch() {
        return Math.max(sizes.columns, VectorKernels.PANEL);
    }

    private void joinRows(float[] y, int rows) {
        int pitch = tilePitch();
        for (int row = 1; row < rows && pitch > sizes.columns; row++) {
            System.arraycopy(y, row * pitch, y, row * sizes.columns, sizes.columns);
        }
    }

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
            lefts.read(sizes.lefts[index], a, 0, sizes.rows * sizes.depth);
            for (int term = 0; term < sizes.depth; term += most) {
                int terms = Math.min(most, sizes.depth - term);
                rights.read(sizes.rights[index] + term * sizes.columns, b, 0, terms * sizes.columns);
                for (int row = 0; row < sizes.rows; row++) {
                    kernels.addRow(
                            a, row * sizes.depth + term, terms, b, 0, sizes.columns, y, row * pitch(), term == 0);
                }
            }
            for (int row = 0; row < sizes.rows; row++) {
                results.write((index * sizes.rows + row) * sizes.columns, y, row * pitch(), sizes.columns);
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
}
