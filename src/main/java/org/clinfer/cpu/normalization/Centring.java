package org.clinfer.cpu.normalization;

import org.clinfer.cpu.vector.VectorFunctions;
import org.jspecify.annotations.Nullable;

/** Means and squares of rows of floats, for normalizations; sums are in double precision. */
final class Centring {

    private Centring() {}

    /**
     * Subtracts the mean from a row, which is its first {@code count} elements.
     *
     * @param vectors folds in vectors, or null
     * @return the mean
     */
    static double centre(float[] row, int count, @Nullable VectorFunctions vectors) {
        double mean = sum(row, count, vectors) / count;
        subtract(row, count, mean);
        return mean;
    }

    /** Subtracts a number that float may not hold: what its rounding leaves matters where rows are far from 0. */
    static void subtract(float[] row, int count, double number) {
        float rounded = (float) number;
        float rest = (float) (number - rounded);
        for (int i = 0; i < count; i++) {
            row[i] = row[i] - rounded - rest;
        }
    }

    private static double sum(float[] row, int count, @Nullable VectorFunctions vectors) {
        if (vectors != null) {
            return vectors.fold(VectorFunctions.Fold.SUM, row, 0, count);
        }
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += row[i];
        }
        return sum;
    }

    /** The mean of the squares. */
    static double meanSquare(float[] row, int count, @Nullable VectorFunctions vectors) {
        if (vectors != null) {
            return vectors.fold(VectorFunctions.Fold.SUM_OF_SQUARES, row, 0, count) / count;
        }
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += (double) row[i] * row[i];
        }
        return sum / count;
    }
}
