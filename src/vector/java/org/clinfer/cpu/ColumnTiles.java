package org.clinfer.cpu;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** Tiles of a product in which the terms of the pixels of a tile lie side by side. */
final class ColumnTiles {

    private static final VectorSpecies<Float> SPECIES = PanamaKernels.BLOCK_SPECIES;
    private static final int LANES = SPECIES.length();

    private ColumnTiles() {}

    static void sum14x2(float[] w, int weight, float[] x, int terms, float[] sums, int sum, int pitch) {
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
        FloatVector s7a = FloatVector.zero(SPECIES);
        FloatVector s7b = FloatVector.zero(SPECIES);
        FloatVector s8a = FloatVector.zero(SPECIES);
        FloatVector s8b = FloatVector.zero(SPECIES);
        FloatVector s9a = FloatVector.zero(SPECIES);
        FloatVector s9b = FloatVector.zero(SPECIES);
        FloatVector s10a = FloatVector.zero(SPECIES);
        FloatVector s10b = FloatVector.zero(SPECIES);
        FloatVector s11a = FloatVector.zero(SPECIES);
        FloatVector s11b = FloatVector.zero(SPECIES);
        FloatVector s12a = FloatVector.zero(SPECIES);
        FloatVector s12b = FloatVector.zero(SPECIES);
        FloatVector s13a = FloatVector.zero(SPECIES);
        FloatVector s13b = FloatVector.zero(SPECIES);
        for (int k = 0; k < terms; k++) {
            FloatVector wa = FloatVector.fromArray(SPECIES, w, weight + 2 * LANES * k);
            FloatVector wb = FloatVector.fromArray(SPECIES, w, weight + 2 * LANES * k + LANES);
            FloatVector x0 = FloatVector.broadcast(SPECIES, x[14 * k]);
            s0a = x0.fma(wa, s0a);
            s0b = x0.fma(wb, s0b);
            FloatVector x1 = FloatVector.broadcast(SPECIES, x[14 * k + 1]);
            s1a = x1.fma(wa, s1a);
            s1b = x1.fma(wb, s1b);
            FloatVector x2 = FloatVector.broadcast(SPECIES, x[14 * k + 2]);
            s2a = x2.fma(wa, s2a);
            s2b = x2.fma(wb, s2b);
            FloatVector x3 = FloatVector.broadcast(SPECIES, x[14 * k + 3]);
            s3a = x3.fma(wa, s3a);
            s3b = x3.fma(wb, s3b);
            FloatVector x4 = FloatVector.broadcast(SPECIES, x[14 * k + 4]);
            s4a = x4.fma(wa, s4a);
            s4b = x4.fma(wb, s4b);
            FloatVector x5 = FloatVector.broadcast(SPECIES, x[14 * k + 5]);
            s5a = x5.fma(wa, s5a);
            s5b = x5.fma(wb, s5b);
            FloatVector x6 = FloatVector.broadcast(SPECIES, x[14 * k + 6]);
            s6a = x6.fma(wa, s6a);
            s6b = x6.fma(wb, s6b);
            FloatVector x7 = FloatVector.broadcast(SPECIES, x[14 * k + 7]);
            s7a = x7.fma(wa, s7a);
            s7b = x7.fma(wb, s7b);
            FloatVector x8 = FloatVector.broadcast(SPECIES, x[14 * k + 8]);
            s8a = x8.fma(wa, s8a);
            s8b = x8.fma(wb, s8b);
            FloatVector x9 = FloatVector.broadcast(SPECIES, x[14 * k + 9]);
            s9a = x9.fma(wa, s9a);
            s9b = x9.fma(wb, s9b);
            FloatVector x10 = FloatVector.broadcast(SPECIES, x[14 * k + 10]);
            s10a = x10.fma(wa, s10a);
            s10b = x10.fma(wb, s10b);
            FloatVector x11 = FloatVector.broadcast(SPECIES, x[14 * k + 11]);
            s11a = x11.fma(wa, s11a);
            s11b = x11.fma(wb, s11b);
            FloatVector x12 = FloatVector.broadcast(SPECIES, x[14 * k + 12]);
            s12a = x12.fma(wa, s12a);
            s12b = x12.fma(wb, s12b);
            FloatVector x13 = FloatVector.broadcast(SPECIES, x[14 * k + 13]);
            s13a = x13.fma(wa, s13a);
            s13b = x13.fma(wb, s13b);
        }
        s0a.intoArray(sums, sum);
        s0b.intoArray(sums, sum + 0 + pitch);
        s1a.intoArray(sums, sum + 16);
        s1b.intoArray(sums, sum + 16 + pitch);
        s2a.intoArray(sums, sum + 32);
        s2b.intoArray(sums, sum + 32 + pitch);
        s3a.intoArray(sums, sum + 48);
        s3b.intoArray(sums, sum + 48 + pitch);
        s4a.intoArray(sums, sum + 64);
        s4b.intoArray(sums, sum + 64 + pitch);
        s5a.intoArray(sums, sum + 80);
        s5b.intoArray(sums, sum + 80 + pitch);
        s6a.intoArray(sums, sum + 96);
        s6b.intoArray(sums, sum + 96 + pitch);
        s7a.intoArray(sums, sum + 112);
        s7b.intoArray(sums, sum + 112 + pitch);
        s8a.intoArray(sums, sum + 128);
        s8b.intoArray(sums, sum + 128 + pitch);
        s9a.intoArray(sums, sum + 144);
        s9b.intoArray(sums, sum + 144 + pitch);
        s10a.intoArray(sums, sum + 160);
        s10b.intoArray(sums, sum + 160 + pitch);
        s11a.intoArray(sums, sum + 176);
        s11b.intoArray(sums, sum + 176 + pitch);
        s12a.intoArray(sums, sum + 192);
        s12b.intoArray(sums, sum + 192 + pitch);
        s13a.intoArray(sums, sum + 208);
        s13b.intoArray(sums, sum + 208 + pitch);
    }

