package org.clinfer.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** Tiles of a product in which what one weight meets in the pixels of a tile lies side by side. */
final class ColumnTiles {

    private static final VectorSpecies<Float> SPECIES = PanamaKernels.BLOCK_SPECIES;
    private static final int LANES = SPECIES.length();
    private static final Class<? extends FloatVector> KIND = PanamaKernels.BLOCK_KIND;

    /** For sums that begin as values of their own: copies of one register take HotSpot's allocator many more. */
    private static final float[] ZEROS = new float[12 * LANES];

    private ColumnTiles() {}

    static void sum7x2(
            float[] w, int weight, float[] x, int at, int[] offsets, int terms, float[] sums, int sum, int pitch) {
        FloatVector s0a = FloatVector.zero(SPECIES);
        FloatVector s0b = FloatVector.zero(SPECIES);
        FloatVector s1a = FloatVector.zero(SPECIES);
        FloatVector s1b = FloatVector.zero(SPECIES);
        FloatVector s2a = FloatVector.zero(SPECIES);
        FloatVector s2b = FloatVector.zero(SPECIES);
        FloatVector s3a = FloatVector.zero(SPECIES);
        FloatVector s3b = FloatVector.zero(SPECIES);
        FloatVector s4a = FloatVector.zero(SPECIES);
        FloatVector s4b = FloatVector.zero(SPECIES);
        FloatVector s5a = FloatVector.zero(SPECIES);
        FloatVector s5b = FloatVector.zero(SPECIES);
        FloatVector s6a = FloatVector.zero(SPECIES);
        FloatVector s6b = FloatVector.zero(SPECIES);
        for (int k = 0; k < terms; k++) {
            int p = at + offsets[k];
            FloatVector wa = KIND.cast(FloatVector.fromArray(SPECIES, w, weight + 2 * LANES * k));
            FloatVector wb = KIND.cast(FloatVector.fromArray(SPECIES, w, weight + 2 * LANES * k + LANES));
            FloatVector x0 = KIND.cast(FloatVector.broadcast(SPECIES, x[p]));
            s0a = x0.fma(wa, s0a);
            s0b = x0.fma(wb, s0b);
            FloatVector x1 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 1]));
            s1a = x1.fma(wa, s1a);
            s1b = x1.fma(wb, s1b);
            FloatVector x2 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 2]));
            s2a = x2.fma(wa, s2a);
            s2b = x2.fma(wb, s2b);
            FloatVector x3 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 3]));
            s3a = x3.fma(wa, s3a);
            s3b = x3.fma(wb, s3b);
            FloatVector x4 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 4]));
            s4a = x4.fma(wa, s4a);
            s4b = x4.fma(wb, s4b);
            FloatVector x5 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 5]));
            s5a = x5.fma(wa, s5a);
            s5b = x5.fma(wb, s5b);
            FloatVector x6 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 6]));
            s6a = x6.fma(wa, s6a);
            s6b = x6.fma(wb, s6b);
        }
        KIND.cast(s0a).intoArray(sums, sum);
        KIND.cast(s0b).intoArray(sums, sum + pitch);
        KIND.cast(s1a).intoArray(sums, sum + 16);
        KIND.cast(s1b).intoArray(sums, sum + 16 + pitch);
        KIND.cast(s2a).intoArray(sums, sum + 32);
        KIND.cast(s2b).intoArray(sums, sum + 32 + pitch);
        KIND.cast(s3a).intoArray(sums, sum + 48);
        KIND.cast(s3b).intoArray(sums, sum + 48 + pitch);
        KIND.cast(s4a).intoArray(sums, sum + 64);
        KIND.cast(s4b).intoArray(sums, sum + 64 + pitch);
        KIND.cast(s5a).intoArray(sums, sum + 80);
        KIND.cast(s5b).intoArray(sums, sum + 80 + pitch);
        KIND.cast(s6a).intoArray(sums, sum + 96);
        KIND.cast(s6b).intoArray(sums, sum + 96 + pitch);
    }

    static void sum7x1(float[] w, int weight, float[] x, int at, int[] offsets, int terms, float[] sums, int sum) {
        FloatVector s0a = FloatVector.zero(SPECIES);
        FloatVector s1a = FloatVector.zero(SPECIES);
        FloatVector s2a = FloatVector.zero(SPECIES);
        FloatVector s3a = FloatVector.zero(SPECIES);
        FloatVector s4a = FloatVector.zero(SPECIES);
        FloatVector s5a = FloatVector.zero(SPECIES);
        FloatVector s6a = FloatVector.zero(SPECIES);
        for (int k = 0; k < terms; k++) {
            int p = at + offsets[k];
            FloatVector wa = KIND.cast(FloatVector.fromArray(SPECIES, w, weight + LANES * k));
            FloatVector x0 = KIND.cast(FloatVector.broadcast(SPECIES, x[p]));
            s0a = x0.fma(wa, s0a);
            FloatVector x1 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 1]));
            s1a = x1.fma(wa, s1a);
            FloatVector x2 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 2]));
            s2a = x2.fma(wa, s2a);
            FloatVector x3 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 3]));
            s3a = x3.fma(wa, s3a);
            FloatVector x4 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 4]));
            s4a = x4.fma(wa, s4a);
            FloatVector x5 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 5]));
            s5a = x5.fma(wa, s5a);
            FloatVector x6 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 6]));
            s6a = x6.fma(wa, s6a);
        }
        KIND.cast(s0a).intoArray(sums, sum);
        KIND.cast(s1a).intoArray(sums, sum + 16);
        KIND.cast(s2a).intoArray(sums, sum + 32);
        KIND.cast(s3a).intoArray(sums, sum + 48);
        KIND.cast(s4a).intoArray(sums, sum + 64);
        KIND.cast(s5a).intoArray(sums, sum + 80);
        KIND.cast(s6a).intoArray(sums, sum + 96);
    }

    static void sum6x2(
            float[] w, int weight, float[] x, int at, int[] offsets, int terms, float[] sums, int sum, int pitch) {
        FloatVector s0a = KIND.cast(FloatVector.fromArray(SPECIES, ZEROS, 0));
        FloatVector s0b = KIND.cast(FloatVector.fromArray(SPECIES, ZEROS, LANES));
        FloatVector s1a = KIND.cast(FloatVector.fromArray(SPECIES, ZEROS, 2 * LANES));
        FloatVector s1b = KIND.cast(FloatVector.fromArray(SPECIES, ZEROS, 3 * LANES));
        FloatVector s2a = KIND.cast(FloatVector.fromArray(SPECIES, ZEROS, 4 * LANES));
        FloatVector s2b = KIND.cast(FloatVector.fromArray(SPECIES, ZEROS, 5 * LANES));
        FloatVector s3a = KIND.cast(FloatVector.fromArray(SPECIES, ZEROS, 6 * LANES));
        FloatVector s3b = KIND.cast(FloatVector.fromArray(SPECIES, ZEROS, 7 * LANES));
        FloatVector s4a = KIND.cast(FloatVector.fromArray(SPECIES, ZEROS, 8 * LANES));
        FloatVector s4b = KIND.cast(FloatVector.fromArray(SPECIES, ZEROS, 9 * LANES));
        FloatVector s5a = KIND.cast(FloatVector.fromArray(SPECIES, ZEROS, 10 * LANES));
        FloatVector s5b = KIND.cast(FloatVector.fromArray(SPECIES, ZEROS, 11 * LANES));
        for (int k = 0; k < terms; k++) {
            int p = at + offsets[k];
            int u = weight + 2 * LANES * k;
            FloatVector wa = KIND.cast(FloatVector.fromArray(SPECIES, w, u));
            FloatVector wb = KIND.cast(FloatVector.fromArray(SPECIES, w, u + LANES));
            FloatVector x0 = KIND.cast(FloatVector.broadcast(SPECIES, x[p]));
            s0a = x0.fma(wa, s0a);
            s0b = x0.fma(wb, s0b);
            FloatVector x1 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 1]));
            s1a = x1.fma(wa, s1a);
            s1b = x1.fma(wb, s1b);
            FloatVector x2 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 2]));
            s2a = x2.fma(wa, s2a);
            s2b = x2.fma(wb, s2b);
            FloatVector x3 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 3]));
            s3a = x3.fma(wa, s3a);
            s3b = x3.fma(wb, s3b);
            FloatVector x4 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 4]));
            s4a = x4.fma(wa, s4a);
            s4b = x4.fma(wb, s4b);
            FloatVector x5 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 5]));
            s5a = x5.fma(wa, s5a);
            s5b = x5.fma(wb, s5b);
        }
        KIND.cast(s0a).intoArray(sums, sum);
        KIND.cast(s0b).intoArray(sums, sum + pitch);
        KIND.cast(s1a).intoArray(sums, sum + 16);
        KIND.cast(s1b).intoArray(sums, sum + 16 + pitch);
        KIND.cast(s2a).intoArray(sums, sum + 32);
        KIND.cast(s2b).intoArray(sums, sum + 32 + pitch);
        KIND.cast(s3a).intoArray(sums, sum + 48);
        KIND.cast(s3b).intoArray(sums, sum + 48 + pitch);
        KIND.cast(s4a).intoArray(sums, sum + 64);
        KIND.cast(s4b).intoArray(sums, sum + 64 + pitch);
        KIND.cast(s5a).intoArray(sums, sum + 80);
        KIND.cast(s5b).intoArray(sums, sum + 80 + pitch);
    }
}
