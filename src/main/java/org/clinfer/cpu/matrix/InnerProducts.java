package org.clinfer.cpu.matrix;

import java.util.Arrays;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.RowKernels;
import org.clinfer.cpu.vector.VectorFunctions;

/** Products of few left rows with many right rows that lie one after the other in a tensor, read once and in place. */
public final class InnerProducts {

    /** As many left rows as are worth this way instead of {@link MatrixProduct}. */
    public static final int MAX_ROWS = 4;

    /** The same where the right rows are in an array, and there are loops in vectors. */
    public static final int MAX_ROWS_IN_VECTORS = 32;

    /** Floats of right rows that stay in the first cache level while left rows pass. */
    private static final int HELD = 4096;

    private static final int CHUNK = 512;
    private static final int GRAIN = 1 << 15;

    private InnerProducts() {}

    /**
     * {@code [row][j] = sum over k of left[row * depth + k] * right[offset + j * depth + k]}.
     *
     * @param left [rows, depth] from {@code leftOffset}
     */
    public static float[][] of(Rows left, TensorValues right, int offset, int count, Parallel parallel) {
        int depth = left.depth;
        int chunks = Rounding.ceilDiv(depth, CHUNK);
        float[][][] pieces = new float[left.rows][chunks][];
        for (int row = 0; row < left.rows; row++) {
            for (int chunk = 0; chunk < chunks; chunk++) {
                int from = left.offset + row * depth + chunk * CHUNK;
                pieces[row][chunk] =
                        Arrays.copyOfRange(left.values, from, from + Math.min(CHUNK, depth - chunk * CHUNK));
            }
        }
        float[][] products = new float[left.rows][count];
        parallel.forRange(count, Math.max(1, GRAIN / Math.max(1, depth)), (first, end) -> {
            float[] piece = new float[CHUNK];
            float[][] sums = new float[left.rows][Math.min(CHUNK, depth)];
            for (int j = first; j < end; j++) {
                for (float[] sum : sums) {
                    Arrays.fill(sum, 0);
                }
                for (int chunk = 0; chunk < chunks; chunk++) {
                    int length = Math.min(CHUNK, depth - chunk * CHUNK);
                    right.read(offset + j * depth + chunk * CHUNK, piece, 0, length);
                    for (int row = 0; row < sums.length; row++) {
                        RowKernels.addProducts(sums[row], pieces[row][chunk], piece, length);
                    }
                }
                for (int row = 0; row < sums.length; row++) {
                    products[row][j] = RowKernels.sum(sums[row]);
                }
            }
        });
        return products;
    }

    /** {@code [row][j] = sum over k of left[row * depth + k] * right[j * depth + k]}, in explicit vectors. */
    public static float[][] of(Rows left, float[] right, int count, Parallel parallel, VectorFunctions vectors) {
        int depth = left.depth;
        float[][] products = new float[left.rows][count];
        int held = left.rows == 1 ? count : Math.max(4, HELD / Math.max(1, depth) / 4 * 4);
        int grain = (int) Math.max(1, GRAIN / Math.max(1, (long) depth * left.rows));
        parallel.forRange(count, grain, (first, end) -> {
            for (int j = first; j < end; j += held) {
                int rows = Math.min(held, end - j);
                for (int row = 0; row < left.rows; row++) {
                    vectors.innerProducts(
                            left.values, left.offset + row * depth, right, j * depth, rows, depth, products[row], j);
                }
            }
        });
        return products;
    }

    /** A row-major matrix within an array. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Rows(float[] values, int offset, int rows, int depth) {}
}
