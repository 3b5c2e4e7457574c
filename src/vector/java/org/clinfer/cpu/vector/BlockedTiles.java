package org.clinfer.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** Tiles of pixels and output channels of a product of blocked channels. */
final class BlockedTiles {

    /*
     * Written out, because the sums have to be local variables to stay in registers. Processors with 16 of them hold 6 x 2
     * sums, if the body of the loop has one channel: of more, HotSpot loads weights long before it uses them. Larger tiles
     * than 7 x 2 would be little faster with 32, but take HotSpot several times as long to compile, as do more than four
     * channels in the body of the loop; of 8 x 2 it makes objects in some processes.
     */
    private static final VectorSpecies<Float> SPECIES = PanamaKernels.BLOCK_SPECIES;
    private static final int LANES = SPECIES.length();
    private static final int WIDTH = 2 * LANES;
    private static final Class<? extends FloatVector> KIND = PanamaKernels.BLOCK_KIND;

    private BlockedTiles() {}

    static void add(
            float[] w,
            int weight,
            float[] x,
            int at,
            int[] offsets,
            int from,
            int terms,
            float[] sums,
            int sum,
            int pitch,
            int vectors) {
        if (PanamaKernels.HAS_FEW_REGISTERS) {
            tile6x2(w, weight, x, at, offsets, from, terms, sums, sum, pitch);
        } else if (vectors == 2) {
            tile7x2(w, weight, x, at, offsets, from, terms, sums, sum, pitch);
        } else {
            tile7x1(w, weight, x, at, offsets, from, terms, sums, sum);
        }
    }

