package org.clinfer.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;
import java.util.stream.LongStream;
import org.clinfer.ConformanceEngine;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Operators of uint64 against exact integers, beyond what a double and a number with a sign hold. */
class UnsignedLongsTest {

    private static final BigInteger END = BigInteger.ONE.shiftLeft(64);
    private static final BigInteger LARGEST = END.subtract(BigInteger.ONE);
    private static final int COUNT = 207;

    /** Two rows of elements of all sizes, with the ends of the range among them. */
    private static final long[] A = samples(1);

    private static final long[] B = samples(2);

    /** Where operators run. */
    enum Where {
        CPU,
        PLAIN,
        LWJGL,
        JOCL
    }

    private static long[] samples(long seed) {
        Random random = new Random(seed);
        long[] ends = {-1, 0, 1, -2, Long.MIN_VALUE, Long.MAX_VALUE, 2, 3, 1L << 32, (1L << 32) - 1};
        return LongStream.range(0, COUNT)
                .map(i -> i % 3 == 0 ? ends[random.nextInt(ends.length)] : random.nextLong() >>> random.nextInt(64))
                .toArray();
    }

    @ParameterizedTest
    @EnumSource(names = {"CPU", "PLAIN"})
    void areExactOnTheCpu(Where where) {
        try (ConformanceEngine cpu = where == Where.CPU ? ConformanceEngine.cpu() : ConformanceEngine.plainCpu()) {
            everything((graph, inputs, to) -> cpu.run(graph, inputs, (outputs, nodes) -> to.accept("cpu", outputs)));
        }
    }

    @RequiresOpenCl
    @ParameterizedTest
    @EnumSource(names = {"LWJGL", "JOCL"})
    void areExactOnDevices(Where where) {
        try (ConformanceEngine device = ConformanceEngine.device(ClBinding.valueOf(where.name()))) {
            everything((graph, inputs, to) ->
                    device.runVariants(graph.nodes().get(0).op(), graph, inputs, to));
        }
    }

    private interface Runner {
        void run(Graph graph, Map<String, Tensor> inputs, BiConsumer<String, Map<String, Tensor>> to);
    }

    private static void everything(Runner runner) {
        pairs(runner);
        singles(runner);
        reductions(runner);
        choices(runner);
        casts(runner);
    }

    private static void pairs(Runner runner) {
        pair(runner, "Add", BigInteger::add);
        pair(runner, "Sub", BigInteger::subtract);
        pair(runner, "Mul", BigInteger::multiply);
        pair(runner, "Div", (a, b) -> b.signum() == 0 ? b : a.divide(b));
        pair(runner, "Mod", (a, b) -> b.signum() == 0 ? b : a.mod(b));
        pair(runner, "Mod", (a, b) -> b.signum() == 0 ? b : a.mod(b), "fmod");
        pair(runner, "Max", BigInteger::max);
        pair(runner, "Min", BigInteger::min);
        pair(runner, "BitwiseAnd", BigInteger::and);
        pair(runner, "BitwiseOr", BigInteger::or);
        pair(runner, "BitwiseXor", BigInteger::xor);
        pair(runner, "Pow", UnsignedLongsTest::power);
        test(runner, "Less", order -> order < 0);
        test(runner, "LessOrEqual", order -> order <= 0);
        test(runner, "Greater", order -> order > 0);
        test(runner, "GreaterOrEqual", order -> order >= 0);
        test(runner, "Equal", order -> order == 0);
        long[] by =
                LongStream.range(0, COUNT).map(i -> i % 66 == 65 ? -1 : i % 66).toArray();
        for (String direction : List.of("LEFT", "RIGHT")) {
            long[] wanted = new long[COUNT];
            for (int i = 0; i < COUNT; i++) {
                boolean all = by[i] < 0 || by[i] > 63;
                wanted[i] = all ? 0 : direction.equals("LEFT") ? A[i] << by[i] : A[i] >>> by[i];
            }
            Map<String, Attribute> params = Map.of("direction", Attribute.of(direction));
            run(runner, "BitShift", params, wanted, tensor(A), tensor(by));
        }
    }

