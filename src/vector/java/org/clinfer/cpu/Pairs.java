package org.clinfer.cpu;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** The even and the odd elements of vectors, as the halves of numbers twice as wide: shuffles take HotSpot longer. */
final class Pairs {

    private static final VectorSpecies<Float> SPECIES = PanamaKernels.SPECIES;
    private static final int LANES = SPECIES.length();
    static final VectorSpecies<Integer> HALF =
            VectorSpecies.of(int.class, VectorShape.forBitSize(SPECIES.vectorBitSize() / 2));

    static final VectorSpecies<Float> HALF_FLOATS = HALF.withLanes(float.class);

    private Pairs() {}

    /** Copies elements 0, 2, 4 and so on of {@code count}, and the others; up to half a vector more of each. */
    static void split(float[] from, int at, int count, float[] to, int even, int odd) {
        for (int i = 0; i < count; i += LANES) {
            LongVector pairs = FloatVector.fromArray(SPECIES, from, at + i).reinterpretAsLongs();
            ((FloatVector) pairs.convertShape(VectorOperators.L2I, HALF, 0).reinterpretShape(HALF_FLOATS, 0))
                    .intoArray(to, even + i / 2);
            ((FloatVector) pairs.lanewise(VectorOperators.LSHR, Integer.SIZE)
                            .convertShape(VectorOperators.L2I, HALF, 0)
                            .reinterpretShape(HALF_FLOATS, 0))
                    .intoArray(to, odd + i / 2);
        }
    }
}