    private static void tile7x2(
            float[] w,
            int weight,
            float[] x,
            int at,
            int[] offsets,
            int from,
            int terms,
            float[] sums,
            int sum,
            int pitch) {
        FloatVector s0a = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum));
        FloatVector s0b = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + pitch));
        FloatVector s1a = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 16));
        FloatVector s1b = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 16 + pitch));
        FloatVector s2a = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 32));
        FloatVector s2b = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 32 + pitch));
        FloatVector s3a = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 48));
        FloatVector s3b = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 48 + pitch));
        FloatVector s4a = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 64));
        FloatVector s4b = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 64 + pitch));
        FloatVector s5a = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 80));
        FloatVector s5b = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 80 + pitch));
        FloatVector s6a = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 96));
        FloatVector s6b = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 96 + pitch));
        for (int term = 0; term < terms; term++) {
            int p = at + offsets[from + term];
            int u = weight + term * 8 * LANES;
            FloatVector wa = KIND.cast(FloatVector.fromArray(SPECIES, w, u));
            FloatVector wb = KIND.cast(FloatVector.fromArray(SPECIES, w, u + LANES));
            FloatVector x0 = KIND.cast(FloatVector.broadcast(SPECIES, x[p]));
            s0a = x0.fma(wa, s0a);
            s0b = x0.fma(wb, s0b);
            FloatVector x1 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 16]));
            s1a = x1.fma(wa, s1a);
            s1b = x1.fma(wb, s1b);
            FloatVector x2 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 32]));
            s2a = x2.fma(wa, s2a);
            s2b = x2.fma(wb, s2b);
            FloatVector x3 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 48]));
            s3a = x3.fma(wa, s3a);
            s3b = x3.fma(wb, s3b);
            FloatVector x4 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 64]));
            s4a = x4.fma(wa, s4a);
            s4b = x4.fma(wb, s4b);
            FloatVector x5 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 80]));
            s5a = x5.fma(wa, s5a);
            s5b = x5.fma(wb, s5b);
            FloatVector x6 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 96]));
            s6a = x6.fma(wa, s6a);
            s6b = x6.fma(wb, s6b);
            wa = KIND.cast(FloatVector.fromArray(SPECIES, w, u + 2 * LANES));
            wb = KIND.cast(FloatVector.fromArray(SPECIES, w, u + 3 * LANES));
            x0 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 1]));
            s0a = x0.fma(wa, s0a);
            s0b = x0.fma(wb, s0b);
            x1 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 17]));
            s1a = x1.fma(wa, s1a);
            s1b = x1.fma(wb, s1b);
            x2 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 33]));
            s2a = x2.fma(wa, s2a);
            s2b = x2.fma(wb, s2b);
            x3 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 49]));
            s3a = x3.fma(wa, s3a);
            s3b = x3.fma(wb, s3b);
            x4 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 65]));
            s4a = x4.fma(wa, s4a);
            s4b = x4.fma(wb, s4b);
            x5 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 81]));
            s5a = x5.fma(wa, s5a);
            s5b = x5.fma(wb, s5b);
            x6 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 97]));
            s6a = x6.fma(wa, s6a);
            s6b = x6.fma(wb, s6b);
            wa = KIND.cast(FloatVector.fromArray(SPECIES, w, u + 4 * LANES));
            wb = KIND.cast(FloatVector.fromArray(SPECIES, w, u + 5 * LANES));
            x0 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 2]));
            s0a = x0.fma(wa, s0a);
            s0b = x0.fma(wb, s0b);
            x1 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 18]));
            s1a = x1.fma(wa, s1a);
            s1b = x1.fma(wb, s1b);
            x2 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 34]));
            s2a = x2.fma(wa, s2a);
            s2b = x2.fma(wb, s2b);
            x3 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 50]));
            s3a = x3.fma(wa, s3a);
            s3b = x3.fma(wb, s3b);
            x4 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 66]));
            s4a = x4.fma(wa, s4a);
            s4b = x4.fma(wb, s4b);
            x5 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 82]));
            s5a = x5.fma(wa, s5a);
            s5b = x5.fma(wb, s5b);
            x6 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 98]));
            s6a = x6.fma(wa, s6a);
            s6b = x6.fma(wb, s6b);
            wa = KIND.cast(FloatVector.fromArray(SPECIES, w, u + 6 * LANES));
            wb = KIND.cast(FloatVector.fromArray(SPECIES, w, u + 7 * LANES));
            x0 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 3]));
            s0a = x0.fma(wa, s0a);
            s0b = x0.fma(wb, s0b);
            x1 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 19]));
            s1a = x1.fma(wa, s1a);
            s1b = x1.fma(wb, s1b);
            x2 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 35]));
            s2a = x2.fma(wa, s2a);
            s2b = x2.fma(wb, s2b);
            x3 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 51]));
            s3a = x3.fma(wa, s3a);
            s3b = x3.fma(wb, s3b);
            x4 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 67]));
            s4a = x4.fma(wa, s4a);
            s4b = x4.fma(wb, s4b);
            x5 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 83]));
            s5a = x5.fma(wa, s5a);
            s5b = x5.fma(wb, s5b);
            x6 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 99]));
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

    private static void tile7x1(
            float[] w, int weight, float[] x, int at, int[] offsets, int from, int terms, float[] sums, int sum) {
        FloatVector s0a = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum));
        FloatVector s1a = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 16));
        FloatVector s2a = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 32));
        FloatVector s3a = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 48));
        FloatVector s4a = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 64));
        FloatVector s5a = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 80));
        FloatVector s6a = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 96));
        for (int term = 0; term < terms; term++) {
            int p = at + offsets[from + term];
            int u = weight + term * 4 * LANES;
            FloatVector wa = KIND.cast(FloatVector.fromArray(SPECIES, w, u));
            FloatVector x0 = KIND.cast(FloatVector.broadcast(SPECIES, x[p]));
            s0a = x0.fma(wa, s0a);
            FloatVector x1 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 16]));
            s1a = x1.fma(wa, s1a);
            FloatVector x2 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 32]));
            s2a = x2.fma(wa, s2a);
            FloatVector x3 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 48]));
            s3a = x3.fma(wa, s3a);
            FloatVector x4 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 64]));
            s4a = x4.fma(wa, s4a);
            FloatVector x5 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 80]));
            s5a = x5.fma(wa, s5a);
            FloatVector x6 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 96]));
            s6a = x6.fma(wa, s6a);
            wa = KIND.cast(FloatVector.fromArray(SPECIES, w, u + LANES));
            x0 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 1]));
            s0a = x0.fma(wa, s0a);
            x1 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 17]));
            s1a = x1.fma(wa, s1a);
            x2 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 33]));
            s2a = x2.fma(wa, s2a);
            x3 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 49]));
            s3a = x3.fma(wa, s3a);
            x4 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 65]));
            s4a = x4.fma(wa, s4a);
            x5 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 81]));
            s5a = x5.fma(wa, s5a);
            x6 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 97]));
            s6a = x6.fma(wa, s6a);
            wa = KIND.cast(FloatVector.fromArray(SPECIES, w, u + 2 * LANES));
            x0 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 2]));
            s0a = x0.fma(wa, s0a);
            x1 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 18]));
            s1a = x1.fma(wa, s1a);
            x2 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 34]));
            s2a = x2.fma(wa, s2a);
            x3 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 50]));
            s3a = x3.fma(wa, s3a);
            x4 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 66]));
            s4a = x4.fma(wa, s4a);
            x5 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 82]));
            s5a = x5.fma(wa, s5a);
            x6 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 98]));
            s6a = x6.fma(wa, s6a);
            wa = KIND.cast(FloatVector.fromArray(SPECIES, w, u + 3 * LANES));
            x0 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 3]));
            s0a = x0.fma(wa, s0a);
            x1 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 19]));
            s1a = x1.fma(wa, s1a);
            x2 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 35]));
            s2a = x2.fma(wa, s2a);
            x3 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 51]));
            s3a = x3.fma(wa, s3a);
            x4 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 67]));
            s4a = x4.fma(wa, s4a);
            x5 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 83]));
            s5a = x5.fma(wa, s5a);
            x6 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + 99]));
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

    /** Channels that follow one another from a term on: a whole pixel, or those of the term. */
    private static int lanes(int[] offsets, int term, int end) {
        return end - term >= 4
                        && offsets[term + 1] == offsets[term] + 4
                        && offsets[term + 2] == offsets[term] + 8
                        && offsets[term + 3] == offsets[term] + 12
                ? 16
                : 4;
    }

    private static void tile6x2(
            float[] w,
            int weight,
            float[] x,
            int at,
            int[] offsets,
            int from,
            int terms,
            float[] sums,
            int sum,
            int pitch) {
        FloatVector s0a = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum));
        FloatVector s0b = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + pitch));
        FloatVector s1a = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 16));
        FloatVector s1b = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 16 + pitch));
        FloatVector s2a = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 32));
        FloatVector s2b = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 32 + pitch));
        FloatVector s3a = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 48));
        FloatVector s3b = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 48 + pitch));
        FloatVector s4a = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 64));
        FloatVector s4b = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 64 + pitch));
        FloatVector s5a = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 80));
        FloatVector s5b = KIND.cast(FloatVector.fromArray(SPECIES, sums, sum + 80 + pitch));
        int u = weight;
        for (int term = 0; term < terms; ) {
            int lanes = lanes(offsets, from + term, from + terms);
            int p = at + offsets[from + term];
            for (int lane = 0; lane < lanes; lane++) {
                FloatVector wa = KIND.cast(FloatVector.fromArray(SPECIES, w, u + lane * WIDTH));
                FloatVector wb = KIND.cast(FloatVector.fromArray(SPECIES, w, u + lane * WIDTH + LANES));
                FloatVector x0 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + lane]));
                s0a = x0.fma(wa, s0a);
                s0b = x0.fma(wb, s0b);
                FloatVector x1 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + lane + 16]));
                s1a = x1.fma(wa, s1a);
                s1b = x1.fma(wb, s1b);
                FloatVector x2 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + lane + 32]));
                s2a = x2.fma(wa, s2a);
                s2b = x2.fma(wb, s2b);
                FloatVector x3 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + lane + 48]));
                s3a = x3.fma(wa, s3a);
                s3b = x3.fma(wb, s3b);
                FloatVector x4 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + lane + 64]));
                s4a = x4.fma(wa, s4a);
                s4b = x4.fma(wb, s4b);
                FloatVector x5 = KIND.cast(FloatVector.broadcast(SPECIES, x[p + lane + 80]));
                s5a = x5.fma(wa, s5a);
                s5b = x5.fma(wb, s5b);
            }
            u += lanes * WIDTH;
            term += lanes / BlockedKernels.TERM;
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
