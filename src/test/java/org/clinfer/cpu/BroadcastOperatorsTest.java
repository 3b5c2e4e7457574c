package org.clinfer.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cpu.TestRuns.BROADCASTS;
import static org.clinfer.cpu.TestRuns.FLOATS;
import static org.clinfer.cpu.TestRuns.INTEGERS;
import static org.clinfer.cpu.TestRuns.assertClose;
import static org.clinfer.cpu.TestRuns.broadcastIndex;
import static org.clinfer.cpu.TestRuns.kept;
import static org.clinfer.cpu.TestRuns.label;
import static org.clinfer.cpu.TestRuns.longsOf;
import static org.clinfer.cpu.TestRuns.place;
import static org.clinfer.cpu.TestRuns.random;
import static org.clinfer.cpu.TestRuns.run;
import static org.clinfer.cpu.TestRuns.tensorOf;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arithmetic, powers and the variadic operators, and what the broadcasting operators refuse. */
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
            "Min", BigInteger::min);

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
                Tensor y = run(optype, MapParameters.none(), TensorType.of(dtype, shapes[2]), a, b);
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
    @ValueSource(strings = {"Add", "Sub", "Mul", "Div", "Sum", "Max", "Min"})
    void integersSaturateAndInt64Wraps(String optype) {
        Random random = new Random(6);
        for (DType dtype : INTEGERS) {
            for (long[][] shapes : BROADCASTS) {
                Tensor a = random(random, dtype, shapes[0]);
                Tensor b = random(random, dtype, shapes[1]);
                Tensor y = run(optype, MapParameters.none(), TensorType.of(dtype, shapes[2]), a, b);
                for (long i = 0; i < y.elements(); i++) {
                    long[] place = place(y.shape(), i);
                    BigInteger left = BigInteger.valueOf(a.getLong(broadcastIndex(a.shape(), place)));
                    BigInteger right = BigInteger.valueOf(b.getLong(broadcastIndex(b.shape(), place)));
                    long wanted = kept(
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
    void integerExtremesStayInRange() {
        for (DType dtype : INTEGERS.subList(0, 3)) {
            long lowest = -(1L << (dtype.bits() - 1));
            long highest = -lowest - 1;
            Tensor a = longsOf(dtype, lowest, highest, lowest, lowest, 7, -7, 7);
            Tensor b = longsOf(dtype, -1, 1, 1, 0, 2, 2, -2);
            assertThat(run("Div", MapParameters.none(), a.type(), a, b).toLongArray())
                    .containsExactly(highest, highest, lowest, 0, 3, -3, -3);
            assertThat(run("Sub", MapParameters.none(), a.type(), a, b).toLongArray())
                    .containsExactly(lowest + 1, highest - 1, lowest, lowest, 5, -9, 9);
        }
        Tensor a = longsOf(DType.INT64, Long.MIN_VALUE, Long.MAX_VALUE, 5);
        Tensor b = longsOf(DType.INT64, -1, 1, 0);
        assertThat(run("Div", MapParameters.none(), a.type(), a, b).toLongArray())
                .containsExactly(Long.MIN_VALUE, Long.MAX_VALUE, 0);
        assertThat(run("Add", MapParameters.none(), a.type(), a, b).toLongArray())
                .containsExactly(Long.MAX_VALUE, Long.MIN_VALUE, 5);
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

    @Test
    void integerPowersAreExactAndSaturate() {
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
                            kept(dtype, BigInteger.valueOf(-128).pow(3)),
                            kept(dtype, large),
                            kept(dtype, large.negate()));
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
    void refusesWhatItDoesNotTake() {
        TensorType floats = TensorType.of(DType.FLOAT32, 2);
        TensorType longs = TensorType.of(DType.INT64, 2);
        TensorType bools = TensorType.of(DType.BOOL, 2);
        TensorType bits = TensorType.of(DType.U1, 2);
        assertThat(TestRuns.operator("Add").refusal(List.of(floats, longs), List.of(floats)))
                .contains("Add on the CPU does not mix float32 and int64");
        assertThat(TestRuns.operator("Mul").refusal(List.of(bools, bools), List.of(bools)))
                .contains("Mul on the CPU does not take bool");
        assertThat(TestRuns.operator("And").refusal(List.of(longs, longs), List.of(bools)))
                .contains("And on the CPU does not take int64");
        assertThat(TestRuns.operator("Less").refusal(List.of(bools, bools), List.of(bools)))
                .isPresent();
        assertThat(TestRuns.operator("Where").refusal(List.of(bools, bits, bits), List.of(bits)))
                .contains("Where on the CPU does not take u1");
        assertThat(TestRuns.operator("Where").refusal(List.of(floats, floats, floats), List.of(floats)))
                .contains("The condition of Where on the CPU does not take float32");
    }
}
