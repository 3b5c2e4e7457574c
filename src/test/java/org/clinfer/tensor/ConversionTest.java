package org.clinfer.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link Tensor#to} for every pair of types, against exact arithmetic. */
class ConversionTest {

    private record Pair(DType from, DType to) {}

    static List<Pair> pairs() {
        List<Pair> pairs = new ArrayList<>();
        for (DType from : DType.values()) {
            for (DType to : DType.values()) {
                pairs.add(new Pair(from, to));
            }
        }
        return pairs;
    }

    /** Small numbers, the ends of every integer type, ties of the narrow floats, and random bits. */
    private static Tensor samples(DType dtype) {
        Random random = new Random(dtype.label().hashCode());
        Tensor tensor = Tensor.allocate(dtype, 613);
        long[] integers = {0, 1, -1, 2, 127, 128, -128, -129, 255, 256, 32767, 32768, -32769, 65519, 65520, 65535};
        double[] reals = {0.5, -0.5, 1.5, -0.0, 65519.99, 65520, 1e-8, 3e9, -3e9, 1e19, -1e19, 1e300, 2049, 2051, 257};
        for (int i = 0; i < 613; i++) {
            if (i < integers.length) {
                tensor.setLong(i, integers[i]);
            } else if (i < integers.length + reals.length) {
                tensor.setDouble(i, reals[i - integers.length]);
            } else if (dtype.isFloating()) {
                tensor.setDouble(i, Math.scalb(random.nextDouble() - 0.5, random.nextInt(80) - 30));
            } else {
                tensor.setLong(i, random.nextLong() >> random.nextInt(60));
            }
        }
        if (dtype.isFloating()) {
            tensor.setDouble(610, Double.NaN);
            tensor.setDouble(611, Double.POSITIVE_INFINITY);
            tensor.setDouble(612, Double.NEGATIVE_INFINITY);
        }
        return tensor;
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void convertsEveryElement(Pair pair) {
        Tensor from = samples(pair.from());
        Tensor to = from.to(pair.to());
        assertThat(to.type()).isEqualTo(new TensorType(pair.to(), from.shape()));
        for (int i = 0; i < from.elements(); i++) {
            if (pair.to().isFloating()) {
                checkFloat(from, to, i);
            } else if (to.getLong(i) != expectedLong(from, i, pair.to())) {
                fail("%s: element %d, %s, became %d", pair, i, from.getDouble(i), to.getLong(i));
            }
        }
    }

    private static long expectedLong(Tensor from, int index, DType to) {
        double real = from.getDouble(index);
        if (to.kind() == DType.Kind.LOGICAL) {
            return real != 0 ? 1 : 0;
        }
        if (!from.dtype().isFloating()) {
            return lowBits(whole(from, index), to);
        }
        if (to.isPacked()) {
            return lowBits(BigInteger.valueOf((long) real), to);
        }
        if (Double.isNaN(real)) {
            return 0;
        }
        boolean signed = !to.label().startsWith("u");
        BigInteger end = BigInteger.ONE.shiftLeft(signed ? to.bits() - 1 : to.bits());
        BigInteger lowest = signed ? end.negate() : BigInteger.ZERO;
        if (Double.isInfinite(real)) {
            return (real > 0 ? end.subtract(BigInteger.ONE) : lowest).longValue();
        }
        BigInteger truncated = new BigDecimal(real).toBigInteger();
        return truncated.min(end.subtract(BigInteger.ONE)).max(lowest).longValue();
    }

    /** An integer with its sign, if its type has one. */
    private static BigInteger whole(Tensor from, int index) {
        long bits = from.getLong(index);
        return from.dtype() == DType.UINT64 ? new BigInteger(Long.toUnsignedString(bits)) : BigInteger.valueOf(bits);
    }

    private static long lowBits(BigInteger value, DType to) {
        BigInteger all = BigInteger.ONE.shiftLeft(to.bits());
        BigInteger rest = value.mod(all);
        boolean negative = !to.label().startsWith("u") && rest.testBit(to.bits() - 1);
        return (negative ? rest.subtract(all) : rest).longValue();
    }

    private static void checkFloat(Tensor from, Tensor to, int index) {
        double source = from.getDouble(index);
        double found = to.getDouble(index);
        if (to.dtype().isSmallFloat()) {
            double exact =
                    from.dtype().isFloating() ? source : whole(from, index).doubleValue();
            int code = SmallFloatDefinition.nearest(to.dtype(), SmallFloatDefinition.clamped(to.dtype(), exact));
            if (to.code(index) != code) {
                fail("%s -> %s: element %d, %s, became %s", from.dtype(), to.dtype(), index, exact, found);
            }
            return;
        }
        if (Double.isNaN(source) || Double.isInfinite(source)) {
            assertThat(Double.valueOf(found)).isEqualTo(Double.valueOf(source));
            return;
        }
        BigDecimal exact = from.dtype().isFloating() ? new BigDecimal(source) : new BigDecimal(whole(from, index));
        double wanted = rounded(exact, to.dtype());
        if (found != wanted) {
            fail("%s -> %s: element %d, %s, became %s, not %s", from.dtype(), to.dtype(), index, exact, found, wanted);
        }
    }

    /** The value of a floating type nearest to an exact number, ties to even. */
    private static double rounded(BigDecimal exact, DType dtype) {
        int precision = switch (dtype) {
            case FLOAT16 -> 11;
            case BFLOAT16 -> 8;
            case FLOAT32 -> 24;
            default -> 53;
        };
        int lowest = switch (dtype) {
            case FLOAT16 -> -24;
            case BFLOAT16 -> -133;
            case FLOAT32 -> -149;
            default -> -1074;
        };
        if (exact.signum() == 0) {
            return 0;
        }
        int exponent = Math.getExponent(
                exact.abs().round(new MathContext(17, RoundingMode.DOWN)).doubleValue());
        if (exact.abs().compareTo(power(exponent)) < 0) {
            exponent--;
        }
        BigDecimal unit = power(Math.max(exponent - precision + 1, lowest));
        double nearest = exact.divide(unit)
                .setScale(0, RoundingMode.HALF_EVEN)
                .multiply(unit)
                .doubleValue();
        double limit = dtype == DType.FLOAT16 ? 65536 : dtype == DType.FLOAT64 ? Double.POSITIVE_INFINITY : 0x1p128;
        return Math.abs(nearest) >= limit ? Math.copySign(Double.POSITIVE_INFINITY, nearest) : nearest;
    }

    private static BigDecimal power(int exponent) {
        return exponent >= 0
                ? new BigDecimal(BigInteger.ONE.shiftLeft(exponent))
                : BigDecimal.ONE.divide(new BigDecimal(BigInteger.ONE.shiftLeft(-exponent)));
    }

    private static double converted(double value, DType to) {
        Tensor tensor = Tensor.allocate(DType.FLOAT64, 1);
        tensor.setDouble(0, value);
        return tensor.to(to).getDouble(0);
    }

    /** A tie of float16 and a little more: by way of float32, which drops the little, it would round down. */
    @Test
    void roundsOnceFromFloat64() {
        assertThat(converted(1 + 0x1p-11 + 0x1p-40, DType.FLOAT16)).isEqualTo(1 + 0x1p-10);
        assertThat(converted(1 + 0x1p-11, DType.FLOAT16)).isEqualTo(1);
        assertThat(converted(1 + 0x1p-11 - 0x1p-40, DType.FLOAT16)).isEqualTo(1);
        assertThat(converted(-1 - 0x1p-11 - 0x1p-40, DType.FLOAT16)).isEqualTo(-1 - 0x1p-10);
        assertThat(converted(1 + 0x1p-8 + 0x1p-40, DType.BFLOAT16)).isEqualTo(1 + 0x1p-7);
        assertThat(converted(0x1p-25 + 0x1p-60, DType.FLOAT16)).isEqualTo(0x1p-24);
        assertThat(converted(65520 - 0x1p-30, DType.FLOAT16)).isEqualTo(65504);
        assertThat(converted(1e-320, DType.FLOAT16)).isZero();
    }

    /** The same with int64, whose low bits a double would drop. */
    @Test
    void roundsOnceFromInt64() {
        long tie = (1L << 62) + (1L << 54);
        Tensor longs = Tensor.of(new long[] {tie - 1, tie, tie + 1, -tie + 1, -tie, -tie - 1, Long.MIN_VALUE}, 7);
        double step = 0x1p55;
        assertThat(toDoubles(longs.to(DType.BFLOAT16)))
                .containsExactly(0x1p62, 0x1p62, 0x1p62 + step, -0x1p62, -0x1p62, -0x1p62 - step, -0x1p63);
    }

    private static double[] toDoubles(Tensor tensor) {
        double[] values = new double[(int) tensor.elements()];
        for (int i = 0; i < values.length; i++) {
            values[i] = tensor.getDouble(i);
        }
        return values;
    }
}
