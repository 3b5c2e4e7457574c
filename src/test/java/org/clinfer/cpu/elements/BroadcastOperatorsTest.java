package org.clinfer.cpu.elements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cpu.TestRuns.BROADCASTS;
import static org.clinfer.cpu.TestRuns.FLOATS;
import static org.clinfer.cpu.TestRuns.INTEGERS;
import static org.clinfer.cpu.TestRuns.assertClose;
import static org.clinfer.cpu.TestRuns.broadcastIndex;
import static org.clinfer.cpu.TestRuns.label;
import static org.clinfer.cpu.TestRuns.longsOf;
import static org.clinfer.cpu.TestRuns.place;
import static org.clinfer.cpu.TestRuns.random;
import static org.clinfer.cpu.TestRuns.run;
import static org.clinfer.cpu.TestRuns.tensorOf;
import static org.clinfer.cpu.TestRuns.wrapped;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import org.clinfer.cpu.MapParameters;
import org.clinfer.cpu.TestRuns;
import org.clinfer.cpu.memory.StridedView;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arithmetic, powers and the variadic operators. */
class BroadcastOperatorsTest {

    private static final Map<String, DoubleBinaryOperator> REALS = Map.of(
            "Add", (a, b) -> a + b,
            "Sub", (a, b) -> a - b,
            "Mul", (a, b) -> a * b,
            "Div", (a, b) -> a / b,
            "Sum", (a, b) -> b + a,
            "Max", (a, b) -> Double.isNaN(a) || Double.isNaN(b) ? Double.NaN : a > b ? a : b,
            "Min", (a, b) -> Double.isNaN(a) || Double.isNaN(b) ? Double.NaN : a < b ? a : b,
            "PRelu", (a, b) -> a < 0 ? a * b : a,
            "Pow", Math::pow);

    private static final Map<String, BinaryOperator<BigInteger>> INTEGRAL = Map.of(
            "Add", BigInteger::add,
            "Sub", BigInteger::subtract,
            "Mul", BigInteger::multiply,
            "Div", (a, b) -> b.signum() == 0 ? BigInteger.ZERO : a.divide(b),
            "Sum", BigInteger::add,
            "Max", BigInteger::max,
            "Min", BigInteger::min,
            "PRelu", (a, b) -> a.signum() < 0 ? a.multiply(b) : a);

