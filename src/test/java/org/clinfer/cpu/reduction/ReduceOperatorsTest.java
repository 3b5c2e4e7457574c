package org.clinfer.cpu.reduction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.cpu.TestRuns.FLOATS;
import static org.clinfer.cpu.TestRuns.INTEGERS;
import static org.clinfer.cpu.TestRuns.SHAPES;
import static org.clinfer.cpu.TestRuns.assertClose;
import static org.clinfer.cpu.TestRuns.random;
import static org.clinfer.cpu.TestRuns.run;
import static org.clinfer.cpu.TestRuns.wrapped;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.clinfer.cpu.MapParameters;
import org.clinfer.cpu.TestRuns;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

class ReduceOperatorsTest {

    private static final Map<String, ToDoubleFunction<double[]>> REALS = Map.of(
            "Mean", v -> v.length == 0 ? Double.NaN : Arrays.stream(v).average().getAsDouble(),
            "ReduceSum", v -> Arrays.stream(v).sum(),
            "ReduceMax", v -> Arrays.stream(v).max().orElse(Double.NEGATIVE_INFINITY),
            "ReduceMin", v -> Arrays.stream(v).min().orElse(Double.POSITIVE_INFINITY),
            "ReduceProd", v -> Arrays.stream(v).reduce(1, (a, b) -> a * b),
            "ReduceL1", v -> Arrays.stream(v).map(Math::abs).sum(),
            "ReduceL2", v -> Math.sqrt(Arrays.stream(v).map(x -> x * x).sum()),
            "ReduceSumSquare", v -> Arrays.stream(v).map(x -> x * x).sum(),
            "ReduceLogSum", v -> Math.log(Arrays.stream(v).sum()),
            "ReduceLogSumExp", v -> Math.log(Arrays.stream(v).map(Math::exp).sum()));

    private static final Map<String, Function<List<BigInteger>, BigInteger>> INTEGRAL = Map.of(
            "ReduceSum", v -> v.stream().reduce(BigInteger.ZERO, BigInteger::add),
            "ReduceMax", v -> v.stream().reduce(BigInteger.valueOf(Long.MIN_VALUE), BigInteger::max),
            "ReduceMin", v -> v.stream().reduce(BigInteger.valueOf(Long.MAX_VALUE), BigInteger::min),
            "ReduceProd", v -> v.stream().reduce(BigInteger.ONE, BigInteger::multiply),
            "ReduceL1", v -> v.stream().map(BigInteger::abs).reduce(BigInteger.ZERO, BigInteger::add),
            "ReduceSumSquare", v -> v.stream().map(x -> x.multiply(x)).reduce(BigInteger.ZERO, BigInteger::add));

    /** No axes, all axes, and a few random choices. */
    private static List<long[]> choices(Random random, int rank) {
        List<long[]> choices = new ArrayList<>();
        choices.add(new long[] {});
        choices.add(LongStream.range(0, rank).toArray());
        for (int i = 0; i < 4; i++) {
            choices.add(LongStream.range(0, rank)
                    .filter(axis -> random.nextBoolean())
                    .toArray());
        }
        return choices;
    }

    private static Shape reducedShape(Shape shape, long[] axes) {
        long[] sizes = shape.sizes();
        for (long axis : axes) {
            sizes[(int) axis] = 1;
        }
        return Shape.of(sizes);
    }

    /** The input elements that each output element folds. */
    private static List<List<Integer>> groups(Shape from, Shape to) {
        List<List<Integer>> groups = new ArrayList<>();
        for (int i = 0; i < to.elements(); i++) {
            groups.add(new ArrayList<>());
        }
        for (int i = 0; i < from.elements(); i++) {
            groups.get((int) TestRuns.broadcastIndex(to, TestRuns.place(from, i)))
                    .add(i);
        }
        return groups;
    }

    @Test
    void floatsMatchTheReference() {
        Random random = new Random(21);
        for (DType dtype : FLOATS) {
            for (long[] sizes : SHAPES) {
                Tensor x = random(random, dtype, sizes);
                for (long[] axes : choices(random, sizes.length)) {
                    Shape shape = reducedShape(x.shape(), axes);
                    List<List<Integer>> groups = groups(x.shape(), shape);
                    REALS.forEach((optype, reference) -> {
                        MapParameters parameters = MapParameters.none().with("reduced", axes);
                        Tensor y = run(optype, parameters, new TensorType(dtype, shape), x);
                        String what = optype + " of " + x.type() + " over " + Arrays.toString(axes);
                        for (int i = 0; i < groups.size(); i++) {
                            double[] values = groups.get(i).stream()
                                    .mapToDouble(x::getDouble)
                                    .toArray();
                            assertClose(y, i, reference.applyAsDouble(values), what);
                        }
                    });
                }
            }
        }
    }

