package org.clinfer.cpu.vector;

/**
 * The innermost loops over float rows, each a method of its own without calls or branches so that the JIT vectorises it.
 * They take more parameters than elsewhere: an object around the rows would cost the vectorisation.
 */
public final class RowKernels {

    private RowKernels() {}

    /** Adds two weighted rows to each of three sums; the weights of a sum lie {@code pitch} behind those before. */
    public static void addTwo(
            float[] sum0,
            float[] sum1,
            float[] sum2,
            float[] row0,
            float[] row1,
            float[] weights,
            int at,
            int pitch,
            int length) {
        float a0 = weights[at];
        float a1 = weights[at + 1];
        float b0 = weights[at + pitch];
        float b1 = weights[at + pitch + 1];
        float c0 = weights[at + 2 * pitch];
        float c1 = weights[at + 2 * pitch + 1];
        for (int j = 0; j < length; j++) {
            float v0 = row0[j];
            float v1 = row1[j];
            float s0 = sum0[j];
            float s1 = sum1[j];
            float s2 = sum2[j];
            sum0[j] = s0 + a0 * v0 + a1 * v1;
            sum1[j] = s1 + b0 * v0 + b1 * v1;
            sum2[j] = s2 + c0 * v0 + c1 * v1;
        }
    }

    /** Adds four weighted rows to one sum. */
    public static void addFour(
            float[] sum, float[] row0, float[] row1, float[] row2, float[] row3, float[] weights, int at, int length) {
        float a0 = weights[at];
        float a1 = weights[at + 1];
        float a2 = weights[at + 2];
        float a3 = weights[at + 3];
        for (int j = 0; j < length; j++) {
            sum[j] = sum[j] + a0 * row0[j] + a1 * row1[j] + a2 * row2[j] + a3 * row3[j];
        }
    }

    /** Adds a weighted row to sums. */
    public static void addRow(float[] sums, int to, float[] rows, int from, float weight, int length) {
        for (int j = 0; j < length; j++) {
            sums[to + j] += weight * rows[from + j];
        }
    }

    /** Adds the products of two rows, element by element. */
    public static void addProducts(float[] sum, float[] left, float[] right, int length) {
        for (int j = 0; j < length; j++) {
            sum[j] += left[j] * right[j];
        }
    }

    /** Adds the products of three pairs of rows, element by element. */
    public static void addThreeProducts(
            float[] sum,
            float[] left0,
            float[] left1,
            float[] left2,
            float[] right0,
            float[] right1,
            float[] right2,
            int length) {
        for (int j = 0; j < length; j++) {
            sum[j] = sum[j] + left0[j] * right0[j] + left1[j] * right1[j] + left2[j] * right2[j];
        }
    }

    /** Adds one row. */
    public static void add(float[] sum, float[] row, int length) {
        for (int j = 0; j < length; j++) {
            sum[j] += row[j];
        }
    }

    /** Adds the row that begins at {@code at}. */
    public static void add(float[] sum, float[] rows, int at, int length) {
        for (int j = 0; j < length; j++) {
            sum[j] += rows[at + j];
        }
    }

    /** Takes the greater of each two elements, of which the second ones begin at {@code at}. */
    public static void max(float[] most, float[] rows, int at, int length) {
        for (int j = 0; j < length; j++) {
            most[j] = Math.max(most[j], rows[at + j]);
        }
    }

    /** Takes the lesser of each two elements, of which the second ones begin at {@code at}. */
    public static void min(float[] least, float[] rows, int at, int length) {
        for (int j = 0; j < length; j++) {
            least[j] = Math.min(least[j], rows[at + j]);
        }
    }

    /** Subtracts a row from the one that begins at {@code at}. */
    public static void subtract(float[] rows, int at, float[] row, int length) {
        for (int j = 0; j < length; j++) {
            rows[at + j] -= row[j];
        }
    }

    /** Divides the row that begins at {@code at} by another one. */
    public static void divide(float[] rows, int at, float[] row, int length) {
        for (int j = 0; j < length; j++) {
            rows[at + j] /= row[j];
        }
    }

    /** Adds one weighted row. */
    public static void addOne(float[] sum, float[] row, float weight, int length) {
        for (int j = 0; j < length; j++) {
            sum[j] += weight * row[j];
        }
    }

    /** Adds three weighted rows. */
    public static void addThree(
            float[] sum,
            float[] row0,
            float weight0,
            float[] row1,
            float weight1,
            float[] row2,
            float weight2,
            int length) {
        for (int j = 0; j < length; j++) {
            sum[j] = sum[j] + weight0 * row0[j] + weight1 * row1[j] + weight2 * row2[j];
        }
    }

    /** Copies {@code count} elements that lie {@code step} apart to where they lie side by side. */
    public static void everyNth(float[] from, int at, int step, float[] to, int target, int count) {
        if (step == 2) {
            for (int i = 0; i < count; i++) {
                to[target + i] = from[at + 2 * i];
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            to[target + i] = from[at + step * i];
        }
    }

    /** Sum of the elements. */
    public static float sum(float[] values) {
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
