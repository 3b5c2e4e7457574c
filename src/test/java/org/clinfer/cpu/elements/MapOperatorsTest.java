package org.clinfer.cpu.elements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cpu.TestRuns.FLOATS;
import static org.clinfer.cpu.TestRuns.INTEGERS;
import static org.clinfer.cpu.TestRuns.SHAPES;
import static org.clinfer.cpu.TestRuns.assertClose;
import static org.clinfer.cpu.TestRuns.longsOf;
import static org.clinfer.cpu.TestRuns.random;
import static org.clinfer.cpu.TestRuns.run;
import static org.clinfer.cpu.TestRuns.tensorOf;
import static org.clinfer.cpu.TestRuns.wrapped;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;
import org.clinfer.cpu.MapParameters;
import org.clinfer.cpu.TestRuns;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MapOperatorsTest {

    private static final double[] SPECIALS = {
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        0,
        1,
        -1,
        0.5,
        -0.5,
        1.5,
        2.5,
        -2.5,
        3,
        -3,
        6,
        7,
        80,
        -80
    };

    private static final MapParameters PARAMETERS = MapParameters.none()
            .with("alpha", 0.3)
            .with("beta", 0.6)
            .with("gamma", 1.7)
            .with("low", -0.75)
            .with("high", 1.25)
            .with("lowest", -1)
            .with("highest", 1);

    private record Case(String optype, DoubleUnaryOperator reference) {
        @Override
        public String toString() {
            return optype;
        }
    }

    private static double clamp(double x, double low, double high) {
        if (Double.isNaN(x)) {
            return x;
        }
        return x < low ? low : x > high ? high : x;
    }

    static Stream<Case> functions() {
        return Stream.of(
                new Case("Relu", x -> clamp(x, 0, Double.POSITIVE_INFINITY)),
                new Case("Relu6", x -> clamp(x, 0, 6)),
                new Case("LeakyRelu", x -> x < 0 ? 0.3 * x : x),
                new Case("Sigmoid", x -> 0.5 + 0.5 * Math.tanh(x / 2)),
                new Case("Tanh", x -> 1 - 2 / (Math.exp(2 * x) + 1)),
                new Case("Elu", x -> x < 0 ? 0.3 * (Math.exp(x) - 1) : x),
                new Case("Selu", x -> x < 0 ? 1.7 * 0.3 * (Math.exp(x) - 1) : 1.7 * x),
                new Case("HardSigmoid", x -> clamp(0.3 * x + 0.6, 0, 1)),
                new Case("HardSwish", x -> x * clamp(x + 3, 0, 6) / 6),
                new Case("Softplus", x -> x > 50 ? x : Math.log(1 + Math.exp(x))),
                new Case("Softsign", x -> x < 0 ? x / (1 - x) : x / (1 + x)),
                new Case("Clip", x -> clamp(x, -0.75, 1.25)),
                new Case("Exp", x -> Math.pow(Math.E, x)),
                new Case("Log", Math::log),
                new Case("Sqrt", x -> x < 0 ? Double.NaN : Math.pow(x, 0.5)),
                new Case("Abs", x -> x < 0 ? -x : x),
                new Case("Neg", x -> 0 - x),
                new Case("Reciprocal", x -> Math.pow(x, -1)),
                new Case("Floor", x -> Double.isFinite(x) ? Math.floorDiv((long) Math.ceil(x * 1e6), 1_000_000L) : x),
                new Case("Ceil", x -> -Math.floor(-x)),
                new Case("Round", MapOperatorsTest::roundHalfEven),
                new Case("Sign", x -> x > 0 ? 1 : x < 0 ? -1 : x),
                new Case("Sin", x -> Math.cos(x - Math.PI / 2)),
                new Case("Cos", x -> Math.sin(x + Math.PI / 2)));
    }

    private static double roundHalfEven(double x) {
        double below = Math.floor(x);
        double rest = x - below;
        if (rest < 0.5 || (rest == 0.5 && below % 2 == 0)) {
            return below;
        }
        return Double.isFinite(x) ? below + 1 : x;
    }

    @ParameterizedTest
    @MethodSource("functions")
    void matchesTheReferenceOnRandomData(Case function) {
        Random random = new Random(7);
        for (DType dtype : FLOATS) {
            for (long[] sizes : SHAPES) {
                Tensor x = random(random, dtype, sizes);
                Tensor y = run(function.optype, PARAMETERS, x.type(), x);
                for (long i = 0; i < x.elements(); i++) {
                    assertClose(y, i, function.reference.applyAsDouble(x.getDouble(i)), function.optype);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("functions")
    void matchesTheReferenceOnSpecialValues(Case function) {
        for (DType dtype : FLOATS) {
            Tensor x = tensorOf(dtype, SPECIALS);
            Tensor y = run(function.optype, PARAMETERS, x.type(), x);
            for (int i = 0; i < SPECIALS.length; i++) {
                double value = x.getDouble(i);
                if (Math.abs(value) >= 80
                        && List.of("Sin", "Cos", "Exp", "HardSwish").contains(function.optype)) {
                    continue;
                }
                assertClose(y, i, function.reference.applyAsDouble(value), function.optype + " of " + value);
            }
        }
    }

    @Test
    void exponentialsKeepTheirLimits() {
        Tensor x = tensorOf(DType.FLOAT32, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 89, -200);
        Tensor y = run("Exp", PARAMETERS, x.type(), x);
        assertThat(y.toFloatArray()).containsExactly(Float.POSITIVE_INFINITY, 0, Float.POSITIVE_INFINITY, 0);
    }

    @Test
    void errorFunctionMatchesItsIntegral() {
        for (DType dtype : FLOATS) {
            Tensor x = random(new Random(3), dtype, 207);
            Tensor y = run("Erf", PARAMETERS, x.type(), x);
            for (int i = 0; i < 207; i++) {
                assertClose(y, i, integratedErf(x.getDouble(i)), "Erf of " + x.getDouble(i));
            }
        }
        for (double x = -7; x <= 7; x += 1.0 / 64) {
            assertThat(ErrorFunction.erf(x)).isCloseTo(integratedErf(x), Offset.offset(1e-13));
        }
    }

    @Test
    void errorFunctionIsAccurateRelativelyNearZero() {
        for (double x : new double[] {1e-30, 1e-8, 1e-3, 0.02}) {
            double series = 2 / Math.sqrt(Math.PI) * (x - x * x * x / 3 + Math.pow(x, 5) / 10 - Math.pow(x, 7) / 42);
            assertThat(ErrorFunction.erf(x)).isCloseTo(series, Percentage.withPercentage(1e-11));
            assertThat(ErrorFunction.erf(-x)).isEqualTo(-ErrorFunction.erf(x));
        }
        assertThat(ErrorFunction.erf(Double.NaN)).isNaN();
        assertThat(ErrorFunction.erf(Double.NEGATIVE_INFINITY)).isEqualTo(-1);
    }

    /** Simpson's rule. */
    private static double integratedErf(double x) {
        int intervals = 2000;
        double width = x / intervals;
        double sum = 0;
        for (int i = 0; i <= intervals; i++) {
            double t = i * width;
            int weight = i == 0 || i == intervals ? 1 : i % 2 == 1 ? 4 : 2;
            sum += weight * Math.exp(-t * t);
        }
        return 2 / Math.sqrt(Math.PI) * sum * width / 3;
    }

    @Test
    void integersWrap() {
        Map<String, UnaryOperator<BigInteger>> references = Map.of(
                "Relu", x -> x.max(BigInteger.ZERO),
                "Relu6", x -> x.max(BigInteger.ZERO).min(BigInteger.valueOf(6)),
                "Abs", BigInteger::abs,
                "Neg", BigInteger::negate,
                "Sign", x -> BigInteger.valueOf(x.signum()),
                "Floor", x -> x,
                "Ceil", x -> x,
                "Round", x -> x,
                "Clip", x -> x.max(BigInteger.valueOf(-5)).min(BigInteger.valueOf(100)));
        MapParameters bounds = bounds(-5, 100);
        references.forEach((optype, reference) -> {
            for (DType dtype : INTEGERS) {
                Tensor x = random(new Random(11), dtype, 131, 137);
                x.setLong(0, Long.MIN_VALUE >> (64 - dtype.bits()));
                Tensor y = run(optype, bounds, x.type(), x);
                for (long i = 0; i < x.elements(); i++) {
                    long wanted = wrapped(dtype, reference.apply(BigInteger.valueOf(x.getLong(i))));
                    if (y.getLong(i) != wanted) {
                        assertThat(y.getLong(i))
                                .as("%s of %d:%s", optype, x.getLong(i), dtype)
                                .isEqualTo(wanted);
                    }
                }
            }
        });
    }

    private static MapParameters bounds(long lowest, long highest) {
        return MapParameters.none()
                .with("low", (double) lowest)
                .with("high", (double) highest)
                .with("lowest", (Object) lowest)
                .with("highest", (Object) highest);
    }

    @Test
    void clipKeepsInt64BoundsExactly() {
        long bound = (1L << 62) + 1;
        Tensor x = longsOf(DType.INT64, Long.MAX_VALUE, 3, Long.MIN_VALUE);
        Tensor y = run("Clip", bounds(Long.MIN_VALUE, bound), x.type(), x);
        assertThat(y.toLongArray()).containsExactly(bound, 3, Long.MIN_VALUE);
    }

    @Test
    void unboundedClipChangesNothing() {
        MapParameters parameters = bounds(Long.MIN_VALUE, Long.MAX_VALUE)
                .with("low", Double.NEGATIVE_INFINITY)
                .with("high", Double.POSITIVE_INFINITY);
        for (DType dtype : TestRuns.WHOLE_BYTES.subList(0, 11)) {
            Tensor x = random(new Random(2), dtype, 13);
            assertThat(run("Clip", parameters, x.type(), x).bytes()).isEqualTo(x.bytes());
        }
    }

    @Test
    void slopesOfIntegersRoundHalfToEvenAndSaturate() {
        for (DType dtype : INTEGERS) {
            Tensor x = longsOf(dtype, -1, -2, -3, -5, -6, -7, 0, 7);
            MapParameters half = MapParameters.none().with("alpha", 0.5);
            assertThat(run("LeakyRelu", half, x.type(), x).toLongArray()).containsExactly(0, -1, -2, -2, -3, -4, 0, 7);
            MapParameters steep = MapParameters.none().with("alpha", -1e30);
            long highest = Long.MAX_VALUE >> (64 - dtype.bits());
            assertThat(run("LeakyRelu", steep, x.type(), x).getLong(0)).isEqualTo(highest);
        }
    }

    @Test
    void leakyReluIsItsFormulaToTheBitForAnySlope() {
        Random random = new Random(4);
        float[] ends = {
            0, -0f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, -Float.MIN_VALUE, Float.MIN_VALUE
        };
        float[] values = Arrays.copyOf(ends, 77);
        for (int i = ends.length; i < values.length; i++) {
            values[i] = (float) random.nextGaussian();
        }
        for (float slope : new float[] {0.01f, 1, Math.nextUp(1f), 0, -0.5f, 3, Float.POSITIVE_INFINITY}) {
            Tensor x = Tensor.of(values, values.length);
            float[] y = run("LeakyRelu", MapParameters.none().with("alpha", slope), x.type(), x)
                    .toFloatArray();
            for (int i = 0; i < values.length; i++) {
                float wanted = values[i] >= 0 ? values[i] : slope * values[i];
                assertThat(Float.floatToIntBits(y[i]))
                        .as("%s of slope %s", values[i], slope)
                        .isEqualTo(Float.floatToIntBits(wanted));
            }
        }
    }

    @Test
    void notNegatesBits() {
        Tensor x = random(new Random(1), DType.BOOL, 13);
        Tensor y = run("Not", PARAMETERS, x.type(), x);
        for (int i = 0; i < 13; i++) {
            assertThat(y.getLong(i)).isEqualTo(1 - x.getLong(i));
        }
    }
}
