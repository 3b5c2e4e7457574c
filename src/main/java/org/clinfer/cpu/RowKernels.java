package org.clinfer.cpu;

/**
 * The innermost loops over float rows, each a method of its own without calls or branches so that the JIT vectorises it.
 * They take more parameters than elsewhere: an object around the rows would cost the vectorisation.
 */
final class RowKernels {

    private RowKernels() {}

    /** Adds four weighted rows to each of two sums; the weights of the second lie {@code pitch} further. */
    static void addFour(
            float[] sum0,
            float[] sum1,
            float[] row0,
            float[] row1,
            float[] row2,
            float[] row3,
            float[] weights,
            int at,
            int pitch,
            int length) {
        float a0 = weights[at];
        float a1 = weights[at + 1];
        float a2 = weights[at + 2];
        float a3 = weights[at + 3];
        float b0 = weights[at + pitch];
        float b1 = weights[at + pitch + 1];
        float b2 = weights[at + pitch + 2];
        float b3 = weights[at + pitch + 3];
        for (int j = 0; j < length; j++) {
            float v0 = row0[j];
            float v1 = row1[j];
            float v2 = row2[j];
            float v3 = row3[j];
            sum0[j] = sum0[j] + a0 * v0 + a1 * v1 + a2 * v2 + a3 * v3;
            sum1[j] = sum1[j] + b0 * v0 + b1 * v1 + b2 * v2 + b3 * v3;
        }
    }

    /** Adds four weighted rows to one sum. */
    static void addFour(
            float[] sum, float[] row0, float[] row1, float[] row2, float[] row3, float[] weights, int at, int length) {
        float a0 = weights[at];
        float a1 = weights[at + 1];
        float a2 = weights[at + 2];
        float a3 = weights[at + 3];
        for (int j = 0; j < length; j++) {
            sum[j] = sum[j] + a0 * row0[j] + a1 * row1[j] + a2 * row2[j] + a3 * row3[j];
        }
    }

    /** Adds the products of two rows, element by element. */
    static void addProducts(float[] sum, float[] left, float[] right, int length) {
        for (int j = 0; j < length; j++) {
            sum[j] += left[j] * right[j];
        }
    }

    /** Adds one weighted stretch of a row that begins at {@code at}. */
    static void addOne(float[] sum, float[] row, int at, float weight, int length) {
        for (int j = 0; j < length; j++) {
            sum[j] += weight * row[at + j];
        }
    }

    /** Adds three weighted stretches of rows that begin at {@code at0 …}. */
    static void addThree(
            float[] sum,
            float[] row0,
            int at0,
            float weight0,
            float[] row1,
            int at1,
            float weight1,
            float[] row2,
            int at2,
            float weight2,
            int length) {
        for (int j = 0; j < length; j++) {
            sum[j] = sum[j] + weight0 * row0[at0 + j] + weight1 * row1[at1 + j] + weight2 * row2[at2 + j];
        }
    }

    /** Sum of the elements. */
    static float sum(float[] values) {
        float sum0 = 0;
        float sum1 = 0;
        float sum2 = 0;
        float sum3 = 0;
        int j = 0;
        for (; j + 4 <= values.length; j += 4) {
            sum0 += values[j];
            sum1 += values[j + 1];
            sum2 += values[j + 2];
            sum3 += values[j + 3];
        }
        for (; j < values.length; j++) {
            sum0 += values[j];
        }
        return (sum0 + sum1) + (sum2 + sum3);
    }
}
