package org.clinfer.cpu.vector;

/** Functions and folds of floats in explicit vectors. A function changes the elements {@code from … to - 1} in place. */
public interface VectorFunctions {

    /** The operation that folds elements into one. */
    enum Fold {
        SUM,
        MAXIMUM,
        MINIMUM,
        SUM_OF_SIZES,
        SUM_OF_SQUARES
    }

    void exp(float[] values, int from, int to);

    void log(float[] values, int from, int to);

    void sigmoid(float[] values, int from, int to);

    /** {@code x / (1 + exp(factor * x))}. */
    void swish(float factor, float[] values, int from, int to);

    void tanh(float[] values, int from, int to);

    void erf(float[] values, int from, int to);

    /** {@code x / 2 * (1 + erf(x / sqrt(2)))}. */
    void gelu(float[] values, int from, int to);

    /** The same with tanh for erf. */
    void geluByTanh(float[] values, int from, int to);

    /** {@code log(1 + exp(x))}. */
    void softplus(float[] values, int from, int to);

    /** The fold of some elements, sums in double; of none 0 or an infinity. */
    double fold(Fold kind, float[] values, int from, int to);

    /** Adds to each sum what its element of a row is in a fold of sums; up to a vector more, so both are that much longer. */
    void addRow(Fold kind, double[] sums, float[] row, int count);

    /**
     * Normalizes rows in place, one after the other: less its mean, divided by the root of the mean of what is left squared, times
     * {@code scale}, plus {@code bias}.
     *
     * @param isCentred whether the mean is subtracted
     * @param epsilon is added to the mean of squares
     * @param statistics takes the mean of each row, or 0, and the factor by which it was multiplied
     */
    void normalize(
            float[] values,
            int rows,
            int size,
            boolean isCentred,
            double epsilon,
            float[] scale,
            float[] bias,
            double[] statistics);

    /** {@code sums[to + j] += values[from + j]} for j below {@code count}. */
    void add(float[] sums, int to, float[] values, int from, int count);

    /** {@code sums[to + j] = sum over k of left[at + k] * right[from + j * depth + k]} for j below {@code rows}. */
    void innerProducts(float[] left, int at, float[] right, int from, int rows, int depth, float[] sums, int to);
}
