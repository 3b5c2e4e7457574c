package org.clinfer.cpu.matrix;

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
     * A unit is some rows of one product. What it reads lies in one piece, and so does what it writes: each is one copy,
     * and the right matrix is copied once for units that follow one another; tiles sum over the whole depth. Where there are
     * few rows, the right matrix is read but a few times: it is copied piece by piece, each as large as the first cache level
     * holds.
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
    private final int strip;
    private final int strips;

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
        int rows = Math.max(VectorKernels.ROWS, Math.min(held, Rounding.ceilDiv(sizes.rows, wanted)));
        this.strip = Math.min(rows, sizes.rows);
        this.strips = Rounding.ceilDiv(sizes.rows, strip);
    }

    void run(Parallel parallel) {
        long products = (long) strip * sizes.depth * sizes.columns;
        int units = Math.multiplyExact(sizes.count, strips);
        parallel.forRange(units, Math.max(1, (int) ((1 << 16) / products)), (from, to) -> {
            Scratch scratch = parallel.scratch();
            int slack = VectorKernels.ROW_VECTORS * kernels.lanes();
            float[] a = scratch.take(strip * sizes.depth);
            float[] b = scratch.take(sizes.depth * sizes.columns + slack);
            float[] y = scratch.take(strip * pitch() + slack);
            if (sizes.rows < TILE_ROWS) {
                multiplyFew(from, to, a, b, y);
            } else {
                multiply(from, to, a, b, y);
            }
            scratch.give(y);
            scratch.give(b);
            scratch.give(a);
        });
    }

    private void multiply(int from, int to, float[] a, float[] b, float[] y) {
        TensorValues lefts = TensorValues.of(left);
        TensorValues rights = TensorValues.of(right);
        TensorValues results = TensorValues.of(result);
        int held = -1;
        for (int unit = from; unit < to; unit++) {
            int index = unit / strips;
            // the last strip ends with the matrix: with the rows of a strip, so that it has whole tiles
            int row = Math.min(unit % strips * strip, sizes.rows - strip);
            lefts.read(sizes.lefts[index] + row * sizes.depth, a, 0, strip * sizes.depth);
            if (sizes.rights[index] != held) {
                held = sizes.rights[index];
                rights.read(held, b, 0, sizes.depth * sizes.columns);
            }
            kernels.multiplyRows(a, 0, b, 0, y, strip, sizes.depth, sizes.columns);
            results.write((index * sizes.rows + row) * sizes.columns, y, 0, strip * sizes.columns);
        }
    }

    private void multiplyFew(int from, int to, float[] a, float[] b, float[] y) {
        TensorValues lefts = TensorValues.of(left);
        TensorValues rights = TensorValues.of(right);
        TensorValues results = TensorValues.of(result);
        int most = Math.max(1, PIECE / sizes.columns);
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
    }

    /** The distance of rows of sums where a row may be longer than the matrix. */
    private int pitch() {
        int tile = VectorKernels.ROW_VECTORS * kernels.lanes();
        return Rounding.ceilDiv(sizes.columns, tile) * tile;
    }
}
