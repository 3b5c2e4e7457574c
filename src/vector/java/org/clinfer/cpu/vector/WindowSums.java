package org.clinfer.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.clinfer.cpu.window.WindowLines;

/** Sums of windows that move along lines: {@link VectorKernels#sumLines}. */
final class WindowSums {

    private static final VectorSpecies<Float> SPECIES = PanamaKernels.SPECIES;
    private static final VectorSpecies<Integer> MASKS = SPECIES.withLanes(int.class);
    private static final int LANES = SPECIES.length();
    private static final Class<? extends FloatVector> KIND = PanamaKernels.KIND;

    private WindowSums() {}

    /*
     * Windows of 3x3 go down their columns, a vector of positions at a time: three loads of a line serve the sums of all
     * lines that see it. What a vector stores behind the end of a line is overwritten by the line after it, or by the
     * vectors to the left, which come later.
     */

    /** Windows of 3x3 whose middle column always meets the input. */
    static void ofThree(
            WindowLines windows,
            int lines,
            int count,
            float[] x,
            int at,
            float[] weights,
            int weight,
            float bias,
            float low,
            float high,
            float[] sums,
            int to) {
        int last = (count - 1) / LANES * LANES;
        for (int q = last; q >= 0; q -= LANES) {
            if (windows.lineStep() == windows.pitch()) {
                rolled(windows, lines, q, x, at + q, weights, weight, bias, low, high, sums, to + q);
            } else {
                skipped(windows, lines, q, x, at + q, weights, weight, bias, low, high, sums, to + q);
            }
        }
    }

