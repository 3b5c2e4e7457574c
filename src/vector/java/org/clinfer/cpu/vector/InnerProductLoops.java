package org.clinfer.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Products of one row with others: {@link VectorFunctions#innerProducts}. */
final class InnerProductLoops {

    private static final VectorSpecies<Float> SPECIES = PanamaKernels.SPECIES;
    private static final int LANES = SPECIES.length();
    private static final Class<? extends FloatVector> KIND = PanamaKernels.KIND;

    private InnerProductLoops() {}

    static void sum(float[] left, int at, float[] right, int from, int rows, int depth, float[] sums, int to) {
        int j = 0;
        for (; j + 4 <= rows; j += 4) {
            four(left, at, right, from + j * depth, depth, sums, to + j);
        }
        for (; j < rows; j++) {
            one(left, at, right, from + j * depth, depth, sums, to + j);
        }
    }

    private static void four(float[] left, int at, float[] right, int from, int depth, float[] sums, int to) {
        FloatVector s00 = FloatVector.zero(SPECIES);
        FloatVector s01 = s00;
        FloatVector s10 = s00;
        FloatVector s11 = s00;
        FloatVector s20 = s00;
        FloatVector s21 = s00;
        FloatVector s30 = s00;
        FloatVector s31 = s00;
        int r1 = from + depth;
        int r2 = from + 2 * depth;
        int r3 = from + 3 * depth;
        int k = 0;
        for (; k <= depth - 2 * LANES; k += 2 * LANES) {
            FloatVector x0 = KIND.cast(FloatVector.fromArray(SPECIES, left, at + k));
            FloatVector x1 = KIND.cast(FloatVector.fromArray(SPECIES, left, at + k + LANES));
            s00 = x0.fma(KIND.cast(FloatVector.fromArray(SPECIES, right, from + k)), s00);
            s01 = x1.fma(KIND.cast(FloatVector.fromArray(SPECIES, right, from + k + LANES)), s01);
            s10 = x0.fma(KIND.cast(FloatVector.fromArray(SPECIES, right, r1 + k)), s10);
            s11 = x1.fma(KIND.cast(FloatVector.fromArray(SPECIES, right, r1 + k + LANES)), s11);
            s20 = x0.fma(KIND.cast(FloatVector.fromArray(SPECIES, right, r2 + k)), s20);
            s21 = x1.fma(KIND.cast(FloatVector.fromArray(SPECIES, right, r2 + k + LANES)), s21);
            s30 = x0.fma(KIND.cast(FloatVector.fromArray(SPECIES, right, r3 + k)), s30);
            s31 = x1.fma(KIND.cast(FloatVector.fromArray(SPECIES, right, r3 + k + LANES)), s31);
        }
        float sum0 = KIND.cast(s00).add(s01).reduceLanes(VectorOperators.ADD);
        float sum1 = KIND.cast(s10).add(s11).reduceLanes(VectorOperators.ADD);
        float sum2 = KIND.cast(s20).add(s21).reduceLanes(VectorOperators.ADD);
        float sum3 = KIND.cast(s30).add(s31).reduceLanes(VectorOperators.ADD);
        for (; k < depth; k++) {
            float x = left[at + k];
            sum0 += x * right[from + k];
            sum1 += x * right[r1 + k];
            sum2 += x * right[r2 + k];
            sum3 += x * right[r3 + k];
        }
        sums[to] = sum0;
        sums[to + 1] = sum1;
        sums[to + 2] = sum2;
        sums[to + 3] = sum3;
    }

    private static void one(float[] left, int at, float[] right, int from, int depth, float[] sums, int to) {
        FloatVector s0 = FloatVector.zero(SPECIES);
        FloatVector s1 = s0;
        int k = 0;
        for (; k <= depth - 2 * LANES; k += 2 * LANES) {
            FloatVector x0 = KIND.cast(FloatVector.fromArray(SPECIES, left, at + k));
            FloatVector x1 = KIND.cast(FloatVector.fromArray(SPECIES, left, at + k + LANES));
            s0 = x0.fma(KIND.cast(FloatVector.fromArray(SPECIES, right, from + k)), s0);
            s1 = x1.fma(KIND.cast(FloatVector.fromArray(SPECIES, right, from + k + LANES)), s1);
        }
        float sum = KIND.cast(s0).add(s1).reduceLanes(VectorOperators.ADD);
        for (; k < depth; k++) {
            sum += left[at + k] * right[from + k];
        }
        sums[to] = sum;
    }
}
