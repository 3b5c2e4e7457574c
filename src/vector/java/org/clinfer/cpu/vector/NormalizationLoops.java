package org.clinfer.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.clinfer.cpu.vector.VectorFunctions.Fold;

/** Rows scaled by their own deviation: {@link VectorFunctions#normalize}. */
final class NormalizationLoops {

    private static final VectorSpecies<Float> SPECIES = PanamaKernels.SPECIES;
    private static final int LANES = SPECIES.length();
    private static final Class<? extends FloatVector> KIND = PanamaKernels.KIND;

    private NormalizationLoops() {}

    static void normalize(
            float[] values,
            int rows,
            int size,
            boolean isCentred,
            double epsilon,
            float[] scale,
            float[] bias,
            double[] statistics) {
        for (int row = 0; row < rows; row++) {
            int from = row * size;
            double mean = 0;
            if (isCentred) {
                mean = FoldLoops.fold(Fold.SUM, values, from, from + size) / size;
                subtract(values, from, from + size, mean);
            }
            double square = FoldLoops.fold(Fold.SUM_OF_SQUARES, values, from, from + size) / size;
            double factor = 1 / Math.sqrt(square + epsilon);
            scale(values, from, size, (float) factor, scale, bias);
            statistics[2 * row] = mean;
            statistics[2 * row + 1] = factor;
        }
    }

    /** Subtracts a number that float may not hold: what its rounding leaves matters where rows are far from 0. */
    private static void subtract(float[] values, int from, int to, double number) {
        float rounded = (float) number;
        float rest = (float) (number - rounded);
        int i = from;
        for (; i <= to - LANES; i += LANES) {
            KIND.cast(FloatVector.fromArray(SPECIES, values, i))
                    .sub(KIND.cast(FloatVector.broadcast(SPECIES, rounded)))
                    .sub(KIND.cast(FloatVector.broadcast(SPECIES, rest)))
                    .intoArray(values, i);
        }
        for (; i < to; i++) {
            values[i] = values[i] - rounded - rest;
        }
    }

    private static void scale(float[] values, int from, int size, float factor, float[] scale, float[] bias) {
        int i = 0;
        for (; i <= size - LANES; i += LANES) {
            KIND.cast(FloatVector.fromArray(SPECIES, values, from + i))
                    .mul(KIND.cast(FloatVector.broadcast(SPECIES, factor)))
                    .fma(
                            KIND.cast(FloatVector.fromArray(SPECIES, scale, i)),
                            KIND.cast(FloatVector.fromArray(SPECIES, bias, i)))
                    .intoArray(values, from + i);
        }
        for (; i < size; i++) {
            values[from + i] = Math.fma(values[from + i] * factor, scale[i], bias[i]);
        }
    }
}
