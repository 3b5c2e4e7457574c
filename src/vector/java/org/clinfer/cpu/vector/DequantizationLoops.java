package org.clinfer.cpu.vector;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** Dequantizes values of few bits, a vector at a time. */
final class DequantizationLoops {

    private static final VectorSpecies<Float> SPECIES = PanamaKernels.SPECIES;
    private static final VectorSpecies<Integer> INTS = SPECIES.withLanes(int.class);
    private static final int LANES = SPECIES.length();
    private static final Class<? extends FloatVector> KIND = PanamaKernels.KIND;
    private static final Class<? extends IntVector> INT_KIND = INTS.vectorType().asSubclass(IntVector.class);

    /** A byte for each lane; there are no vectors of fewer than 8. */
    private static final boolean HAS_BYTES = LANES >= 8;

    private static final VectorSpecies<Byte> BYTES =
            HAS_BYTES ? VectorSpecies.of(byte.class, VectorShape.forBitSize(LANES * Byte.SIZE)) : ByteVector.SPECIES_64;

    private DequantizationLoops() {}

    /** See {@link VectorKernels#halves}. */
    static void halves(byte[] quantized, int at, int count, float zero, float scale, float[] real, int to) {
        int i = 0;
        for (; HAS_BYTES && i <= count - LANES; i += LANES) {
            IntVector pairs = INT_KIND.cast(
                    ByteVector.fromArray(BYTES, quantized, at + i).convertShape(VectorOperators.B2I, INTS, 0));
            FloatVector low = KIND.cast(pairs.and(15).convert(VectorOperators.I2F, 0));
            FloatVector high =
                    KIND.cast(pairs.lanewise(VectorOperators.LSHR, 4).and(15).convert(VectorOperators.I2F, 0));
            low.sub(zero).mul(scale).intoArray(real, to + i);
            high.sub(zero).mul(scale).intoArray(real, to + count + i);
        }
        for (; i < count; i++) {
            real[to + i] = ((quantized[at + i] & 15) - zero) * scale;
            real[to + count + i] = ((quantized[at + i] >> 4 & 15) - zero) * scale;
        }
    }
}
