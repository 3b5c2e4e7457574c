package org.clinfer.cpu.vector;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** Conversions of quantized values of few bits, and of sums of their products, a vector at a time. */
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

    private static final Class<? extends ByteVector> BYTE_KIND =
            BYTES.vectorType().asSubclass(ByteVector.class);

    /** Added to a number below 2^22, it leaves the number, rounded to an integer, in the lowest bits: no conversion is needed. */
    private static final float ROUNDER = 0x1.8p23f;

    private static final int ROUNDER_BITS = Float.floatToRawIntBits(ROUNDER);

    private static final int INFINITY_BITS = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

    /** Sums of up to 24 bits are converted in two parts. */
    private static final int STEP_BITS = 12;

    private static final float STEP = 1f / (1 << STEP_BITS);

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

    /** See {@link VectorKernels#integers}. */
    static void integers(byte[] quantized, int at, int count, int mask, int zero, float[] real, int to) {
        int i = 0;
        for (; HAS_BYTES && i <= count - LANES; i += LANES) {
            IntVector integers = INT_KIND.cast(
                    ByteVector.fromArray(BYTES, quantized, at + i).convertShape(VectorOperators.B2I, INTS, 0));
            FloatVector differences = KIND.cast(integers.and(mask).sub(zero).convert(VectorOperators.I2F, 0));
            differences.intoArray(real, to + i);
        }
        for (; i < count; i++) {
            real[to + i] = (quantized[at + i] & mask) - zero;
        }
    }

    /** See {@link VectorKernels#panel}. */
    static void panel(byte[] quantized, int at, int[] offsets, int from, int depth, int mask, int zero, float[] real) {
        for (int j = 0; HAS_BYTES && j < VectorKernels.PANEL; j += 2 * LANES) {
            for (int k = 0; k < depth; k++) {
                int first = at + offsets[from + k] + j;
                IntVector a = INT_KIND.cast(
                        ByteVector.fromArray(BYTES, quantized, first).convertShape(VectorOperators.B2I, INTS, 0));
                IntVector b = INT_KIND.cast(ByteVector.fromArray(BYTES, quantized, first + LANES)
                        .convertShape(VectorOperators.B2I, INTS, 0));
                int to = k * VectorKernels.PANEL + j;
                KIND.cast(a.and(mask).sub(zero).convert(VectorOperators.I2F, 0)).intoArray(real, to);
                KIND.cast(b.and(mask).sub(zero).convert(VectorOperators.I2F, 0)).intoArray(real, to + LANES);
            }
        }
        for (int k = 0; !HAS_BYTES && k < depth; k++) {
            for (int j = 0; j < VectorKernels.PANEL; j++) {
                real[k * VectorKernels.PANEL + j] = (quantized[at + offsets[from + k] + j] & mask) - zero;
            }
        }
    }

    /** See {@link VectorKernels#quantize}. */
    static void quantize(float[] real, int at, int count, int zero, int low, int high, byte[] quantized, int to) {
        float least = low - zero;
        float most = high - zero;
        int i = 0;
        for (; HAS_BYTES && i <= count - LANES; i += LANES) {
            IntVector bits =
                    INT_KIND.cast(FloatVector.fromArray(SPECIES, real, at + i).reinterpretAsInts());
            IntVector isNumber =
                    bits.and(Integer.MAX_VALUE).sub(INFINITY_BITS + 1).lanewise(VectorOperators.ASHR, 31);
            FloatVector value = KIND.cast(bits.and(isNumber).reinterpretAsFloats());
            // a positive sum and a greater one, and any negative one, are ordered as the integers with their bits are
            IntVector whole = INT_KIND.cast(KIND.cast(value.add(ROUNDER)).reinterpretAsInts())
                    .max(ROUNDER_BITS + low - zero)
                    .min(ROUNDER_BITS + high - zero)
                    .sub(ROUNDER_BITS - zero);
            BYTE_KIND.cast(whole.convertShape(VectorOperators.I2B, BYTES, 0)).intoArray(quantized, to + i);
        }
        for (; i < count; i++) {
            float value = real[at + i];
            float within = value >= least ? Math.min(value, most) : value < least ? least : 0;
            quantized[to + i] = (byte) (Float.floatToRawIntBits(within + ROUNDER) - ROUNDER_BITS + zero);
        }
    }

    /** See {@link VectorKernels#scale}. */
    static void scale(int[] integers, int at, int count, float[] factors, int factor, float[] real) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector values =
                    KIND.cast(IntVector.fromArray(INTS, integers, at + i).convert(VectorOperators.I2F, 0));
            values.mul(KIND.cast(FloatVector.fromArray(SPECIES, factors, factor + i)))
                    .intoArray(real, i);
        }
        for (; i < count; i++) {
            real[i] = integers[at + i] * factors[factor + i];
        }
    }

    /** See {@link VectorKernels#addIntegers}. */
    static void addIntegers(float[] sums, int[] totals, int count) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            FloatVector sum = KIND.cast(FloatVector.fromArray(SPECIES, sums, i));
            FloatVector high = sum.fma(STEP, ROUNDER);
            FloatVector low = sum.sub(high.sub(ROUNDER).mul(1 / STEP)).add(ROUNDER);
            IntVector whole = INT_KIND.cast(high.reinterpretAsInts())
                    .sub(ROUNDER_BITS)
                    .lanewise(VectorOperators.LSHL, STEP_BITS)
                    .add(INT_KIND.cast(low.reinterpretAsInts()).sub(ROUNDER_BITS));
            INT_KIND.cast(IntVector.fromArray(INTS, totals, i).add(whole)).intoArray(totals, i);
        }
        for (; i < count; i++) {
            totals[i] += (int) sums[i];
        }
    }
}