    /** Lines one after the other: sums of two lines wait for the lines below. */
    private static void rolled(
            WindowLines windows,
            int lines,
            int q,
            float[] x,
            int at,
            float[] weights,
            int weight,
            float bias,
            float low,
            float high,
            float[] sums,
            int to) {
        int[] offsets = windows.offsets();
        int one = offsets[1];
        int two = offsets[2];
        int dilated = offsets[3];
        if (dilated != windows.pitch()) {
            skipped(windows, lines, q, x, at, weights, weight, bias, low, high, sums, to);
            return;
        }
        IntVector left = IntVector.fromArray(MASKS, windows.masks(), q);
        IntVector end = IntVector.fromArray(MASKS, windows.masks(), 2 * windows.maskPitch() + q);
        FloatVector w0 = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight]));
        FloatVector w1 = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + 1]));
        FloatVector w2 = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + 2]));
        FloatVector w3 = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + 3]));
        FloatVector w4 = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + 4]));
        FloatVector w5 = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + 5]));
        FloatVector w6 = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + 6]));
        FloatVector w7 = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + 7]));
        FloatVector w8 = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + 8]));
        FloatVector start = FloatVector.broadcast(SPECIES, bias);
        FloatVector least = FloatVector.broadcast(SPECIES, low);
        FloatVector most = FloatVector.broadcast(SPECIES, high);
        boolean isBounded = isBounded(low, high);
        FloatVector begun = start;
        FloatVector half = start;
        int pitch = windows.lineStep();
        int step = windows.outStep();
        for (int line = -2; line < lines; line++) {
            int from = at + (line + 2) * pitch;
            FloatVector l = masked(x, from, left);
            FloatVector m = KIND.cast(FloatVector.fromArray(SPECIES, x, from + one));
            FloatVector r = masked(x, from + two, end);
            FloatVector done = w8.fma(r, w7.fma(m, w6.fma(l, half)));
            half = w5.fma(r, w4.fma(m, w3.fma(l, begun)));
            begun = w2.fma(r, w1.fma(m, w0.fma(l, start)));
            if (line >= 0) {
                if (isBounded) {
                    done = Bounds.within(done, least, most);
                }
                done.intoArray(sums, to + line * step);
            }
        }
    }

    /** Lines with others between them. */
    private static void skipped(
            WindowLines windows,
            int lines,
            int q,
            float[] x,
            int at,
            float[] weights,
            int weight,
            float bias,
            float low,
            float high,
            float[] sums,
            int to) {
        int[] offsets = windows.offsets();
        int one = offsets[1];
        int two = offsets[2];
        int row1 = offsets[3];
        int row2 = offsets[6];
        IntVector left = IntVector.fromArray(MASKS, windows.masks(), q);
        IntVector end = IntVector.fromArray(MASKS, windows.masks(), 2 * windows.maskPitch() + q);
        FloatVector w0 = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight]));
        FloatVector w1 = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + 1]));
        FloatVector w2 = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + 2]));
        FloatVector w3 = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + 3]));
        FloatVector w4 = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + 4]));
        FloatVector w5 = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + 5]));
        FloatVector w6 = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + 6]));
        FloatVector w7 = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + 7]));
        FloatVector w8 = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + 8]));
        FloatVector start = FloatVector.broadcast(SPECIES, bias);
        FloatVector least = FloatVector.broadcast(SPECIES, low);
        FloatVector most = FloatVector.broadcast(SPECIES, high);
        boolean isBounded = isBounded(low, high);
        int pitch = windows.lineStep();
        int step = windows.outStep();
        for (int line = 0; line < lines; line++) {
            int from = at + line * pitch;
            FloatVector sum = w0.fma(masked(x, from, left), start);
            sum = w1.fma(KIND.cast(FloatVector.fromArray(SPECIES, x, from + one)), sum);
            sum = w2.fma(masked(x, from + two, end), sum);
            sum = w3.fma(masked(x, from + row1, left), sum);
            sum = w4.fma(KIND.cast(FloatVector.fromArray(SPECIES, x, from + row1 + one)), sum);
            sum = w5.fma(masked(x, from + row1 + two, end), sum);
            sum = w6.fma(masked(x, from + row2, left), sum);
            sum = w7.fma(KIND.cast(FloatVector.fromArray(SPECIES, x, from + row2 + one)), sum);
            sum = w8.fma(masked(x, from + row2 + two, end), sum);
            if (isBounded) {
                sum = Bounds.within(sum, least, most);
            }
            KIND.cast(sum).intoArray(sums, to + line * step);
        }
    }

    private static FloatVector masked(float[] x, int at, IntVector mask) {
        return KIND.cast(KIND.cast(FloatVector.fromArray(SPECIES, x, at))
                .reinterpretAsInts()
                .lanewise(VectorOperators.AND, mask)
                .reinterpretAsFloats());
    }

    /** Any windows. */
    static void ofAny(
            WindowLines windows,
            int lines,
            int count,
            float[] x,
            int at,
            float[] weights,
            int weight,
            float bias,
            float low,
            float high,
            float[] sums,
            int to) {
        int[] offsets = windows.offsets();
        int[] masks = windows.masks();
        int[] masksOf = windows.masksOf();
        for (int line = 0; line < lines; line++) {
            int from = at + line * windows.lineStep();
            int target = to + line * windows.outStep();
            int q = 0;
            for (; q + 3 * LANES < count; q += 4 * LANES) {
                four(offsets, masks, masksOf, q, x, from + q, weights, weight, bias, sums, target + q);
            }
            for (; q < count; q += LANES) {
                one(offsets, masks, masksOf, q, x, from + q, weights, weight, bias, sums, target + q);
            }
            if (isBounded(low, high)) {
                bound(sums, target, count, low, high);
            }
        }
    }

    private static void bound(float[] sums, int at, int count, float low, float high) {
        for (int i = at; i < at + count; i += LANES) {
            KIND.cast(FloatVector.fromArray(SPECIES, sums, i))
                    .max(low)
                    .min(high)
                    .intoArray(sums, i);
        }
    }

    private static void one(
            int[] offsets,
            int[] masks,
            int[] masksOf,
            int mask,
            float[] x,
            int at,
            float[] weights,
            int weight,
            float bias,
            float[] sums,
            int to) {
        FloatVector sum = FloatVector.broadcast(SPECIES, bias);
        for (int k = 0; k < offsets.length; k++) {
            IntVector meets = IntVector.fromArray(MASKS, masks, masksOf[k] + mask);
            sum = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + k]))
                    .fma(masked(x, at + offsets[k], meets), sum);
        }
        KIND.cast(sum).intoArray(sums, to);
    }

    private static void four(
            int[] offsets,
            int[] masks,
            int[] masksOf,
            int mask,
            float[] x,
            int at,
            float[] weights,
            int weight,
            float bias,
            float[] sums,
            int to) {
        FloatVector s0 = FloatVector.broadcast(SPECIES, bias);
        FloatVector s1 = s0;
        FloatVector s2 = s0;
        FloatVector s3 = s0;
        for (int k = 0; k < offsets.length; k++) {
            FloatVector factor = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + k]));
            int from = at + offsets[k];
            int m = masksOf[k] + mask;
            s0 = factor.fma(masked(x, from, IntVector.fromArray(MASKS, masks, m)), s0);
            s1 = factor.fma(masked(x, from + LANES, IntVector.fromArray(MASKS, masks, m + LANES)), s1);
            s2 = factor.fma(masked(x, from + 2 * LANES, IntVector.fromArray(MASKS, masks, m + 2 * LANES)), s2);
            s3 = factor.fma(masked(x, from + 3 * LANES, IntVector.fromArray(MASKS, masks, m + 3 * LANES)), s3);
        }
        KIND.cast(s0).intoArray(sums, to);
        KIND.cast(s1).intoArray(sums, to + LANES);
        KIND.cast(s2).intoArray(sums, to + 2 * LANES);
        KIND.cast(s3).intoArray(sums, to + 3 * LANES);
    }

    private static boolean isBounded(float low, float high) {
        return low != Float.NEGATIVE_INFINITY || high != Float.POSITIVE_INFINITY;
    }
}
