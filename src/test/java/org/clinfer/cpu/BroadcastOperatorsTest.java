package org.clinfer.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cpu.TestRuns.FLOATS;
import static org.clinfer.cpu.TestRuns.INTEGERS;
import static org.clinfer.cpu.TestRuns.assertClose;
import static org.clinfer.cpu.TestRuns.broadcastIndex;
import static org.clinfer.cpu.TestRuns.kept;
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
import java.util.function.BiPredicate;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arithmetic, comparisons, Where and the variadic operators. */
class BroadcastOperatorsTest {

    /** Shapes of a, of b, and of the result. */
    private static final long[][][] SHAPES = {
        {{}, {}, {}},
        {{1}, {}, {1}},
        {{}, {13}, {13}},
        {{207}, {1}, {207}},
        {{6, 13}, {13}, {6, 13}},
        {{6, 1}, {6, 13}, {6, 13}},
        {{4, 1}, {1, 6}, {4, 6}},
        {{131, 137}, {137}, {131, 137}},
        {{131, 1}, {131, 137}, {131, 137}},
        {{131, 137}, {}, {131, 137}},
        {{2, 0, 3}, {3}, {2, 0, 3}},
        {{1, 4}, {0, 4}, {0, 4}},
        {{2, 3, 5, 7}, {1, 3, 1, 1}, {2, 3, 5, 7}},
        {{3, 1, 4, 1, 6}, {2, 1, 5, 1}, {3, 2, 4, 5, 6}},
        {{2, 1, 3, 1, 4, 1}, {1, 2, 1, 3, 1, 4}, {2, 2, 3, 3, 4, 4}},
    };

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

    private static TensorType typeOf(DType dtype, long[] sizes) {
        return TensorType.of(dtype, sizes);
    }

    private static String label(String optype, Tensor a, Tensor b) {
        return optype + " of " + a.type() + " and " + b.type();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Add", "Sub", "Mul", "Div", "Sum", "Max", "Min", "PRelu", "Pow"})
    void floatsMatchTheReference(String optype) {
        Random random = new Random(5);
        for (DType dtype : FLOATS) {
            for (long[][] shapes : SHAPES) {
                if (optype.equals("PRelu") && !Arrays.equals(shapes[0], shapes[2])) {
                    continue;
                }
                Tensor a = random(random, dtype, shapes[0]);
                Tensor b = random(random, dtype, shapes[1]);
                Tensor y = run(optype, MapParameters.none(), typeOf(dtype, shapes[2]), a, b);
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
            for (long[][] shapes : SHAPES) {
                Tensor a = random(random, dtype, shapes[0]);
                Tensor b = random(random, dtype, shapes[1]);
                Tensor y = run(optype, MapParameters.none(), typeOf(dtype, shapes[2]), a, b);
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
    void comparisonsMatchTheReference() {
        Map<String, BiPredicate<Double, Double>> references = Map.of(
                "Less", (a, b) -> a < b,
                "LessOrEqual", (a, b) -> a <= b,
                "Greater", (a, b) -> a > b,
                "GreaterOrEqual", (a, b) -> a >= b,
                "Equal", (a, b) -> a.doubleValue() == b.doubleValue());
        references.forEach((optype, reference) -> {
            for (DType dtype : TestRuns.WHOLE_BYTES.subList(0, optype.equals("Equal") ? 9 : 8)) {
                for (long[][] shapes : SHAPES) {
                    Random random = new Random(9);
                    Tensor a = small(random, dtype, shapes[0]);
                    Tensor b = small(random, dtype, shapes[1]);
                    Tensor y = run(optype, MapParameters.none(), typeOf(DType.BOOL, shapes[2]), a, b);
                    for (long i = 0; i < y.elements(); i++) {
                        long[] place = place(y.shape(), i);
                        double left = a.getDouble(broadcastIndex(a.shape(), place));
                        double right = b.getDouble(broadcastIndex(b.shape(), place));
                        byte wanted = (byte) (reference.test(left, right) ? 1 : 0);
                        if (y.bytes().get((int) i) != wanted) {
                            assertThat(y.bytes().get((int) i))
                                    .as("%s: %s, %s", label(optype, a, b), left, right)
                                    .isEqualTo(wanted);
                        }
                    }
                }
            }
        });
    }

    private static Tensor small(Random random, DType dtype, long... sizes) {
        Tensor tensor = Tensor.allocate(dtype, sizes);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, random.nextInt(3));
        }
        return tensor;
    }

    @Test
    void comparisonsAreExactForInt64AndFalseForNaN() {
        Tensor a = longsOf(DType.INT64, (1L << 60) + 1, 1L << 60);
        Tensor b = longsOf(DType.INT64, 1L << 60, 1L << 60);
        TensorType two = TensorType.of(DType.BOOL, 2);
        assertThat(run("Greater", MapParameters.none(), two, a, b).toLongArray())
                .containsExactly(1, 0);
        assertThat(run("Equal", MapParameters.none(), two, a, b).toLongArray()).containsExactly(0, 1);
        Tensor nan = tensorOf(DType.FLOAT32, Double.NaN, Double.POSITIVE_INFINITY);
        for (String optype : List.of("Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Equal")) {
            assertThat(run(optype, MapParameters.none(), two, nan, nan).getLong(0))
                    .as(optype)
                    .isZero();
        }
    }

    @Test
    void logicMatchesItsTables() {
        Tensor a = longsOf(DType.BOOL, 0, 0, 1, 1);
        Tensor b = longsOf(DType.BOOL, 0, 1, 0, 1);
        assertThat(run("And", MapParameters.none(), a.type(), a, b).toLongArray())
                .containsExactly(0, 0, 0, 1);
        assertThat(run("Or", MapParameters.none(), a.type(), a, b).toLongArray())
                .containsExactly(0, 1, 1, 1);
        assertThat(run("Xor", MapParameters.none(), a.type(), a, b).toLongArray())
                .containsExactly(0, 1, 1, 0);
    }

    @Test
    void whereChoosesForEveryTypeAndShape() {
        long[][] conditions = {{}, {1}, {13}, {6, 1}, {6, 13}, {3, 1, 1}, {131, 137}, {131, 1}};
        Random random = new Random(10);
        for (DType dtype : TestRuns.WHOLE_BYTES) {
            for (long[] sizes : conditions) {
                boolean large = sizes.length > 0 && sizes[0] == 131;
                long[] whole = large ? new long[] {131, 137} : new long[] {3, 6, 13};
                Tensor condition = random(random, DType.BOOL, sizes);
                Tensor a = random(random, dtype, whole[whole.length - 1]);
                Tensor b = random(random, dtype, whole);
                Tensor y = run("Where", MapParameters.none(), typeOf(dtype, whole), condition, a, b);
                for (long i = 0; i < y.elements(); i++) {
                    long[] place = place(y.shape(), i);
                    boolean chosen = condition.getLong(broadcastIndex(condition.shape(), place)) == 1;
                    BigInteger wanted =
                            chosen ? TestRuns.cell(a, broadcastIndex(a.shape(), place)) : TestRuns.cell(b, i);
                    if (!TestRuns.cell(y, i).equals(wanted)) {
                        assertThat(TestRuns.cell(y, i))
                                .as("%s at %d", y.type(), i)
                                .isEqualTo(wanted);
                    }
                }
            }
        }
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