    private static BigInteger power(BigInteger base, BigInteger exponent) {
        if (base.compareTo(BigInteger.ONE) <= 0 || exponent.signum() == 0) {
            return exponent.signum() == 0 ? BigInteger.ONE : base;
        }
        return base.modPow(exponent, END);
    }

    private static void singles(Runner runner) {
        run(runner, "Abs", Map.of(), A, tensor(A));
        run(runner, "Sign", Map.of(), LongStream.of(A).map(a -> a == 0 ? 0 : 1).toArray(), tensor(A));
        run(runner, "BitwiseNot", Map.of(), LongStream.of(A).map(a -> ~a).toArray(), tensor(A));
        long[] clipped = LongStream.of(A)
                .map(a -> a >= 0 && a < 7 ? 7 : a < 0 || a > 1L << 40 ? 1L << 40 : a)
                .toArray();
        run(runner, "Clip", Map.of("min", Attribute.of(7.0), "max", Attribute.of(0x1p40)), clipped, tensor(A));
        long[] raised = LongStream.of(A).map(a -> a >= 0 && a < 7 ? 7 : a).toArray();
        run(runner, "Clip", Map.of("min", Attribute.of(7.0)), raised, tensor(A));
    }

    private static void reductions(Runner runner) {
        reduction(runner, "ReduceSum", BigInteger.ZERO, BigInteger::add);
        reduction(runner, "ReduceL1", BigInteger.ZERO, BigInteger::add);
        reduction(runner, "ReduceSumSquare", BigInteger.ZERO, (sum, x) -> sum.add(x.multiply(x)));
        reduction(runner, "ReduceProd", BigInteger.ONE, BigInteger::multiply);
        reduction(runner, "ReduceMax", BigInteger.ZERO, BigInteger::max);
        reduction(runner, "ReduceMin", LARGEST, BigInteger::min);
        long[] large = {-1, 0, -3, 2, 1, 0, Long.MIN_VALUE, Long.MAX_VALUE - 1};
        // half to even; beyond 64 bits the sums wrap
        Tensor pairs = tensor(new long[] {-3, 0, Long.MIN_VALUE, 1, 1, 2, -1, 3}, 4, 2);
        run(runner, "Mean", Map.of("axis", list(1)), new long[] {Long.MAX_VALUE - 1, 1L << 62, 2, 1}, pairs);
        long[] sums = new long[large.length];
        for (int i = 0; i < large.length; i++) {
            sums[i] = large[i] + (i == 0 ? 0 : sums[i - 1]);
        }
        run(runner, "CumSum", Map.of("axis", Attribute.of(0)), sums, tensor(large));
    }

    private static void choices(Runner runner) {
        long[] values = {5, -1, Long.MAX_VALUE, Long.MIN_VALUE, 0, -2};
        run(runner, "TopK", Map.of("k", Attribute.of(3)), new long[] {-1, -2, Long.MIN_VALUE}, tensor(values));
        run(runner, "ArgMax", Map.of("axis", Attribute.of(0)), new long[] {1}, tensor(values));
        run(runner, "ArgMin", Map.of("axis", Attribute.of(0)), new long[] {4}, tensor(values));
    }

