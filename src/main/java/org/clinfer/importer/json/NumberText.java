package org.clinfer.importer.json;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.regex.Pattern;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.HalfFloat;
import org.clinfer.tensor.SmallFloat;
import org.clinfer.tensor.Tensor;
import tools.jackson.core.io.NumberOutput;

/**
 * Floating numbers as text: the shortest decimal that gives the same number again; {@code NaN}, {@code Infinity} and
 * {@code -Infinity}; and for a NaN that is not the usual one its bits, {@code 0xffc00000}.
 */
final class NumberText {

    private static final Pattern BITS = Pattern.compile("0x[0-9a-f]{1,16}");

    private NumberText() {}

    /** The number that a word stands for. */
    static Optional<Double> special(String word) {
        return switch (word) {
            case "NaN" -> Optional.of(Double.NaN);
            case "Infinity" -> Optional.of(Double.POSITIVE_INFINITY);
            case "-Infinity" -> Optional.of(Double.NEGATIVE_INFINITY);
            default -> Optional.empty();
        };
    }

    /** The word for a number that JSON cannot write, or empty. */
    static Optional<String> special(double value) {
        return Double.isFinite(value) ? Optional.empty() : Optional.of(Double.toString(value));
    }

    /** The shortest decimal, with a point or an exponent. */
    static String shortest(double value) {
        return NumberOutput.toString(value, true);
    }

    /** The bits that a string stands for as an element of a floating type: a special number, or bits as such. */
    static Optional<Long> bits(String word, DType dtype) {
        Optional<Double> special = special(word);
        if (special.isPresent()) {
            double value = special.get();
            return Optional.of(
                    switch (dtype) {
                        case FLOAT16 -> (long) HalfFloat.fromFloat((float) value);
                        case BFLOAT16 -> (long) HalfFloat.bfloatFromFloat((float) value);
                        case FLOAT32 -> (long) Float.floatToIntBits((float) value);
                        case FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT8E8M0, FLOAT4E2M1 ->
                            (long) SmallFloat.code(dtype, value, false);
                        default -> Double.doubleToLongBits(value);
                    });
        }
        if (!BITS.matcher(word).matches() || word.length() - 2 != dtype.bits() / 4) {
            return Optional.empty();
        }
        return Optional.of(Long.parseUnsignedLong(word.substring(2), 16));
    }

    /** The bits of an element of a floating type. */
    static long bits(Tensor tensor, int index) {
        ByteBuffer memory = tensor.bytes();
        return switch (tensor.dtype()) {
            case FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT8E8M0, FLOAT4E2M1 -> tensor.code(index);
            case FLOAT16, BFLOAT16 -> memory.getShort(2 * index) & 0xffffL;
            case FLOAT32 -> memory.getInt(4 * index) & 0xffffffffL;
            default -> memory.getLong(8 * index);
        };
    }

    /** Stores the bits of an element of a floating type. */
    static void put(Tensor tensor, int index, long bits) {
        ByteBuffer memory = tensor.bytes();
        switch (tensor.dtype()) {
            case FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT8E8M0, FLOAT4E2M1 ->
                tensor.setCode(index, (int) bits);
            case FLOAT16, BFLOAT16 -> memory.putShort(2 * index, (short) bits);
            case FLOAT32 -> memory.putInt(4 * index, (int) bits);
            default -> memory.putLong(8 * index, bits);
        }
    }

    /** The word for an element that JSON has no number for. */
    static String word(long bits, double value, DType dtype) {
        String word = Double.toString(value);
        long usual = bits(word, dtype).orElseThrow() & mask(dtype);
        return bits == usual ? word : String.format("0x%0" + dtype.bits() / 4 + "x", bits);
    }

    private static long mask(DType dtype) {
        return dtype.bits() == 64 ? -1 : (1L << dtype.bits()) - 1;
    }

    /** The shortest decimal of a finite element of a floating type, with a point or an exponent. */
    static String shortest(long bits, double value, DType dtype) {
        return switch (dtype) {
            case FLOAT16, BFLOAT16, FLOAT8E4M3FN, FLOAT8E4M3FNUZ, FLOAT8E5M2, FLOAT8E5M2FNUZ, FLOAT4E2M1 ->
                shortestNarrow(bits, value, dtype);
            case FLOAT32 -> NumberOutput.toString((float) value, true);
            default -> shortest(value);
        };
    }

    private static String shortestNarrow(long bits, double value, DType dtype) {
        BigDecimal exact = new BigDecimal(value);
        for (int digits = 1; digits <= 5; digits++) {
            float rounded = exact.round(new MathContext(digits)).floatValue();
            if (Float.isFinite(rounded) && narrow(rounded, dtype) == bits) {
                return NumberOutput.toString(Math.copySign(rounded, (float) value), true);
            }
        }
        return NumberOutput.toString((float) value, true);
    }

    private static long narrow(float value, DType dtype) {
        return switch (dtype) {
            case FLOAT16 -> HalfFloat.fromFloat(value) & 0xffffL;
            case BFLOAT16 -> HalfFloat.bfloatFromFloat(value) & 0xffffL;
            default -> SmallFloat.code(dtype, value, true);
        };
    }
}
