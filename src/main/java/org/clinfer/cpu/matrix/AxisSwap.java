package org.clinfer.cpu.matrix;

import java.util.function.IntUnaryOperator;

/** Reorders the axes of row-major matrices. */
final class AxisSwap {

    /** The order that changes nothing. */
    static final IntUnaryOperator SAME = i -> i;

    /** Columns that are read together: their elements of a row share a line of the caches. */
    private static final int BLOCK = 16;

    private AxisSwap() {}

    /** [rows, columns] to [columns, rows]. */
    static float[] swap(float[] values, int rows, int columns) {
        float[] swapped = new float[values.length];
        for (int first = 0; first < columns; first += BLOCK) {
            int end = Math.min(columns, first + BLOCK);
            for (int row = 0; row < rows; row++) {
                for (int column = first; column < end; column++) {
                    swapped[column * rows + row] = values[row * columns + column];
                }
            }
        }
        return swapped;
    }

    /** The order that takes [rows, columns] to [columns, rows]. */
    static IntUnaryOperator swapped(int rows, int columns) {
        return i -> i % rows * columns + i / rows;
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