    private static void casts(Runner runner) {
        for (DType to : List.of(DType.INT8, DType.UINT16, DType.INT32, DType.INT64)) {
            long[] wanted = LongStream.of(A).map(to::lowBits).toArray();
            run(runner, "Cast", Map.of("to", Attribute.of(to.label())), wanted, tensor(A));
            Tensor signed = Tensor.allocate(to, COUNT);
            for (int i = 0; i < COUNT; i++) {
                signed.setLong(i, A[i]);
            }
            run(runner, "Cast", Map.of("to", Attribute.of("uint64")), signed.toLongArray(), signed);
        }
        Map<String, Attribute> params = Map.of("to", Attribute.of("float32"));
        runner.run(graph("Cast", params, tensor(A)), inputs(tensor(A)), (where, outputs) -> {
            float[] found = outputs.values().iterator().next().toFloatArray();
            for (int i = 0; i < COUNT; i++) {
                assertThat(found[i])
                        .as("Cast %s %s", where, number(A[i]))
                        .isEqualTo(number(A[i]).floatValue());
            }
        });
    }

    private static void pair(Runner runner, String op, BinaryOperator<BigInteger> exact, String... flags) {
        Map<String, Attribute> params = new LinkedHashMap<>();
        List.of(flags).forEach(flag -> params.put(flag, Attribute.of(true)));
        long[] wanted = new long[COUNT];
        for (int i = 0; i < COUNT; i++) {
            BigInteger result = exact.apply(number(A[i]), number(B[i]));
            wanted[i] = result.longValue();
        }
        run(runner, op, params, wanted, tensor(A), tensor(B));
    }

    private interface Order {
        boolean holds(int order);
    }

    private static void test(Runner runner, String op, Order order) {
        long[] wanted = new long[COUNT];
        for (int i = 0; i < COUNT; i++) {
            wanted[i] = order.holds(number(A[i]).compareTo(number(B[i]))) ? 1 : 0;
        }
        run(runner, op, Map.of(), wanted, tensor(A), tensor(B));
    }

    /** Sums and products wrap. */
    private static void reduction(Runner runner, String op, BigInteger start, BinaryOperator<BigInteger> fold) {
        for (int inner : new int[] {1, 9}) {
            int rows = COUNT / 9;
            long[] wanted = new long[inner == 1 ? rows : 9];
            for (int i = 0; i < wanted.length; i++) {
                BigInteger total = start;
                for (int k = 0; k < COUNT / wanted.length; k++) {
                    total = fold.apply(total, number(A[inner == 1 ? i * 9 + k : k * 9 + i]));
                }
                wanted[i] = total.longValue();
            }
            run(runner, op, Map.of("axis", list(inner == 1 ? 1 : 0)), wanted, tensor(A, rows, 9));
        }
    }

    private static Attribute list(long axis) {
        return new Attribute.ListValue(List.of(Attribute.of(axis)));
    }

    private static void run(Runner runner, String op, Map<String, Attribute> params, long[] wanted, Tensor... inputs) {
        runner.run(
                graph(op, params, inputs),
                inputs(inputs),
                (where, outputs) -> assertThat(
                                Objects.requireNonNull(outputs.get("out")).toLongArray())
                        .as("%s %s", op, where)
                        .containsExactly(wanted));
    }

    private static Graph graph(String op, Map<String, Attribute> params, Tensor... inputs) {
        GraphBuilder builder = new GraphBuilder(op, new SourceRef("test", op));
        inputs(inputs).forEach((name, tensor) -> builder.input(name, tensor.type()));
        builder.output("out");
        builder.node(op, List.copyOf(inputs(inputs).keySet()), List.of("out"), params);
        return builder.build();
    }

    private static Map<String, Tensor> inputs(Tensor... inputs) {
        Map<String, Tensor> named = new LinkedHashMap<>();
        for (Tensor input : inputs) {
            named.put("in" + named.size(), input);
        }
        return named;
    }

    private static Tensor tensor(long[] values, long... sizes) {
        Tensor tensor =
                Tensor.allocate(TensorType.of(DType.UINT64, sizes.length == 0 ? new long[] {values.length} : sizes));
        tensor.bytes().asLongBuffer().put(values);
        return tensor;
    }

    private static BigInteger number(long bits) {
        return new BigInteger(Long.toUnsignedString(bits));
    }
}