    static void sum14x1(float[] w, int weight, float[] x, int terms, float[] sums, int sum) {
        FloatVector s0a = FloatVector.zero(SPECIES);
        FloatVector s1a = FloatVector.zero(SPECIES);
        FloatVector s2a = FloatVector.zero(SPECIES);
        FloatVector s3a = FloatVector.zero(SPECIES);
        FloatVector s4a = FloatVector.zero(SPECIES);
        FloatVector s5a = FloatVector.zero(SPECIES);
        FloatVector s6a = FloatVector.zero(SPECIES);
        FloatVector s7a = FloatVector.zero(SPECIES);
        FloatVector s8a = FloatVector.zero(SPECIES);
        FloatVector s9a = FloatVector.zero(SPECIES);
        FloatVector s10a = FloatVector.zero(SPECIES);
        FloatVector s11a = FloatVector.zero(SPECIES);
        FloatVector s12a = FloatVector.zero(SPECIES);
        FloatVector s13a = FloatVector.zero(SPECIES);
        for (int k = 0; k < terms; k++) {
            FloatVector wa = FloatVector.fromArray(SPECIES, w, weight + LANES * k);
            FloatVector x0 = FloatVector.broadcast(SPECIES, x[14 * k]);
            s0a = x0.fma(wa, s0a);
            FloatVector x1 = FloatVector.broadcast(SPECIES, x[14 * k + 1]);
            s1a = x1.fma(wa, s1a);
            FloatVector x2 = FloatVector.broadcast(SPECIES, x[14 * k + 2]);
            s2a = x2.fma(wa, s2a);
            FloatVector x3 = FloatVector.broadcast(SPECIES, x[14 * k + 3]);
            s3a = x3.fma(wa, s3a);
            FloatVector x4 = FloatVector.broadcast(SPECIES, x[14 * k + 4]);
            s4a = x4.fma(wa, s4a);
            FloatVector x5 = FloatVector.broadcast(SPECIES, x[14 * k + 5]);
            s5a = x5.fma(wa, s5a);
            FloatVector x6 = FloatVector.broadcast(SPECIES, x[14 * k + 6]);
            s6a = x6.fma(wa, s6a);
            FloatVector x7 = FloatVector.broadcast(SPECIES, x[14 * k + 7]);
            s7a = x7.fma(wa, s7a);
            FloatVector x8 = FloatVector.broadcast(SPECIES, x[14 * k + 8]);
            s8a = x8.fma(wa, s8a);
            FloatVector x9 = FloatVector.broadcast(SPECIES, x[14 * k + 9]);
            s9a = x9.fma(wa, s9a);
            FloatVector x10 = FloatVector.broadcast(SPECIES, x[14 * k + 10]);
            s10a = x10.fma(wa, s10a);
            FloatVector x11 = FloatVector.broadcast(SPECIES, x[14 * k + 11]);
            s11a = x11.fma(wa, s11a);
            FloatVector x12 = FloatVector.broadcast(SPECIES, x[14 * k + 12]);
            s12a = x12.fma(wa, s12a);
            FloatVector x13 = FloatVector.broadcast(SPECIES, x[14 * k + 13]);
            s13a = x13.fma(wa, s13a);
        }
        s0a.intoArray(sums, sum);
        s1a.intoArray(sums, sum + 16);
        s2a.intoArray(sums, sum + 32);
        s3a.intoArray(sums, sum + 48);
        s4a.intoArray(sums, sum + 64);
        s5a.intoArray(sums, sum + 80);
        s6a.intoArray(sums, sum + 96);
        s7a.intoArray(sums, sum + 112);
        s8a.intoArray(sums, sum + 128);
        s9a.intoArray(sums, sum + 144);
        s10a.intoArray(sums, sum + 160);
        s11a.intoArray(sums, sum + 176);
        s12a.intoArray(sums, sum + 192);
        s13a.intoArray(sums, sum + 208);
    }

