package org.clinfer.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sums of the windows of six pixels of one block of channels, a register of lanes at a time. {@code x} has 16 lanes for
 * each pixel, as has {@code w} for each tap; a tap begins {@code offsets} floats behind its pixel. Written out, because the
 * sums have to be local variables to stay in registers.
 */
final class WindowTiles {

    /** Pixels of a tile. */
    static final int PIXELS = 6;

    private static final int PIXEL = 16;
    private static final VectorSpecies<Float> SPECIES = PanamaKernels.BLOCK_SPECIES;
    private static final Class<? extends FloatVector> KIND = PanamaKernels.BLOCK_KIND;

    private WindowTiles() {}

    /** Windows of any form, {@code step} floats apart. */
    static void sum(float[] x, int at, int step, int[] offsets, float[] w, int weight, float[] sums, int sum) {
        FloatVector s0 = FloatVector.zero(SPECIES);
        FloatVector s1 = s0;
        FloatVector s2 = s0;
        FloatVector s3 = s0;
        FloatVector s4 = s0;
        FloatVector s5 = s0;
        for (int k = 0; k < offsets.length; k++) {
            FloatVector factor = KIND.cast(FloatVector.fromArray(SPECIES, w, weight + k * PIXEL));
            int p = at + offsets[k];
            s0 = factor.fma(KIND.cast(FloatVector.fromArray(SPECIES, x, p)), s0);
            s1 = factor.fma(KIND.cast(FloatVector.fromArray(SPECIES, x, p + step)), s1);
            s2 = factor.fma(KIND.cast(FloatVector.fromArray(SPECIES, x, p + 2 * step)), s2);
            s3 = factor.fma(KIND.cast(FloatVector.fromArray(SPECIES, x, p + 3 * step)), s3);
            s4 = factor.fma(KIND.cast(FloatVector.fromArray(SPECIES, x, p + 4 * step)), s4);
            s5 = factor.fma(KIND.cast(FloatVector.fromArray(SPECIES, x, p + 5 * step)), s5);
        }
        KIND.cast(s0).intoArray(sums, sum);
        KIND.cast(s1).intoArray(sums, sum + PIXEL);
        KIND.cast(s2).intoArray(sums, sum + 2 * PIXEL);
        KIND.cast(s3).intoArray(sums, sum + 3 * PIXEL);
        KIND.cast(s4).intoArray(sums, sum + 4 * PIXEL);
        KIND.cast(s5).intoArray(sums, sum + 5 * PIXEL);
    }

    /** Rows of three taps that follow one another, with stride 1: each pixel is loaded once for a row. */
    static void sumThrees(float[] x, int at, int[] offsets, float[] w, int weight, float[] sums, int sum) {
        FloatVector s0 = FloatVector.zero(SPECIES);
        FloatVector s1 = s0;
        FloatVector s2 = s0;
        FloatVector s3 = s0;
        FloatVector s4 = s0;
        FloatVector s5 = s0;
        for (int row = 0; row < offsets.length; row += 3) {
            int p = at + offsets[row];
            int u = weight + row * PIXEL;
            FloatVector w0 = KIND.cast(FloatVector.fromArray(SPECIES, w, u));
            FloatVector w1 = KIND.cast(FloatVector.fromArray(SPECIES, w, u + PIXEL));
            FloatVector w2 = KIND.cast(FloatVector.fromArray(SPECIES, w, u + 2 * PIXEL));
            FloatVector c0 = KIND.cast(FloatVector.fromArray(SPECIES, x, p));
            s0 = c0.fma(w0, s0);
            FloatVector c1 = KIND.cast(FloatVector.fromArray(SPECIES, x, p + 16));
            s0 = c1.fma(w1, s0);
            s1 = c1.fma(w0, s1);
            FloatVector c2 = KIND.cast(FloatVector.fromArray(SPECIES, x, p + 32));
            s0 = c2.fma(w2, s0);
            s1 = c2.fma(w1, s1);
            s2 = c2.fma(w0, s2);
            FloatVector c3 = KIND.cast(FloatVector.fromArray(SPECIES, x, p + 48));
            s1 = c3.fma(w2, s1);
            s2 = c3.fma(w1, s2);
            s3 = c3.fma(w0, s3);
            FloatVector c4 = KIND.cast(FloatVector.fromArray(SPECIES, x, p + 64));
            s2 = c4.fma(w2, s2);
            s3 = c4.fma(w1, s3);
            s4 = c4.fma(w0, s4);
            FloatVector c5 = KIND.cast(FloatVector.fromArray(SPECIES, x, p + 80));
            s3 = c5.fma(w2, s3);
            s4 = c5.fma(w1, s4);
            s5 = c5.fma(w0, s5);
            FloatVector c6 = KIND.cast(FloatVector.fromArray(SPECIES, x, p + 96));
            s4 = c6.fma(w2, s4);
            s5 = c6.fma(w1, s5);
            FloatVector c7 = KIND.cast(FloatVector.fromArray(SPECIES, x, p + 112));
            s5 = c7.fma(w2, s5);
        }
        KIND.cast(s0).intoArray(sums, sum);
        KIND.cast(s1).intoArray(sums, sum + PIXEL);
        KIND.cast(s2).intoArray(sums, sum + 2 * PIXEL);
        KIND.cast(s3).intoArray(sums, sum + 3 * PIXEL);
        KIND.cast(s4).intoArray(sums, sum + 4 * PIXEL);
        KIND.cast(s5).intoArray(sums, sum + 5 * PIXEL);
    }

