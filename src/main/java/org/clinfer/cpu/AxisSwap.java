package org.clinfer.cpu;

/** Reorders the axes of row-major arrays. */
final class AxisSwap {

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

    /** [batch, rows, columns] to [batch, columns, rows]. */
    static double[] swap(double[] values, int batch, int rows, int columns) {
        double[] swapped = new double[values.length];
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

    /** [taps, in, out] to [out, in, taps]. */
    static double[] reverse(double[] values, int taps, int in, int out) {
        double[] reversed = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            reversed[(i % out * in + i / out % in) * taps + i / out / in] = values[i];
        }
        return reversed;
    }
}