    static void sum6x2(float[] w, int weight, float[] x, int terms, float[] sums, int sum, int pitch) {
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
        for (int k = 0; k < terms; k++) {
            FloatVector wa = FloatVector.fromArray(SPECIES, w, weight + 2 * LANES * k);
            FloatVector wb = FloatVector.fromArray(SPECIES, w, weight + 2 * LANES * k + LANES);
            FloatVector x0 = FloatVector.broadcast(SPECIES, x[6 * k]);
            s0a = x0.fma(wa, s0a);
            s0b = x0.fma(wb, s0b);
            FloatVector x1 = FloatVector.broadcast(SPECIES, x[6 * k + 1]);
            s1a = x1.fma(wa, s1a);
            s1b = x1.fma(wb, s1b);
            FloatVector x2 = FloatVector.broadcast(SPECIES, x[6 * k + 2]);
            s2a = x2.fma(wa, s2a);
            s2b = x2.fma(wb, s2b);
            FloatVector x3 = FloatVector.broadcast(SPECIES, x[6 * k + 3]);
            s3a = x3.fma(wa, s3a);
            s3b = x3.fma(wb, s3b);
            FloatVector x4 = FloatVector.broadcast(SPECIES, x[6 * k + 4]);
            s4a = x4.fma(wa, s4a);
            s4b = x4.fma(wb, s4b);
            FloatVector x5 = FloatVector.broadcast(SPECIES, x[6 * k + 5]);
            s5a = x5.fma(wa, s5a);
            s5b = x5.fma(wb, s5b);
        }
        s0a.intoArray(sums, sum);
        s0b.intoArray(sums, sum + 0 + pitch);
        s1a.intoArray(sums, sum + 16);
        s1b.intoArray(sums, sum + 16 + pitch);
        s2a.intoArray(sums, sum + 32);
        s2b.intoArray(sums, sum + 32 + pitch);
        s3a.intoArray(sums, sum + 48);
        s3b.intoArray(sums, sum + 48 + pitch);
        s4a.intoArray(sums, sum + 64);
        s4b.intoArray(sums, sum + 64 + pitch);
        s5a.intoArray(sums, sum + 80);
        s5b.intoArray(sums, sum + 80 + pitch);
    }
}