    /** The strides of a slope that broadcasts. */
    private static MapParameters parameters(Tensor slope, long... sizes) {
        long[] own = StridedView.stridesOf(slope.shape().sizes());
        long[] strides = new long[sizes.length];
        for (int axis = 0; axis < own.length; axis++) {
            strides[sizes.length - own.length + axis] = slope.shape().size(axis) == 1 ? 0 : own[axis];
        }
        return MapParameters.none().with("slope_strides", strides);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Add", "Sub", "Mul", "Div", "Sum", "Max", "Min", "PRelu", "Pow"})
    void floatsMatchTheReference(String optype) {
        Random random = new Random(5);
        for (DType dtype : FLOATS) {
            for (long[][] shapes : BROADCASTS) {
                if (optype.equals("PRelu") && !Arrays.equals(shapes[0], shapes[2])) {
                    continue;
                }
                Tensor a = random(random, dtype, shapes[0]);
                Tensor b = random(random, dtype, shapes[1]);
                Tensor y = run(optype, parameters(b, shapes[2]), TensorType.of(dtype, shapes[2]), a, b);
                String what = label(optype, a, b);
                long elements = y.elements();
                for (long i = 0; i < elements; i++) {
                    long[] place = place(y.shape(), i);
                    double left = a.getDouble(broadcastIndex(a.shape(), place));
                    double right = b.getDouble(broadcastIndex(b.shape(), place));
                    assertClose(y, i, Objects.requireNonNull(REALS.get(optype)).applyAsDouble(left, right), what);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Add", "Sub", "Mul", "Div", "Sum", "Max", "Min", "PRelu"})
    void integersWrap(String optype) {
        Random random = new Random(6);
        for (DType dtype : INTEGERS) {
            for (long[][] shapes : BROADCASTS) {
                if (optype.equals("PRelu") && !Arrays.equals(shapes[0], shapes[2])) {
                    continue;
                }
                Tensor a = random(random, dtype, shapes[0]);
                Tensor b = random(random, dtype, shapes[1]);
                Tensor y = run(optype, parameters(b, shapes[2]), TensorType.of(dtype, shapes[2]), a, b);
                for (long i = 0; i < y.elements(); i++) {
                    long[] place = place(y.shape(), i);
                    BigInteger left = BigInteger.valueOf(a.getLong(broadcastIndex(a.shape(), place)));
                    BigInteger right = BigInteger.valueOf(b.getLong(broadcastIndex(b.shape(), place)));
                    long wanted = wrapped(
                            dtype, Objects.requireNonNull(INTEGRAL.get(optype)).apply(left, right));
                    if (y.getLong(i) != wanted) {
                        assertThat(y.getLong(i))
                                .as("%s: %s and %s", label(optype, a, b), left, right)
                                .isEqualTo(wanted);
                    }
                }
            }
        }
    }

    @Test
    void integerExtremesWrap() {
        for (DType dtype : INTEGERS) {
            long lowest = Long.MIN_VALUE >> (64 - dtype.bits());
            long highest = ~lowest;
            Tensor a = longsOf(dtype, lowest, highest, lowest, lowest, 7, -7, 7);
            Tensor b = longsOf(dtype, -1, 1, 1, 0, 2, 2, -2);
            assertThat(run("Div", MapParameters.none(), a.type(), a, b).toLongArray())
                    .containsExactly(lowest, highest, lowest, 0, 3, -3, -3);
            assertThat(run("Sub", MapParameters.none(), a.type(), a, b).toLongArray())
                    .containsExactly(lowest + 1, highest - 1, highest, lowest, 5, -9, 9);
        }
        Tensor a = longsOf(DType.INT64, Long.MIN_VALUE, Long.MAX_VALUE, 5);
        Tensor b = longsOf(DType.INT64, -1, 1, 0);
        assertThat(run("Div", MapParameters.none(), a.type(), a, b).toLongArray())
                .containsExactly(Long.MIN_VALUE, Long.MAX_VALUE, 0);
        assertThat(run("Add", MapParameters.none(), a.type(), a, b).toLongArray())
                .containsExactly(Long.MAX_VALUE, Long.MIN_VALUE, 5);
        assertThat(run("Sub", MapParameters.none(), a.type(), a, b).toLongArray())
                .containsExactly(Long.MIN_VALUE + 1, Long.MAX_VALUE - 1, 5);
        assertThat(run("Mul", MapParameters.none(), a.type(), a, b).toLongArray())
                .containsExactly(Long.MIN_VALUE, Long.MAX_VALUE, 0);
    }

    @Test
    void maximumAndMinimumPropagateNaN() {
        for (DType dtype : FLOATS) {
            Tensor a = tensorOf(dtype, Double.NaN, 1, Double.NEGATIVE_INFINITY, 2);
            Tensor b = tensorOf(dtype, 1, Double.NaN, Double.POSITIVE_INFINITY, 3);
            assertThat(run("Max", MapParameters.none(), a.type(), a, b, b).toFloatArray())
                    .containsExactly(Float.NaN, Float.NaN, Float.POSITIVE_INFINITY, 3);
            assertThat(run("Min", MapParameters.none(), a.type(), a, b, a).toFloatArray())
                    .containsExactly(Float.NaN, Float.NaN, Float.NEGATIVE_INFINITY, 2);
        }
    }

    @Test
    void variadicOperatorsTakeOneAndManyInputs() {
        Random random = new Random(8);
        Tensor a = random(random, DType.FLOAT32, 13);
        assertThat(run("Sum", MapParameters.none(), a.type(), a).bytes()).isEqualTo(a.bytes());
        Tensor b = random(random, DType.FLOAT32, 6, 1);
        Tensor c = random(random, DType.FLOAT32);
        Tensor y = run("Sum", MapParameters.none(), TensorType.of(DType.FLOAT32, 6, 13), a, b, c);
        for (int i = 0; i < 6 * 13; i++) {
            assertClose(y, i, a.getDouble(i % 13) + b.getDouble(i / 13) + c.getDouble(0), "Sum");
        }
    }

    @ParameterizedTest
    @ValueSource(floats = {2, 3, 0.5f, -1})
    void onePowerOfAllIsThatOfEachAsWell(float power) {
        float[] values = {-0.0f, 0, 1.7f, -1.7f, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, Float.NaN, 1e-30f};
        Tensor a = Tensor.of(values, 8);
        Tensor y = run("Pow", MapParameters.none(), a.type(), a, Tensor.of(new float[] {power}, 1));
        float[] expected = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            expected[i] = (float) Math.pow(values[i], power);
        }
        assertThat(y.toFloatArray()).containsExactly(expected);
    }

    @Test
    void integerPowersWrap() {
        for (DType dtype : INTEGERS) {
            Tensor a = longsOf(dtype, 2, -2, 3, 0, 0, 1, -1, -1, 5, -128, 10, -10);
            Tensor b = longsOf(DType.INT32, 6, 3, 0, 0, -1, -9, -3, -4, -1, 3, 19, 19);
            Tensor y = run("Pow", MapParameters.none(), a.type(), a, b);
            BigInteger large = BigInteger.TEN.pow(19);
            assertThat(y.toLongArray())
                    .as(dtype.label())
                    .containsExactly(
                            64,
                            -8,
                            1,
                            1,
                            0,
                            1,
                            -1,
                            1,
                            0,
                            wrapped(dtype, BigInteger.valueOf(-128).pow(3)),
                            wrapped(dtype, large),
                            wrapped(dtype, large.negate()));
        }
    }

    @Test
    void powersMixTypes() {
        Tensor base = tensorOf(DType.FLOAT32, 2, 9, -2);
        Tensor exponent = longsOf(DType.INT64, -1, 2, 3);
        assertThat(run("Pow", MapParameters.none(), base.type(), base, exponent).toFloatArray())
                .containsExactly(0.5f, 81, -8);
        Tensor half = tensorOf(DType.FLOAT64, 0.5);
        Tensor integers = longsOf(DType.INT8, 10, 64, -1);
        assertThat(run("Pow", MapParameters.none(), integers.type(), integers, half)
                        .toLongArray())
                .containsExactly(3, 8, 0);
    }

    @Test
    void realPowersOfIntegersRoundHalfToEven() {
        Tensor base = longsOf(DType.INT32, 1, 2, 3, 5, -2);
        Tensor exponent = tensorOf(DType.FLOAT32, -0.5, 1.5, 2, -1, 0.5);
        assertThat(run("Pow", MapParameters.none(), base.type(), base, exponent).toLongArray())
                .containsExactly(1, 3, 9, 0, 0);
        Tensor two = longsOf(DType.INT8, 2);
        Tensor minusOne = tensorOf(DType.FLOAT64, -1);
        assertThat(run("Pow", MapParameters.none(), two.type(), two, minusOne).getLong(0))
                .isZero();
    }

    @Test
    void slopesPerChannel() {
        Tensor image = Tensor.of(new float[] {-1, 2, -3, -4, 5, -6, -7, -8}, 2, 2, 2);
        Tensor slope = tensorOf(DType.FLOAT32, 10, 100);
        MapParameters parameters = MapParameters.none().with("slope_strides", new long[] {0, 1, 0});
        assertThat(run("PRelu", parameters, image.type(), image, slope).toFloatArray())
                .containsExactly(-10, 2, -300, -400, 5, -60, -700, -800);
    }

    @Test
    void weightedSumsMatchTheirDefinition() {
        Random random = new Random(12);
        long[] alpha = {1, -3, 20};
        MapParameters parameters = MapParameters.none().with("alpha", alpha);
        for (DType dtype : TestRuns.WHOLE_BYTES.subList(0, 11)) {
            Tensor[] x = new Tensor[3];
            Arrays.setAll(x, i -> random(random, dtype, 131, 137));
            Tensor y = run("Eltwise", parameters, x[0].type(), x);
            for (long i = 0; i < y.elements(); i++) {
                if (dtype.isFloating()) {
                    double exact = x[0].getDouble(i) - 3 * x[1].getDouble(i) + 20 * x[2].getDouble(i);
                    double allowed = TestRuns.tolerance(dtype) * 60;
                    assertThat(Math.abs(y.getDouble(i) - exact) <= allowed * (1 + Math.abs(exact)))
                            .as("%s: %s, not %s", dtype, y.getDouble(i), exact)
                            .isTrue();
                } else {
                    BigInteger exact = BigInteger.ZERO;
                    for (int k = 0; k < 3; k++) {
                        exact = exact.add(BigInteger.valueOf(alpha[k]).multiply(BigInteger.valueOf(x[k].getLong(i))));
                    }
                    assertThat(y.getLong(i)).isEqualTo(wrapped(dtype, exact));
                }
            }
        }
    }

    @Test
    void weightedSumsOfInt64Wrap() {
        Tensor a = longsOf(DType.INT64, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 62, 7);
        Tensor b = longsOf(DType.INT64, 1, -1, 1L << 62, -7);
        MapParameters twice = MapParameters.none().with("alpha", new long[] {1, 2});
        assertThat(run("Eltwise", twice, a.type(), a, b).toLongArray())
                .containsExactly(Long.MIN_VALUE + 1, Long.MAX_VALUE - 1, 3L << 62, -7);
    }

    @Test
    void sumsOfManyAreRoundedOnce() {
        MapParameters none = MapParameters.none();
        Tensor large = tensorOf(DType.FLOAT16, 2048);
        Tensor one = tensorOf(DType.FLOAT16, 1);
        assertThat(run("Sum", none, one.type(), large, one, one).getDouble(0)).isEqualTo(2050);
        Tensor most = longsOf(DType.INT8, 127);
        Tensor back = longsOf(DType.INT8, -100);
        assertThat(run("Sum", none, most.type(), most, most, back, back).getLong(0))
                .isEqualTo(54);
    }
}
