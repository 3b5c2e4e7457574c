package org.clinfer.cpu;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/** Tiles of pixels and output channels of a product of blocked channels. */
final class BlockedTiles {

    /*
     * Written out, because the sums have to be local variables to stay in registers: 14 x 2 sums, two vectors of weights
     * and one of x are 31. The loop over channels has a body that HotSpot does not unroll and begins and ends with all sums
     * in registers.
     */
    private static final VectorSpecies<Float> SPECIES = PanamaKernels.BLOCK_SPECIES;
    private static final int LANES = SPECIES.length();

    private BlockedTiles() {}

    static void add(
            float[] w,
            int weight,
            float[] x,
            int at,
            int[] offsets,
            int from,
            int terms,
            int lanes,
            float[] sums,
            int sum,
            int pitch,
            int pixels,
            int vectors,
            boolean isFirst) {
        if (PanamaKernels.HAS_FEW_REGISTERS) {
            if (pixels > 3) {
                tile6x2(w, weight, x, at, offsets, from, terms, lanes, sums, sum, pitch, isFirst);
            } else {
                tile3x2(w, weight, x, at, offsets, from, terms, lanes, sums, sum, pitch, isFirst);
            }
        } else if (vectors == 2) {
            if (pixels > 7) {
                tile14x2(w, weight, x, at, offsets, from, terms, lanes, sums, sum, pitch, isFirst);
            } else {
                tile7x2(w, weight, x, at, offsets, from, terms, lanes, sums, sum, pitch, isFirst);
            }
        } else {
            if (pixels > 7) {
                tile14x1(w, weight, x, at, offsets, from, terms, lanes, sums, sum, isFirst);
            } else {
                tile7x1(w, weight, x, at, offsets, from, terms, lanes, sums, sum, isFirst);
            }
        }
    }

    private static FloatVector start(float[] sums, int at, boolean isFirst) {
        return isFirst ? FloatVector.zero(SPECIES) : FloatVector.fromArray(SPECIES, sums, at);
    }

