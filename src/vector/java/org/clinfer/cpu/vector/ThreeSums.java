package org.clinfer.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.clinfer.cpu.window.ThreeFilters;
import org.clinfer.cpu.window.ThreeLines;

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
    private static final Class<? extends FloatVector> KIND = PanamaKernels.KIND;

    private ThreeSums() {}

    static void sum(
            ThreeLines windows,
            ThreeFilters filters,
            int filter,
            int above,
            int given,
            int lines,
            float[] x,
            int at,
            float[] sums,
            int to) {
        int begin = at - windows.padLeft();
        for (int q = (windows.out() - 1) / LANES * LANES; q >= 0; q -= LANES) {
            sumLines(windows, filters, filter, above, given, lines, q, x, begin + q, sums, to + q);
        }
    }

    /** Lines one after the other: sums of two lines wait for the lines below. */
    private static void sumLines(
            ThreeLines windows,
            ThreeFilters filters,
            int filter,
            int above,
            int given,
            int lines,
            int q,
            float[] x,
            int at,
            float[] sums,
            int to) {
        IntVector left = IntVector.fromArray(MASKS, windows.leftMasks(), q);
        IntVector end = IntVector.fromArray(MASKS, windows.rightMasks(), q);
        float[] weights = filters.weights();
        int weight = filter * ThreeFilters.TAPS;
        float bias = filters.bias()[filter];
        float low = filters.low();
        float high = filters.high();
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
        boolean isBounded = filters.isBounded();
        FloatVector begun = start;
        FloatVector half = start;
        int width = windows.width();
        int out = windows.out();
        int from = at;
        int target = to + (above - 2) * out;
        int loaded = Math.min(given, lines + 2 - above);
        for (int line = 0; line < loaded; line++) {
            FloatVector l = masked(x, from, left);
            FloatVector m = KIND.cast(FloatVector.fromArray(SPECIES, x, from + 1));
            FloatVector r = masked(x, from + 2, end);
            FloatVector done = w8.fma(r, w7.fma(m, w6.fma(l, half)));
            half = w5.fma(r, w4.fma(m, w3.fma(l, begun)));
            begun = w2.fma(r, w1.fma(m, w0.fma(l, start)));
            if (target >= to) {
                if (isBounded) {
                    done = Bounds.within(done, least, most);
                }
                done.intoArray(sums, target);
            }
            from += width;
            target += out;
        }
        // No loop: HotSpot made objects of vectors that go round it. And it knows the width of a new vector only.
        int behind = to + lines * out;
        if (target >= to && target < behind) {
            KIND.cast(FloatVector.broadcast(SPECIES, low)).max(half).min(most).intoArray(sums, target);
        }
        target += out;
        if (target >= to && target < behind) {
            KIND.cast(FloatVector.broadcast(SPECIES, low)).max(begun).min(most).intoArray(sums, target);
        }
        for (target += out; target < behind; target += out) {
            if (target >= to) {
                KIND.cast(FloatVector.broadcast(SPECIES, low))
                        .max(bias)
                        .min(high)
                        .intoArray(sums, target);
            }
        }
    }

    private static FloatVector masked(float[] x, int at, IntVector mask) {
        return KIND.cast(KIND.cast(FloatVector.fromArray(SPECIES, x, at))
                .reinterpretAsInts()
                .lanewise(VectorOperators.AND, mask)
                .reinterpretAsFloats());
    }
}
