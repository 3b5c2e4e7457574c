package org.clinfer.cpu.vector;

import org.clinfer.cpu.window.PoolLines;
import org.clinfer.cpu.window.ThreeFilters;
import org.clinfer.cpu.window.ThreeLines;
import org.clinfer.cpu.window.WindowLines;

/**
 * The innermost loops over floats in explicit vectors. They take more parameters than methods elsewhere: objects around
 * the arrays would cost time in the innermost loop. A column is one element of a row; columns that are not needed may be
 * computed too, up to a whole number of vectors, and arrays are long enough for that.
 */
public interface VectorKernels {

    /** Rows of a tile, and how many rows of a left matrix are packed together. */
    int ROWS = 8;

    /** Vectors of a tile side by side. */
    int VECTORS = 2;

    /** Vectors of a tile of one row. */
    int ROW_VECTORS = 4;

    /** Columns of a panel: a number that compilers know, for the loops that read one. */
    int PANEL = 32;

    /** Floats of one vector. */
    int lanes();

    /** Functions and folds. */
    VectorFunctions functions();

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

    /** The left matrix of {@link #multiplyStrips}. */
    StripShape strips();

    /**
     * Adds the product of some rows of a matrix and {@link #PANEL} columns of another: {@code y[to + i * pitch + j] += sum over k
     * of a[left + i * p + k] * b[right + k * PANEL + j]}, where rows are p apart as in {@link #strips}. Rows up to a multiple of
     * those of a tile are read and may be written.
     *
     * @param rows that are needed
     * @param depth as many terms as rows have at most
     * @param isFirst whether y holds nothing yet
     */
    void multiplyStrips(
            float[] a,
            int left,
            float[] b,
            int right,
            float[] y,
            int to,
            int pitch,
            int rows,
            int depth,
            boolean isFirst);

    /**
     * Adds the product of a row and a dense matrix: {@code y[to + j] += sum over k of a[left + k] * b[right + k * columns +
     * j]}. Up to {@link #ROW_VECTORS} vectors more may be read behind b, and stored behind the row.
     *
     * @param isFirst whether y holds nothing yet
     */
    void addRow(float[] a, int left, int depth, float[] b, int right, int columns, float[] y, int to, boolean isFirst);

    /** {@code sums[j] = sum over k of weights[weight + k] * x[at + offsets[k] + j]} for {@code count} columns. */
    void sumTaps(float[] x, int at, int[] offsets, float[] weights, int weight, float[] sums, int count);

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

    /**
     * Sums of 3x3 windows of planes one after the other, {@code windows.out()} for each line of outputs; up to a vector more
     * may be stored behind the last. Up to a vector before and behind the lines is read, and of no effect.
     *
     * @param filter of the first plane; those after it have the filters after it
     * @param above lines that the first windows of a plane meet above those given, which count as 0; as do those below
     * @param given lines of the input of each plane, from {@code x[at]} on
     * @param lines of outputs of each plane
     */
    void sumThree(
            ThreeLines windows,
            ThreeFilters filters,
            int filter,
            int planes,
            int above,
            int given,
            int lines,
            float[] x,
            int at,
            float[] sums,
            int to);

    /**
     * Dequantizes values of 4 bits, those of low halves of bytes and behind them those of high halves:
     * {@code real[to + i] = ((codes[at + i] & 15) - zero) * scale} and
     * {@code real[to + count + i] = ((codes[at + i] >> 4 & 15) - zero) * scale} for i below {@code count}.
     */
    void halves(byte[] quantized, int at, int count, float zero, float scale, float[] real, int to);

    /**
     * Rounds to integers of 8 bits, half to even: {@code quantized[to + i] = clip(round(real[at + i]) + zero, low, high)} for i
     * below {@code count}; a NaN is {@code zero}.
     *
     * @param low the smallest integer of the type, and {@code high} its largest; {@code zero} is between them
     */
    void quantize(float[] real, int at, int count, int zero, int low, int high, byte[] quantized, int to);

    /** Integers times factors: {@code real[i] = integers[at + i] * factors[factor + i]} for i below {@code count}. */
    void scale(int[] integers, int at, int count, float[] factors, int factor, float[] real);

    /** Integers of 8 bits less their zero point: {@code real[to + i] = (quantized[at + i] & mask) - zero}, i below {@code count}. */
    void integers(byte[] quantized, int at, int count, int mask, int zero, float[] real, int to);

    /**
     * Brings {@link #PANEL} columns of integers of 8 bits, less their zero point, together: {@code real[k * PANEL + j] =
     * (quantized[at + offsets[from + k] + j] & mask) - zero} for k below {@code depth}.
     */
    void panel(byte[] quantized, int at, int[] offsets, int from, int depth, int mask, int zero, float[] real);

    /** Sorts elements: {@code to[even + i] = from[at + 2 * i]} and {@code to[odd + i] = from[at + 2 * i + 1]} for i below {@code count}. */
    void sortPairs(float[] from, int at, int count, float[] to, int even, int odd);

    /** Adds the first {@code count} sums, integers below 2^24, to as many totals. */
    void addIntegers(float[] sums, int[] totals, int count);

    /**
     * Pools a plane, from {@code x[at]} on, to {@code y[to]} and those behind; up to a vector more may be stored, and read.
     *
     * @param folded room for {@code pool.rows()} lines, each {@code pool.pitch()} long: 0 for means, else {@code -Infinity},
     *     except for what an earlier call has left
     */
    void poolPlane(PoolLines pool, boolean isMean, float[] x, int at, float[] folded, float[] y, int to);
}
