package org.clinfer.cpu;

/**
 * The innermost loops over floats in explicit vectors. They take more parameters than methods elsewhere: objects around
 * the arrays would cost time in the innermost loop. A column is one element of a row; columns that are not needed may be
 * computed too, up to a whole number of vectors, and arrays are long enough for that.
 */
interface VectorKernels {

    /** Rows of a tile, and how many rows of a left matrix are packed together. */
    int ROWS = 8;

    /** Vectors of a tile side by side. */
    int VECTORS = 2;

    /** Floats of one vector. */
    int lanes();

    /** The loops over blocked channels. */
    BlockedKernels blocked();

    /**
     * Adds to a tile of sums: {@code sums[sum + i * pitch + j] += a[left + 8 * k + i] * x[right + offsets[from + k] + j]}
     * for k below {@code depth}.
     *
     * @param rows rows that are needed; all 8 may be written
     * @param vectors 1 or 2
     * @param isFirst whether the tile holds nothing yet
     */
    void addPacked(
            float[] a,
            int left,
            float[] x,
            int right,
            int[] offsets,
            int from,
            int depth,
            float[] sums,
            int sum,
            int pitch,
            int rows,
            int vectors,
            boolean isFirst);

    /**
     * Adds to a tile of sums: {@code sums[row + i][column + j] += a[left + i * pitch + k] * panel[k][column + j]} for k
     * below {@code depth}; no other rows than {@code rows}, at most 8, are touched.
     */
    void addRows(
            float[] a,
            int left,
            int pitch,
            float[][] panel,
            int depth,
            int column,
            float[][] sums,
            int row,
            int rows,
            int vectors);

    /** {@code sums[j] = sum over k of weights[weight + k] * x[at + offsets[k] + j]} for {@code count} columns. */
    void sumTaps(float[] x, int at, int[] offsets, float[] weights, int weight, float[] sums, int count);

    /** {@code best[j] = maximum over k of x[at + offsets[k] + j]} for {@code count} columns. */
    void maxTaps(float[] x, int at, int[] offsets, float[] best, int count);

    /**
     * Sums of windows along lines: {@code sums[to + line * outStep + i] = bias + sum over k of weights[weight + k] * x[at +
     * line * lineStep + i + offsets[k]]}, where what lies beside the input counts as 0, kept within bounds.
     *
     * @param count positions of a line; up to a vector more may be computed, and stored behind the end of a line
     * @param low {@code -Infinity} where there are no bounds
     */
    void sumLines(
            WindowLines windows,
            int lines,
            int count,
            float[] x,
            int at,
            float[] weights,
            int weight,
            float bias,
            float low,
            float high,
            float[] sums,
            int to);
}
