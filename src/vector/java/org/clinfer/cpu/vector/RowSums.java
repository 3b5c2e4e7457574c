package org.clinfer.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** Products of one row and a dense matrix: {@link VectorKernels#addRow}. */
final class RowSums {

    private static final VectorSpecies<Float> SPECIES = PanamaKernels.SPECIES;
    private static final int LANES = SPECIES.length();
    private static final Class<? extends FloatVector> KIND = PanamaKernels.KIND;

    private RowSums() {}

    static void add(
            float[] a, int left, int depth, float[] b, int right, int columns, float[] y, int to, boolean isFirst) {
        for (int column = 0; column < columns; column += VectorKernels.ROW_VECTORS * LANES) {
            int at = to + column;
            FloatVector s0 = start(y, at, isFirst);
            FloatVector s1 = start(y, at + LANES, isFirst);
            FloatVector s2 = start(y, at + 2 * LANES, isFirst);
            FloatVector s3 = start(y, at + 3 * LANES, isFirst);
            for (int k = 0; k < depth; k++) {
                int from = right + k * columns + column;
                FloatVector factor = KIND.cast(FloatVector.broadcast(SPECIES, a[left + k]));
                s0 = factor.fma(KIND.cast(FloatVector.fromArray(SPECIES, b, from)), s0);
                s1 = factor.fma(KIND.cast(FloatVector.fromArray(SPECIES, b, from + LANES)), s1);
                s2 = factor.fma(KIND.cast(FloatVector.fromArray(SPECIES, b, from + 2 * LANES)), s2);
                s3 = factor.fma(KIND.cast(FloatVector.fromArray(SPECIES, b, from + 3 * LANES)), s3);
            }
            KIND.cast(s0).intoArray(y, at);
            KIND.cast(s1).intoArray(y, at + LANES);
            KIND.cast(s2).intoArray(y, at + 2 * LANES);
            KIND.cast(s3).intoArray(y, at + 3 * LANES);
        }
    }

    /** A vector of sums to go on with, or zeros. */
    private static FloatVector start(float[] y, int at, boolean isFirst) {
        return isFirst ? FloatVector.zero(SPECIES) : KIND.cast(FloatVector.fromArray(SPECIES, y, at));
    }
}