    /** As {@link #sumThrees}, with stride 2. */
    static void sumThreesOfStrideTwo(float[] x, int at, int[] offsets, float[] w, int weight, float[] sums, int sum) {
        FloatVector s0 = FloatVector.zero(SPECIES);
        FloatVector s1 = s0;
        FloatVector s2 = s0;
        FloatVector s3 = s0;
        FloatVector s4 = s0;
        FloatVector s5 = s0;
        for (int row = 0; row < offsets.length; row += 3) {
            int p = at + offsets[row];
            int u = weight + row * PIXEL;
            FloatVector w0 = KIND.cast(FloatVector.fromArray(SPECIES, w, u));
            FloatVector w1 = KIND.cast(FloatVector.fromArray(SPECIES, w, u + PIXEL));
            FloatVector w2 = KIND.cast(FloatVector.fromArray(SPECIES, w, u + 2 * PIXEL));
            FloatVector c0 = KIND.cast(FloatVector.fromArray(SPECIES, x, p));
            s0 = c0.fma(w0, s0);
            FloatVector c1 = KIND.cast(FloatVector.fromArray(SPECIES, x, p + 16));
            s0 = c1.fma(w1, s0);
            FloatVector c2 = KIND.cast(FloatVector.fromArray(SPECIES, x, p + 32));
            s0 = c2.fma(w2, s0);
            s1 = c2.fma(w0, s1);
            FloatVector c3 = KIND.cast(FloatVector.fromArray(SPECIES, x, p + 48));
            s1 = c3.fma(w1, s1);
            FloatVector c4 = KIND.cast(FloatVector.fromArray(SPECIES, x, p + 64));
            s1 = c4.fma(w2, s1);
            s2 = c4.fma(w0, s2);
            FloatVector c5 = KIND.cast(FloatVector.fromArray(SPECIES, x, p + 80));
            s2 = c5.fma(w1, s2);
            FloatVector c6 = KIND.cast(FloatVector.fromArray(SPECIES, x, p + 96));
            s2 = c6.fma(w2, s2);
            s3 = c6.fma(w0, s3);
            FloatVector c7 = KIND.cast(FloatVector.fromArray(SPECIES, x, p + 112));
            s3 = c7.fma(w1, s3);
            FloatVector c8 = KIND.cast(FloatVector.fromArray(SPECIES, x, p + 128));
            s3 = c8.fma(w2, s3);
            s4 = c8.fma(w0, s4);
            FloatVector c9 = KIND.cast(FloatVector.fromArray(SPECIES, x, p + 144));
            s4 = c9.fma(w1, s4);
            FloatVector c10 = KIND.cast(FloatVector.fromArray(SPECIES, x, p + 160));
            s4 = c10.fma(w2, s4);
            s5 = c10.fma(w0, s5);
            FloatVector c11 = KIND.cast(FloatVector.fromArray(SPECIES, x, p + 176));
            s5 = c11.fma(w1, s5);
            FloatVector c12 = KIND.cast(FloatVector.fromArray(SPECIES, x, p + 192));
            s5 = c12.fma(w2, s5);
        }
        KIND.cast(s0).intoArray(sums, sum);
        KIND.cast(s1).intoArray(sums, sum + PIXEL);
        KIND.cast(s2).intoArray(sums, sum + 2 * PIXEL);
        KIND.cast(s3).intoArray(sums, sum + 3 * PIXEL);
        KIND.cast(s4).intoArray(sums, sum + 4 * PIXEL);
        KIND.cast(s5).intoArray(sums, sum + 5 * PIXEL);
    }
}