    @Test
    void integersWrap() {
        Random random = new Random(22);
        for (DType dtype : INTEGERS) {
            for (long[] sizes : SHAPES) {
                Tensor x = random(random, dtype, sizes);
                for (long[] axes : choices(random, sizes.length)) {
                    Shape shape = reducedShape(x.shape(), axes);
                    List<List<Integer>> groups = groups(x.shape(), shape);
                    INTEGRAL.forEach((optype, reference) -> {
                        if (optype.equals("ReduceProd") && x.elements() > 10_000) {
                            return;
                        }
                        MapParameters parameters = MapParameters.none().with("reduced", axes);
                        Tensor y = run(optype, parameters, new TensorType(dtype, shape), x);
                        for (int i = 0; i < groups.size(); i++) {
                            List<BigInteger> values = groups.get(i).stream()
                                    .map(place -> BigInteger.valueOf(x.getLong(place)))
                                    .toList();
                            BigInteger exact = reference.apply(values);
                            // of no elements the extremes are those of the type
                            long wanted = values.isEmpty() ? dtype.saturated(exact.longValue()) : wrapped(dtype, exact);
                            if (y.getLong(i) != wanted) {
                                assertThat(y.getLong(i))
                                        .as("%s of %s over %s", optype, x.type(), Arrays.toString(axes))
                                        .isEqualTo(wanted);
                            }
                        }
                    });
                }
            }
        }
    }

    @Test
    void integerMeansRoundHalfToEven() {
        MapParameters all = MapParameters.none().with("reduced", new long[] {0});
        for (DType dtype : INTEGERS) {
            TensorType one = TensorType.of(dtype);
            long[][] rows = {{-3, -4, 0}, {127, 127, 127}, {1, 2}, {3, 4}, {-1, -2}, {-3, -4}, {2, 2, 4}, {-128, -127}};
            long[] means = {-2, 127, 2, 4, -2, -4, 3, -128};
            for (int i = 0; i < rows.length; i++) {
                assertThat(run("Mean", all, one, TestRuns.longsOf(dtype, rows[i]))
                                .getLong(0))
                        .as("mean of %s", Arrays.toString(rows[i]))
                        .isEqualTo(means[i]);
            }
            assertThat(run("Mean", all, one, Tensor.allocate(dtype, 0)).getLong(0))
                    .isZero();
        }
    }

    @Test
    void emptyReductionsGiveTheNeutralElement() {
        MapParameters all = MapParameters.none().with("reduced", new long[] {0});
        for (DType dtype : INTEGERS) {
            long lowest = Long.MIN_VALUE >> (64 - dtype.bits());
            Tensor empty = Tensor.allocate(dtype, 0, 2);
            TensorType two = TensorType.of(dtype, 2);
            assertThat(run("ReduceMax", all, two, empty).toLongArray()).containsExactly(lowest, lowest);
            assertThat(run("ReduceMin", all, two, empty).toLongArray()).containsExactly(~lowest, ~lowest);
            assertThat(run("ReduceProd", all, two, empty).toLongArray()).containsExactly(1, 1);
        }
    }

    @Test
    void extremesPropagateNaNAndInfinity() {
        MapParameters rows = MapParameters.none().with("reduced", new long[] {1});
        MapParameters columns = MapParameters.none().with("reduced", new long[] {0});
        Tensor x = Tensor.of(
                new float[] {1, Float.NaN, 2, Float.NEGATIVE_INFINITY, 3, 4, Float.POSITIVE_INFINITY, 5, 6}, 3, 3);
        TensorType three = TensorType.of(DType.FLOAT32, 3);
        assertThat(run("ReduceMax", rows, three, x).toFloatArray())
                .containsExactly(Float.NaN, 4, Float.POSITIVE_INFINITY);
        assertThat(run("ReduceMin", rows, three, x).toFloatArray())
                .containsExactly(Float.NaN, Float.NEGATIVE_INFINITY, 5);
        assertThat(run("ReduceMax", columns, three, x).toFloatArray())
                .containsExactly(Float.POSITIVE_INFINITY, Float.NaN, 6);
        assertThat(run("ReduceSum", columns, three, x).toFloatArray()).containsExactly(Float.NaN, Float.NaN, 12);
    }

    @Test
    void logSumExpDoesNotOverflow() {
        MapParameters all = MapParameters.none().with("reduced", new long[] {0});
        TensorType one = TensorType.of(DType.FLOAT32);
        Tensor large = Tensor.of(new float[] {1000, 1000, Float.NEGATIVE_INFINITY}, 3);
        assertThat(run("ReduceLogSumExp", all, one, large).toFloatArray()[0]).isEqualTo((float) (1000 + Math.log(2)));
        Tensor none = Tensor.of(new float[] {Float.NEGATIVE_INFINITY, Float.NEGATIVE_INFINITY}, 2);
        assertThat(run("ReduceLogSumExp", all, one, none).toFloatArray()[0]).isEqualTo(Float.NEGATIVE_INFINITY);
    }
}
