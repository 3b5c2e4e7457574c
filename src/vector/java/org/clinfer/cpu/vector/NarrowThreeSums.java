package org.clinfer.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.clinfer.cpu.window.ThreeFilters;
import org.clinfer.cpu.window.ThreeLines;

/** Sums of 3x3 windows over planes of few columns, where vectors of 16 lanes would be half empty. */
final class NarrowThreeSums {

    /*
     * As ThreeSums does it, with one vector for a line. Some processors do a vector of 16 lanes in two halves. A plane is so
     * small that what it takes to begin one would be a third of the time: so all of them in one loop. The lines are here once
     * more because HotSpot makes no fast code of vectors whose width is not a constant.
     */
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_256;
    private static final VectorSpecies<Integer> MASKS = SPECIES.withLanes(int.class);
    private static final int LANES = SPECIES.length();
    private static final Class<? extends FloatVector> KIND =
            SPECIES.vectorType().asSubclass(FloatVector.class);
    private static final boolean IS_NARROW = LANES < PanamaKernels.SPECIES.length();

    private NarrowThreeSums() {}

    static boolean suits(ThreeLines windows) {
        return IS_NARROW && windows.out() <= LANES;
    }

    static void sum(
            ThreeLines windows,
            ThreeFilters filters,
            int filter,
            int planes,
            int above,
            int given,
            int lines,
            float[] x,
            int at,
            float[] sums,
            int to) {
        IntVector left = IntVector.fromArray(MASKS, windows.leftMasks(), 0);
        IntVector end = IntVector.fromArray(MASKS, windows.rightMasks(), 0);
        FloatVector least = FloatVector.broadcast(SPECIES, filters.low());
        FloatVector most = FloatVector.broadcast(SPECIES, filters.high());
        boolean isBounded = filters.isBounded();
        int width = windows.width();
        int out = windows.out();
        int loaded = Math.min(given, lines + 2 - above);
        for (int plane = 0; plane < planes; plane++) {
            float[] weights = filters.weights();
            int weight = (filter + plane) * ThreeFilters.TAPS;
            float bias = filters.bias()[filter + plane];
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
            FloatVector begun = start;
            FloatVector half = start;
            int from = at - windows.padLeft() + plane * given * width;
            int begin = to + plane * lines * out;
            int behind = begin + lines * out;
            int target = begin + (above - 2) * out;
            for (int line = 0; line < loaded; line++) {
                FloatVector l = masked(x, from, left);
                FloatVector m = KIND.cast(FloatVector.fromArray(SPECIES, x, from + 1));
                FloatVector r = masked(x, from + 2, end);
                FloatVector done = w8.fma(r, w7.fma(m, w6.fma(l, half)));
                half = w5.fma(r, w4.fma(m, w3.fma(l, begun)));
                begun = w2.fma(r, w1.fma(m, w0.fma(l, start)));
                if (target >= begin) {
                    if (isBounded) {
                        done = Bounds.within(done, least, most);
                    }
                    done.intoArray(sums, target);
                }
                from += width;
                target += out;
            }
            if (target >= begin && target < behind) {
                KIND.cast(FloatVector.broadcast(SPECIES, filters.low()))
                        .max(half)
                        .min(most)
                        .intoArray(sums, target);
            }
            target += out;
            if (target >= begin && target < behind) {
                KIND.cast(FloatVector.broadcast(SPECIES, filters.low()))
                        .max(begun)
                        .min(most)
                        .intoArray(sums, target);
            }
            for (target += out; target < behind; target += out) {
                if (target >= begin) {
                    KIND.cast(FloatVector.broadcast(SPECIES, filters.low()))
                            .max(bias)
                            .min(filters.high())
                            .intoArray(sums, target);
                }
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
