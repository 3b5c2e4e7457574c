package org.clinfer.cpu;

import java.util.function.IntUnaryOperator;

/** Reorders the axes of row-major arrays. */
final class AxisSwap {

    /** The order that changes nothing. */
    static final IntUnaryOperator SAME = i -> i;

    private AxisSwap() {}

    /** [batch, rows, columns] to [batch, columns, rows]. */
    static float[] swap(float[] values, int batch, int rows, int columns) {
        float[] swapped = new float[values.length];
        for (int image = 0; image < batch; image++) {
            int base = image * rows * columns;
            for (int column = 0; column < columns; column++) {
                for (int row = 0; row < rows; row++) {
                    swapped[base + column * rows + row] = values[base + row * columns + column];
                }
            }
        }
        return swapped;
    }

    /** [taps, in, out] to [out, in, taps]. */
    static float[] reverse(float[] values, int taps, int in, int out) {
        float[] reversed = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            reversed[(i % out * in + i / out % in) * taps + i / out / in] = values[i];
        }
        return reversed;
    }

    /** The order that takes [batch, rows, columns] to [batch, columns, rows]. */
    static IntUnaryOperator swapped(int rows, int columns) {
        return i -> (i / rows / columns * rows + i % rows) * columns + i / rows % columns;
    }

    /** The order that takes [taps, in, out] to [out, in, taps]. */
    static IntUnaryOperator reversed(int taps, int in, int out) {
        return i -> (i % taps * in + i / taps % in) * out + i / taps / in;
    }

    /** The order that takes [first, second, taps] to [second, first, taps]. */
    static IntUnaryOperator exchanged(int first, int second, int taps) {
        return i -> (i / taps % first * second + i / taps / first) * taps + i % taps;
    }

    /** An array whose element i is element {@code order(i)} of {@code values}. */
    static float[] gather(float[] values, IntUnaryOperator order) {
        float[] gathered = new float[values.length];
        for (int i = 0; i < gathered.length; i++) {
            gathered[i] = values[order.applyAsInt(i)];
        }
        return gathered;
    }

    /** An array whose element i is element {@code order(i)} of {@code values}. */
    static double[] gather(double[] values, IntUnaryOperator order) {
        if (order == SAME) {
            return values;
        }
        double[] gathered = new double[values.length];
        for (int i = 0; i < gathered.length; i++) {
            gathered[i] = values[order.applyAsInt(i)];
        }
        return gathered;
    }

    /** An array whose element i is element {@code order(i)} of {@code values}. */
    static long[] gather(long[] values, IntUnaryOperator order) {
        if (order == SAME) {
            return values;
        }
        long[] gathered = new long[values.length];
        for (int i = 0; i < gathered.length; i++) {
            gathered[i] = values[order.applyAsInt(i)];
        }
        return gathered;
    }
}