    private static void tile14x2(
            float[] w,
            int weight,
            float[] x,
            int at,
            int[] offsets,
            int from,
            int terms,
            int lanes,
            float[] sums,
            int sum,
            int pitch,
            boolean isFirst) {
        FloatVector s0a = start(sums, sum, isFirst);
        FloatVector s0b = start(sums, sum + 0 + pitch, isFirst);
        FloatVector s1a = start(sums, sum + 16, isFirst);
        FloatVector s1b = start(sums, sum + 16 + pitch, isFirst);
        FloatVector s2a = start(sums, sum + 32, isFirst);
        FloatVector s2b = start(sums, sum + 32 + pitch, isFirst);
        FloatVector s3a = start(sums, sum + 48, isFirst);
        FloatVector s3b = start(sums, sum + 48 + pitch, isFirst);
        FloatVector s4a = start(sums, sum + 64, isFirst);
        FloatVector s4b = start(sums, sum + 64 + pitch, isFirst);
        FloatVector s5a = start(sums, sum + 80, isFirst);
        FloatVector s5b = start(sums, sum + 80 + pitch, isFirst);
        FloatVector s6a = start(sums, sum + 96, isFirst);
        FloatVector s6b = start(sums, sum + 96 + pitch, isFirst);
        FloatVector s7a = start(sums, sum + 112, isFirst);
        FloatVector s7b = start(sums, sum + 112 + pitch, isFirst);
        FloatVector s8a = start(sums, sum + 128, isFirst);
        FloatVector s8b = start(sums, sum + 128 + pitch, isFirst);
        FloatVector s9a = start(sums, sum + 144, isFirst);
        FloatVector s9b = start(sums, sum + 144 + pitch, isFirst);
        FloatVector s10a = start(sums, sum + 160, isFirst);
        FloatVector s10b = start(sums, sum + 160 + pitch, isFirst);
        FloatVector s11a = start(sums, sum + 176, isFirst);
        FloatVector s11b = start(sums, sum + 176 + pitch, isFirst);
        FloatVector s12a = start(sums, sum + 192, isFirst);
        FloatVector s12b = start(sums, sum + 192 + pitch, isFirst);
        FloatVector s13a = start(sums, sum + 208, isFirst);
        FloatVector s13b = start(sums, sum + 208 + pitch, isFirst);
        for (int term = 0; term < terms; term++) {
            int p = at + offsets[from + term];
            int u = weight + term * 32 * LANES;
            for (int lane = 0; lane < lanes; lane++) {
                FloatVector wa = FloatVector.fromArray(SPECIES, w, u + 2 * LANES * lane);
                FloatVector wb = FloatVector.fromArray(SPECIES, w, u + 2 * LANES * lane + LANES);
                FloatVector x0 = FloatVector.broadcast(SPECIES, x[p + lane]);
                s0a = x0.fma(wa, s0a);
                s0b = x0.fma(wb, s0b);
                FloatVector x1 = FloatVector.broadcast(SPECIES, x[p + lane + 16]);
                s1a = x1.fma(wa, s1a);
                s1b = x1.fma(wb, s1b);
                FloatVector x2 = FloatVector.broadcast(SPECIES, x[p + lane + 32]);
                s2a = x2.fma(wa, s2a);
                s2b = x2.fma(wb, s2b);
                FloatVector x3 = FloatVector.broadcast(SPECIES, x[p + lane + 48]);
                s3a = x3.fma(wa, s3a);
                s3b = x3.fma(wb, s3b);
                FloatVector x4 = FloatVector.broadcast(SPECIES, x[p + lane + 64]);
                s4a = x4.fma(wa, s4a);
                s4b = x4.fma(wb, s4b);
                FloatVector x5 = FloatVector.broadcast(SPECIES, x[p + lane + 80]);
                s5a = x5.fma(wa, s5a);
                s5b = x5.fma(wb, s5b);
                FloatVector x6 = FloatVector.broadcast(SPECIES, x[p + lane + 96]);
                s6a = x6.fma(wa, s6a);
                s6b = x6.fma(wb, s6b);
                FloatVector x7 = FloatVector.broadcast(SPECIES, x[p + lane + 112]);
                s7a = x7.fma(wa, s7a);
                s7b = x7.fma(wb, s7b);
                FloatVector x8 = FloatVector.broadcast(SPECIES, x[p + lane + 128]);
                s8a = x8.fma(wa, s8a);
                s8b = x8.fma(wb, s8b);
                FloatVector x9 = FloatVector.broadcast(SPECIES, x[p + lane + 144]);
                s9a = x9.fma(wa, s9a);
                s9b = x9.fma(wb, s9b);
                FloatVector x10 = FloatVector.broadcast(SPECIES, x[p + lane + 160]);
                s10a = x10.fma(wa, s10a);
                s10b = x10.fma(wb, s10b);
                FloatVector x11 = FloatVector.broadcast(SPECIES, x[p + lane + 176]);
                s11a = x11.fma(wa, s11a);
                s11b = x11.fma(wb, s11b);
                FloatVector x12 = FloatVector.broadcast(SPECIES, x[p + lane + 192]);
                s12a = x12.fma(wa, s12a);
                s12b = x12.fma(wb, s12b);
                FloatVector x13 = FloatVector.broadcast(SPECIES, x[p + lane + 208]);
                s13a = x13.fma(wa, s13a);
                s13b = x13.fma(wb, s13b);
            }
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

    private static void tile14x1(
            float[] w,
            int weight,
            float[] x,
            int at,
            int[] offsets,
            int from,
            int terms,
            int lanes,
            float[] sums,
            int sum,
            boolean isFirst) {
        FloatVector s0a = start(sums, sum, isFirst);
        FloatVector s1a = start(sums, sum + 16, isFirst);
        FloatVector s2a = start(sums, sum + 32, isFirst);
        FloatVector s3a = start(sums, sum + 48, isFirst);
        FloatVector s4a = start(sums, sum + 64, isFirst);
        FloatVector s5a = start(sums, sum + 80, isFirst);
        FloatVector s6a = start(sums, sum + 96, isFirst);
        FloatVector s7a = start(sums, sum + 112, isFirst);
        FloatVector s8a = start(sums, sum + 128, isFirst);
        FloatVector s9a = start(sums, sum + 144, isFirst);
        FloatVector s10a = start(sums, sum + 160, isFirst);
        FloatVector s11a = start(sums, sum + 176, isFirst);
        FloatVector s12a = start(sums, sum + 192, isFirst);
        FloatVector s13a = start(sums, sum + 208, isFirst);
        for (int term = 0; term < terms; term++) {
            int p = at + offsets[from + term];
            int u = weight + term * 16 * LANES;
            for (int lane = 0; lane < lanes; lane++) {
                FloatVector wa = FloatVector.fromArray(SPECIES, w, u + LANES * lane);
                FloatVector x0 = FloatVector.broadcast(SPECIES, x[p + lane]);
                s0a = x0.fma(wa, s0a);
                FloatVector x1 = FloatVector.broadcast(SPECIES, x[p + lane + 16]);
                s1a = x1.fma(wa, s1a);
                FloatVector x2 = FloatVector.broadcast(SPECIES, x[p + lane + 32]);
                s2a = x2.fma(wa, s2a);
                FloatVector x3 = FloatVector.broadcast(SPECIES, x[p + lane + 48]);
                s3a = x3.fma(wa, s3a);
                FloatVector x4 = FloatVector.broadcast(SPECIES, x[p + lane + 64]);
                s4a = x4.fma(wa, s4a);
                FloatVector x5 = FloatVector.broadcast(SPECIES, x[p + lane + 80]);
                s5a = x5.fma(wa, s5a);
                FloatVector x6 = FloatVector.broadcast(SPECIES, x[p + lane + 96]);
                s6a = x6.fma(wa, s6a);
                FloatVector x7 = FloatVector.broadcast(SPECIES, x[p + lane + 112]);
                s7a = x7.fma(wa, s7a);
                FloatVector x8 = FloatVector.broadcast(SPECIES, x[p + lane + 128]);
                s8a = x8.fma(wa, s8a);
                FloatVector x9 = FloatVector.broadcast(SPECIES, x[p + lane + 144]);
                s9a = x9.fma(wa, s9a);
                FloatVector x10 = FloatVector.broadcast(SPECIES, x[p + lane + 160]);
                s10a = x10.fma(wa, s10a);
                FloatVector x11 = FloatVector.broadcast(SPECIES, x[p + lane + 176]);
                s11a = x11.fma(wa, s11a);
                FloatVector x12 = FloatVector.broadcast(SPECIES, x[p + lane + 192]);
                s12a = x12.fma(wa, s12a);
                FloatVector x13 = FloatVector.broadcast(SPECIES, x[p + lane + 208]);
                s13a = x13.fma(wa, s13a);
            }
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

    private static void tile7x2(
            float[] w,
            int weight,
            float[] x,
            int at,
            int[] offsets,
            int from,
            int terms,
            int lanes,
            float[] sums,
            int sum,
            int pitch,
            boolean isFirst) {
        FloatVector s0a = start(sums, sum, isFirst);
        FloatVector s0b = start(sums, sum + 0 + pitch, isFirst);
        FloatVector s1a = start(sums, sum + 16, isFirst);
        FloatVector s1b = start(sums, sum + 16 + pitch, isFirst);
        FloatVector s2a = start(sums, sum + 32, isFirst);
        FloatVector s2b = start(sums, sum + 32 + pitch, isFirst);
        FloatVector s3a = start(sums, sum + 48, isFirst);
        FloatVector s3b = start(sums, sum + 48 + pitch, isFirst);
        FloatVector s4a = start(sums, sum + 64, isFirst);
        FloatVector s4b = start(sums, sum + 64 + pitch, isFirst);
        FloatVector s5a = start(sums, sum + 80, isFirst);
        FloatVector s5b = start(sums, sum + 80 + pitch, isFirst);
        FloatVector s6a = start(sums, sum + 96, isFirst);
        FloatVector s6b = start(sums, sum + 96 + pitch, isFirst);
        for (int term = 0; term < terms; term++) {
            int p = at + offsets[from + term];
            int u = weight + term * 32 * LANES;
            for (int lane = 0; lane < lanes; lane++) {
                FloatVector wa = FloatVector.fromArray(SPECIES, w, u + 2 * LANES * lane);
                FloatVector wb = FloatVector.fromArray(SPECIES, w, u + 2 * LANES * lane + LANES);
                FloatVector x0 = FloatVector.broadcast(SPECIES, x[p + lane]);
                s0a = x0.fma(wa, s0a);
                s0b = x0.fma(wb, s0b);
                FloatVector x1 = FloatVector.broadcast(SPECIES, x[p + lane + 16]);
                s1a = x1.fma(wa, s1a);
                s1b = x1.fma(wb, s1b);
                FloatVector x2 = FloatVector.broadcast(SPECIES, x[p + lane + 32]);
                s2a = x2.fma(wa, s2a);
                s2b = x2.fma(wb, s2b);
                FloatVector x3 = FloatVector.broadcast(SPECIES, x[p + lane + 48]);
                s3a = x3.fma(wa, s3a);
                s3b = x3.fma(wb, s3b);
                FloatVector x4 = FloatVector.broadcast(SPECIES, x[p + lane + 64]);
                s4a = x4.fma(wa, s4a);
                s4b = x4.fma(wb, s4b);
                FloatVector x5 = FloatVector.broadcast(SPECIES, x[p + lane + 80]);
                s5a = x5.fma(wa, s5a);
                s5b = x5.fma(wb, s5b);
                FloatVector x6 = FloatVector.broadcast(SPECIES, x[p + lane + 96]);
                s6a = x6.fma(wa, s6a);
                s6b = x6.fma(wb, s6b);
            }
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
    }

    private static void tile7x1(
            float[] w,
            int weight,
            float[] x,
            int at,
            int[] offsets,
            int from,
            int terms,
            int lanes,
            float[] sums,
            int sum,
            boolean isFirst) {
        FloatVector s0a = start(sums, sum, isFirst);
        FloatVector s1a = start(sums, sum + 16, isFirst);
        FloatVector s2a = start(sums, sum + 32, isFirst);
        FloatVector s3a = start(sums, sum + 48, isFirst);
        FloatVector s4a = start(sums, sum + 64, isFirst);
        FloatVector s5a = start(sums, sum + 80, isFirst);
        FloatVector s6a = start(sums, sum + 96, isFirst);
        for (int term = 0; term < terms; term++) {
            int p = at + offsets[from + term];
            int u = weight + term * 16 * LANES;
            for (int lane = 0; lane < lanes; lane++) {
                FloatVector wa = FloatVector.fromArray(SPECIES, w, u + LANES * lane);
                FloatVector x0 = FloatVector.broadcast(SPECIES, x[p + lane]);
                s0a = x0.fma(wa, s0a);
                FloatVector x1 = FloatVector.broadcast(SPECIES, x[p + lane + 16]);
                s1a = x1.fma(wa, s1a);
                FloatVector x2 = FloatVector.broadcast(SPECIES, x[p + lane + 32]);
                s2a = x2.fma(wa, s2a);
                FloatVector x3 = FloatVector.broadcast(SPECIES, x[p + lane + 48]);
                s3a = x3.fma(wa, s3a);
                FloatVector x4 = FloatVector.broadcast(SPECIES, x[p + lane + 64]);
                s4a = x4.fma(wa, s4a);
                FloatVector x5 = FloatVector.broadcast(SPECIES, x[p + lane + 80]);
                s5a = x5.fma(wa, s5a);
                FloatVector x6 = FloatVector.broadcast(SPECIES, x[p + lane + 96]);
                s6a = x6.fma(wa, s6a);
            }
        }
        s0a.intoArray(sums, sum);
        s1a.intoArray(sums, sum + 16);
        s2a.intoArray(sums, sum + 32);
        s3a.intoArray(sums, sum + 48);
        s4a.intoArray(sums, sum + 64);
        s5a.intoArray(sums, sum + 80);
        s6a.intoArray(sums, sum + 96);
    }

    private static void tile6x2(
            float[] w,
            int weight,
            float[] x,
            int at,
            int[] offsets,
            int from,
            int terms,
            int lanes,
            float[] sums,
            int sum,
            int pitch,
            boolean isFirst) {
        FloatVector s0a = start(sums, sum, isFirst);
        FloatVector s0b = start(sums, sum + 0 + pitch, isFirst);
        FloatVector s1a = start(sums, sum + 16, isFirst);
        FloatVector s1b = start(sums, sum + 16 + pitch, isFirst);
        FloatVector s2a = start(sums, sum + 32, isFirst);
        FloatVector s2b = start(sums, sum + 32 + pitch, isFirst);
        FloatVector s3a = start(sums, sum + 48, isFirst);
        FloatVector s3b = start(sums, sum + 48 + pitch, isFirst);
        FloatVector s4a = start(sums, sum + 64, isFirst);
        FloatVector s4b = start(sums, sum + 64 + pitch, isFirst);
        FloatVector s5a = start(sums, sum + 80, isFirst);
        FloatVector s5b = start(sums, sum + 80 + pitch, isFirst);
        for (int term = 0; term < terms; term++) {
            int p = at + offsets[from + term];
            int u = weight + term * 32 * LANES;
            for (int lane = 0; lane < lanes; lane++) {
                FloatVector wa = FloatVector.fromArray(SPECIES, w, u + 2 * LANES * lane);
                FloatVector wb = FloatVector.fromArray(SPECIES, w, u + 2 * LANES * lane + LANES);
                FloatVector x0 = FloatVector.broadcast(SPECIES, x[p + lane]);
                s0a = x0.fma(wa, s0a);
                s0b = x0.fma(wb, s0b);
                FloatVector x1 = FloatVector.broadcast(SPECIES, x[p + lane + 16]);
                s1a = x1.fma(wa, s1a);
                s1b = x1.fma(wb, s1b);
                FloatVector x2 = FloatVector.broadcast(SPECIES, x[p + lane + 32]);
                s2a = x2.fma(wa, s2a);
                s2b = x2.fma(wb, s2b);
                FloatVector x3 = FloatVector.broadcast(SPECIES, x[p + lane + 48]);
                s3a = x3.fma(wa, s3a);
                s3b = x3.fma(wb, s3b);
                FloatVector x4 = FloatVector.broadcast(SPECIES, x[p + lane + 64]);
                s4a = x4.fma(wa, s4a);
                s4b = x4.fma(wb, s4b);
                FloatVector x5 = FloatVector.broadcast(SPECIES, x[p + lane + 80]);
                s5a = x5.fma(wa, s5a);
                s5b = x5.fma(wb, s5b);
            }
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

    private static void tile3x2(
            float[] w,
            int weight,
            float[] x,
            int at,
            int[] offsets,
            int from,
            int terms,
            int lanes,
            float[] sums,
            int sum,
            int pitch,
            boolean isFirst) {
        FloatVector s0a = start(sums, sum, isFirst);
        FloatVector s0b = start(sums, sum + 0 + pitch, isFirst);
        FloatVector s1a = start(sums, sum + 16, isFirst);
        FloatVector s1b = start(sums, sum + 16 + pitch, isFirst);
        FloatVector s2a = start(sums, sum + 32, isFirst);
        FloatVector s2b = start(sums, sum + 32 + pitch, isFirst);
        for (int term = 0; term < terms; term++) {
            int p = at + offsets[from + term];
            int u = weight + term * 32 * LANES;
            for (int lane = 0; lane < lanes; lane++) {
                FloatVector wa = FloatVector.fromArray(SPECIES, w, u + 2 * LANES * lane);
                FloatVector wb = FloatVector.fromArray(SPECIES, w, u + 2 * LANES * lane + LANES);
                FloatVector x0 = FloatVector.broadcast(SPECIES, x[p + lane]);
                s0a = x0.fma(wa, s0a);
                s0b = x0.fma(wb, s0b);
                FloatVector x1 = FloatVector.broadcast(SPECIES, x[p + lane + 16]);
                s1a = x1.fma(wa, s1a);
                s1b = x1.fma(wb, s1b);
                FloatVector x2 = FloatVector.broadcast(SPECIES, x[p + lane + 32]);
                s2a = x2.fma(wa, s2a);
                s2b = x2.fma(wb, s2b);
            }
        }
        s0a.intoArray(sums, sum);
        s0b.intoArray(sums, sum + 0 + pitch);
        s1a.intoArray(sums, sum + 16);
        s1b.intoArray(sums, sum + 16 + pitch);
        s2a.intoArray(sums, sum + 32);
        s2b.intoArray(sums, sum + 32 + pitch);
    }
}
