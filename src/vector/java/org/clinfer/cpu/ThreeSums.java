package org.clinfer.cpu;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Sums of 3x3 windows over planes: {@link VectorKernels#sumThree}. */
final class ThreeSums {

    /*
     * A vector of outputs goes down the lines: what is loaded of a line serves the sums of all outputs that see it. What a
     * vector stores behind the end of a line is overwritten by the line after it, or by the vectors to the left, which
     * come later.
     */
    private static final VectorSpecies<Float> SPECIES = PanamaKernels.SPECIES;
    private static final VectorSpecies<Integer> MASKS = SPECIES.withLanes(int.class);
    private static final int LANES = SPECIES.length();

    private ThreeSums() {}

    /** Copies the even elements of lines, and the odd ones: of all together where their lines do not begin between two. */
    static void split(ThreeLines windows, int lines, float[] from, int at, float[] to, int target) {
        int width = windows.width();
        if (width % 2 == 0) {
            Pairs.split(from, at, lines * width, to, target, target + windows.odd());
            return;
        }
        for (int line = 0; line < lines; line++) {
            int even = target + line * windows.pitch();
            Pairs.split(from, at + line * width, width, to, even, even + windows.odd());
        }
    }

    static void sum(
            ThreeLines windows,
            int above,
            int given,
            int lines,
            float[] x,
            int at,
            float[] weights,
            int weight,
            float bias,
            float low,
            float high,
            float[] sums,
            int to) {
        int last = (windows.out() - 1) / LANES * LANES;
        for (int q = last; q >= 0; q -= LANES) {
            if (windows.strideDown() == 1) {
                everyLine(windows, above, given, lines, q, x, at + q, weights, weight, bias, low, high, sums, to + q);
            } else {
                everyOther(windows, above, given, lines, q, x, at + q, weights, weight, bias, low, high, sums, to + q);
            }
        }
    }

    /** Lines one after the other: sums of two lines wait for the lines below. */
    private static void everyLine(
            ThreeLines windows,
            int above,
            int given,
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
        IntVector left = IntVector.fromArray(MASKS, windows.leftMasks(), q);
        IntVector end = IntVector.fromArray(MASKS, windows.rightMasks(), q);
        FloatVector w0 = FloatVector.broadcast(SPECIES, weights[weight]);
        FloatVector w1 = FloatVector.broadcast(SPECIES, weights[weight + 1]);
        FloatVector w2 = FloatVector.broadcast(SPECIES, weights[weight + 2]);
        FloatVector w3 = FloatVector.broadcast(SPECIES, weights[weight + 3]);
        FloatVector w4 = FloatVector.broadcast(SPECIES, weights[weight + 4]);
        FloatVector w5 = FloatVector.broadcast(SPECIES, weights[weight + 5]);
        FloatVector w6 = FloatVector.broadcast(SPECIES, weights[weight + 6]);
        FloatVector w7 = FloatVector.broadcast(SPECIES, weights[weight + 7]);
        FloatVector w8 = FloatVector.broadcast(SPECIES, weights[weight + 8]);
        FloatVector start = FloatVector.broadcast(SPECIES, bias);
        FloatVector least = FloatVector.broadcast(SPECIES, low);
        FloatVector most = FloatVector.broadcast(SPECIES, high);
        boolean isBounded = low != Float.NEGATIVE_INFINITY;
        FloatVector begun = start;
        FloatVector half = start;
        int pitch = windows.pitch();
        int out = windows.out();
        int one = windows.middle() - windows.left();
        int two = windows.right() - windows.left();
        int from = at + windows.left();
        int target = to + (above - 2) * out;
        int loaded = Math.min(given, lines + 2 - above);
        for (int line = 0; line < loaded; line++) {
            FloatVector l = masked(x, from, left);
            FloatVector m = FloatVector.fromArray(SPECIES, x, from + one);
            FloatVector r = masked(x, from + two, end);
            FloatVector done = w8.fma(r, w7.fma(m, w6.fma(l, half)));
            half = w5.fma(r, w4.fma(m, w3.fma(l, begun)));
            begun = w2.fma(r, w1.fma(m, w0.fma(l, start)));
            if (target >= to) {
                if (isBounded) {
                    done = done.max(least).min(most);
                }
                done.intoArray(sums, target);
            }
            from += pitch;
            target += out;
        }
        int end2 = to + lines * out;
        while (target < end2) {
            if (target >= to) {
                (isBounded ? half.max(least).min(most) : half).intoArray(sums, target);
            }
            half = begun;
            begun = start;
            target += out;
        }
    }

    /** Every other line: the lower one of those between two sums is part of both. */
    private static void everyOther(
            ThreeLines windows,
            int above,
            int given,
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
        IntVector left = IntVector.fromArray(MASKS, windows.leftMasks(), q);
        IntVector end = IntVector.fromArray(MASKS, windows.rightMasks(), q);
        FloatVector w0 = FloatVector.broadcast(SPECIES, weights[weight]);
        FloatVector w1 = FloatVector.broadcast(SPECIES, weights[weight + 1]);
        FloatVector w2 = FloatVector.broadcast(SPECIES, weights[weight + 2]);
        FloatVector w3 = FloatVector.broadcast(SPECIES, weights[weight + 3]);
        FloatVector w4 = FloatVector.broadcast(SPECIES, weights[weight + 4]);
        FloatVector w5 = FloatVector.broadcast(SPECIES, weights[weight + 5]);
        FloatVector w6 = FloatVector.broadcast(SPECIES, weights[weight + 6]);
        FloatVector w7 = FloatVector.broadcast(SPECIES, weights[weight + 7]);
        FloatVector w8 = FloatVector.broadcast(SPECIES, weights[weight + 8]);
        FloatVector start = FloatVector.broadcast(SPECIES, bias);
        FloatVector least = FloatVector.broadcast(SPECIES, low);
        FloatVector most = FloatVector.broadcast(SPECIES, high);
        boolean isBounded = low != Float.NEGATIVE_INFINITY;
        int pitch = windows.pitch();
        int out = windows.out();
        int one = at + windows.middle();
        int two = at + windows.right();
        int zero = at + windows.left();
        for (int line = 0; line < lines; line++) {
            int upper = 2 * line - above;
            FloatVector sum = start;
            if (upper >= 0 && upper < given) {
                int from = upper * pitch;
                sum = w0.fma(masked(x, zero + from, left), sum);
                sum = w1.fma(FloatVector.fromArray(SPECIES, x, one + from), sum);
                sum = w2.fma(masked(x, two + from, end), sum);
            }
            if (upper + 1 >= 0 && upper + 1 < given) {
                int from = (upper + 1) * pitch;
                sum = w3.fma(masked(x, zero + from, left), sum);
                sum = w4.fma(FloatVector.fromArray(SPECIES, x, one + from), sum);
                sum = w5.fma(masked(x, two + from, end), sum);
            }
            if (upper + 2 < given) {
                int from = (upper + 2) * pitch;
                sum = w6.fma(masked(x, zero + from, left), sum);
                sum = w7.fma(FloatVector.fromArray(SPECIES, x, one + from), sum);
                sum = w8.fma(masked(x, two + from, end), sum);
            }
            if (isBounded) {
                sum = sum.max(least).min(most);
            }
            sum.intoArray(sums, to + line * out);
        }
    }

    private static FloatVector masked(float[] x, int at, IntVector mask) {
        return FloatVector.fromArray(SPECIES, x, at)
                .reinterpretAsInts()
                .lanewise(VectorOperators.AND, mask)
                .reinterpretAsFloats();
    }
}
