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
        boolean isEvery = windows.stride() == 1;
        int outputs = isEvery ? LANES : LANES / 2;
        int begin = at - windows.padLeft();
        for (int q = (windows.out() - 1) / outputs * outputs; q >= 0; q -= outputs) {
            if (isEvery) {
                everyLine(windows, filters, filter, above, given, lines, q, x, begin + q, sums, to + q);
            } else {
                everyOther(windows, filters, filter, above, given, lines, q, x, begin + 2 * q, sums, to + q);
            }
        }
    }

    /** Lines one after the other: sums of two lines wait for the lines below. */
    private static void everyLine(
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
            FloatVector m = FloatVector.fromArray(SPECIES, x, from + 1);
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

    /*
     * With a stride of 2 the even lanes of a vector are what the left columns of neighbouring windows meet, and the odd ones
     * what their middle columns meet; the even lanes of the vector two elements on belong to the right columns. They are
     * summed as they lie, down the lines too, and each even lane is added to the odd one beside it at the end.
     */

    /** Every other line: those of which windows miss some, above and below, and those between. */
    private static void everyOther(
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
        int out = windows.out();
        int first = Math.min(lines, above / 2);
        int end = Math.max(first, Math.min(lines, Math.floorDiv(given + above - 1, 2)));
        for (int line = 0; line < first; line++) {
            part(windows, filters, filter, 2 * line - above, given, q, x, at, sums, to + line * out);
        }
        if (first < end) {
            int upper = 2 * first - above;
            int lower = to + first * out;
            whole(windows, filters, filter, upper, end - first, q, x, at, sums, lower);
        }
        for (int line = end; line < lines; line++) {
            part(windows, filters, filter, 2 * line - above, given, q, x, at, sums, to + line * out);
        }
    }

    /**
     * Lines of outputs whose windows meet three lines: the lower one of those between two sums is part of both. The first
     * ones begin at line {@code upper}, -1 where there is none.
     */
    private static void whole(
            ThreeLines windows,
            ThreeFilters filters,
            int filter,
            int upper,
            int lines,
            int q,
            float[] x,
            int at,
            float[] sums,
            int to) {
        IntVector left = IntVector.fromArray(MASKS, windows.leftMasks(), 2 * q);
        IntVector end = IntVector.fromArray(MASKS, windows.rightMasks(), 2 * q);
        float[] weights = filters.weights();
        int weight = filter * ThreeFilters.TAPS;
        float bias = filters.bias()[filter];
        float low = filters.low();
        float high = filters.high();
        FloatVector w01 = Pairs.broadcast(weights[weight], weights[weight + 1]);
        FloatVector w2 = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + 2]));
        FloatVector w34 = Pairs.broadcast(weights[weight + 3], weights[weight + 4]);
        FloatVector w5 = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + 5]));
        FloatVector w67 = Pairs.broadcast(weights[weight + 6], weights[weight + 7]);
        FloatVector w8 = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + 8]));
        FloatVector start = Pairs.broadcast(bias, 0);
        FloatVector least = FloatVector.broadcast(Pairs.HALF_FLOATS, low);
        FloatVector most = FloatVector.broadcast(Pairs.HALF_FLOATS, high);
        boolean isBounded = filters.isBounded();
        int width = windows.width();
        int out = windows.out();
        int from = at + (upper + 1) * width;
        int target = to;
        int above = at + Math.max(0, upper) * width;
        IntVector aboveLeft = IntVector.fromArray(MASKS, windows.leftMasks(), upper < 0 ? windows.none() : 2 * q);
        IntVector aboveEnd = IntVector.fromArray(MASKS, windows.rightMasks(), upper < 0 ? windows.none() : 2 * q);
        FloatVector begun = w2.fma(masked(x, above + 2, aboveEnd), w01.fma(masked(x, above, aboveLeft), start));
        for (int line = 0; line < lines; line++) {
            FloatVector sum = w5.fma(masked(x, from + 2, end), w34.fma(masked(x, from, left), begun));
            FloatVector l = masked(x, from + width, left);
            FloatVector r = masked(x, from + width + 2, end);
            sum = w8.fma(r, w67.fma(l, sum));
            begun = w2.fma(r, w01.fma(l, start));
            // Pairs.sums, which HotSpot does not always inline here: then vectors are objects
            FloatVector odd = sum.reinterpretAsLongs()
                    .lanewise(VectorOperators.LSHR, Integer.SIZE)
                    .reinterpretAsFloats();
            FloatVector done = Pairs.HALF_KIND.cast(sum.add(odd)
                    .reinterpretAsLongs()
                    .convertShape(VectorOperators.L2I, Pairs.HALF, 0)
                    .reinterpretShape(Pairs.HALF_FLOATS, 0));
            if (isBounded) {
                done = Bounds.within(done, least, most);
            }
            done.intoArray(sums, target);
            from += 2 * width;
            target += out;
        }
    }

    /** A line of outputs whose windows begin at line {@code upper} and miss some lines. */
    private static void part(
            ThreeLines windows,
            ThreeFilters filters,
            int filter,
            int upper,
            int given,
            int q,
            float[] x,
            int at,
            float[] sums,
            int to) {
        float[] weights = filters.weights();
        int weight = filter * ThreeFilters.TAPS;
        FloatVector sum = Pairs.broadcast(filters.bias()[filter], 0);
        sum = added(windows, upper, given, q, x, at, weights, weight, sum);
        sum = added(windows, upper + 1, given, q, x, at, weights, weight + 3, sum);
        sum = added(windows, upper + 2, given, q, x, at, weights, weight + 6, sum);
        Pairs.sums(sum).max(filters.low()).min(filters.high()).intoArray(sums, to);
    }

    /** A sum and what windows meet of a line, if it is there. */
    private static FloatVector added(
            ThreeLines windows,
            int line,
            int given,
            int q,
            float[] x,
            int at,
            float[] weights,
            int weight,
            FloatVector sum) {
        int mask = line >= 0 && line < given ? 2 * q : windows.none();
        int from = at + Math.max(0, Math.min(given - 1, line)) * windows.width();
        FloatVector l = masked(x, from, IntVector.fromArray(MASKS, windows.leftMasks(), mask));
        FloatVector r = masked(x, from + 2, IntVector.fromArray(MASKS, windows.rightMasks(), mask));
        FloatVector w = KIND.cast(FloatVector.broadcast(SPECIES, weights[weight + 2]));
        return w.fma(r, Pairs.broadcast(weights[weight], weights[weight + 1]).fma(l, sum));
    }

    private static FloatVector masked(float[] x, int at, IntVector mask) {
        return KIND.cast(FloatVector.fromArray(SPECIES, x, at))
                .reinterpretAsInts()
                .lanewise(VectorOperators.AND, mask)
                .reinterpretAsFloats();
    }
}
