package org.clinfer.cpu.vector;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** Neighbouring elements of a vector of floats, as the halves of numbers twice as wide: shuffles take HotSpot longer. */
final class Pairs {

    private static final VectorSpecies<Float> SPECIES = PanamaKernels.SPECIES;
    private static final VectorSpecies<Integer> HALF =
            VectorSpecies.of(int.class, VectorShape.forBitSize(SPECIES.vectorBitSize() / 2));

    static final VectorSpecies<Float> HALF_FLOATS = HALF.withLanes(float.class);
    private static final Class<? extends FloatVector> HALF_KIND =
            HALF_FLOATS.vectorType().asSubclass(FloatVector.class);

    private static final int HALF_LANES = HALF_FLOATS.length();

    private Pairs() {}

    /** The even elements. */
    static FloatVector even(FloatVector vector) {
        return HALF_KIND.cast(PanamaKernels.KIND
                .cast(vector)
                .reinterpretAsLongs()
                .convertShape(VectorOperators.L2I, HALF, 0)
                .reinterpretShape(HALF_FLOATS, 0));
    }

    /** The odd elements. */
    static FloatVector odd(FloatVector vector) {
        return even(vector.reinterpretAsLongs()
                .lanewise(VectorOperators.LSHR, Integer.SIZE)
                .reinterpretAsFloats());
    }

    /** {@link VectorKernels#sortPairs}. */
    static void sort(float[] from, int at, int count, float[] to, int even, int odd) {
        int i = 0;
        for (; i <= count - HALF_LANES; i += HALF_LANES) {
            FloatVector pairs = PanamaKernels.KIND.cast(FloatVector.fromArray(SPECIES, from, at + 2 * i));
            even(pairs).intoArray(to, even + i);
            odd(pairs).intoArray(to, odd + i);
        }
        for (; i < count; i++) {
            to[even + i] = from[at + 2 * i];
            to[odd + i] = from[at + 2 * i + 1];
        }
    }
}
