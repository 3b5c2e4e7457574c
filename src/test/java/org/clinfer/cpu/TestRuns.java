package org.clinfer.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.HalfFloat;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** Runs operators into poisoned outputs, in plain loops and in vectors, and makes and compares data. */
public final class TestRuns {

    /** In plain Java, and in vectors. */
    public static final List<CpuOperators> OPERATORS =
            List.of(CpuOperators.builtIn(CpuPath.plain("asked for")), CpuOperators.builtIn());

    public static final List<DType> INTEGERS = List.of(DType.INT8, DType.INT16, DType.INT32, DType.INT64);
    public static final List<DType> FLOATS = List.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.FLOAT64);
    public static final List<DType> WHOLE_BYTES = List.of(
            DType.INT8,
            DType.INT16,
            DType.INT32,
            DType.INT64,
            DType.UINT8,
            DType.UINT16,
            DType.UINT32,
            DType.FLOAT16,
            DType.BFLOAT16,
            DType.FLOAT32,
            DType.FLOAT64,
            DType.BOOL);

    /** Shapes of every rank from 0 to 6, with tails, ones and empty axes. */
    public static final List<long[]> SHAPES = List.of(
            new long[] {},
            new long[] {1},
            new long[] {4},
            new long[] {207},
            new long[] {0},
            new long[] {6, 13},
            new long[] {131, 137},
            new long[] {3, 0, 2},
            new long[] {4, 1, 13},
            new long[] {1, 6, 5, 13},
            new long[] {2, 3, 1, 4, 6},
            new long[] {2, 1, 3, 4, 1, 13});

    /** Shapes that broadcast: of a, of b, and of the result. */
    public static final List<long[][]> BROADCASTS = List.of(
            new long[][] {{}, {}, {}},
            new long[][] {{1}, {}, {1}},
            new long[][] {{}, {13}, {13}},
            new long[][] {{207}, {1}, {207}},
            new long[][] {{6, 13}, {13}, {6, 13}},
            new long[][] {{6, 1}, {6, 13}, {6, 13}},
            new long[][] {{4, 1}, {1, 6}, {4, 6}},
            new long[][] {{131, 137}, {137}, {131, 137}},
            new long[][] {{131, 1}, {131, 137}, {131, 137}},
            new long[][] {{131, 137}, {}, {131, 137}},
            new long[][] {{2, 0, 3}, {3}, {2, 0, 3}},
            new long[][] {{1, 4}, {0, 4}, {0, 4}},
            new long[][] {{2, 3, 5, 7}, {1, 3, 1, 1}, {2, 3, 5, 7}},
            new long[][] {{3, 1, 4, 1, 6}, {2, 1, 5, 1}, {3, 2, 4, 5, 6}},
            new long[][] {{2, 1, 3, 1, 4, 1}, {1, 2, 1, 3, 1, 4}, {2, 2, 3, 3, 4, 4}});

    private TestRuns() {}

    public static String label(String optype, Tensor a, Tensor b) {
        return optype + " of " + a.type() + " and " + b.type();
    }

    /** A pool whose spare arrays are full of NaN, so that an element nobody wrote is seen. */
    public static Parallel poisonedPool(int threads) {
        Parallel pool = Parallel.of(threads);
        for (int size : new int[] {1 << 8, 1 << 12, 1 << 12, 1 << 14, 1 << 16}) {
            float[] array = new float[size];
            Arrays.fill(array, Float.NaN);
            pool.scratch().give(array);
        }
        return pool;
    }

    public static Tensor run(String optype, Parameters parameters, TensorType output, @Nullable Tensor... inputs) {
        return runAll(optype, parameters, List.of(output), Arrays.asList(inputs))
                .get(0);
    }

    public static List<Tensor> runAll(
            String optype, Parameters parameters, List<TensorType> types, List<@Nullable Tensor> inputs) {
        List<Tensor> plain = runAll(OPERATORS.get(0), optype, parameters, types, inputs);
        List<Tensor> vectors = runAll(OPERATORS.get(1), optype, parameters, types, inputs);
        for (int i = 0; i < types.size(); i++) {
            assertParity(optype, plain.get(i), vectors.get(i));
        }
        return vectors;
    }

    /** Holds two results against each other, by the largest element. */
    private static void assertParity(String optype, Tensor plain, Tensor vectors) {
        if (!plain.dtype().isFloating()) {
            assertThat(vectors.bytes())
                    .as("%s: plain loops and vectors agree", optype)
                    .isEqualTo(plain.bytes());
            return;
        }
        double largest = 1;
        for (long i = 0; i < plain.elements(); i++) {
            double value = Math.abs(plain.getDouble(i));
            largest = value < Double.POSITIVE_INFINITY ? Math.max(largest, value) : largest;
        }
        for (long i = 0; i < plain.elements(); i++) {
            double one = plain.getDouble(i);
            double other = vectors.getDouble(i);
            boolean isSame =
                    Double.compare(one, other) == 0 || Math.abs(one - other) <= 8 * tolerance(plain.dtype()) * largest;
            if (!isSame) {
                assertThat(other)
                        .as("%s: plain loops and vectors agree, element %d", optype, i)
                        .isEqualTo(one);
            }
        }
    }

    private static List<Tensor> runAll(
            CpuOperators operators,
            String optype,
            Parameters parameters,
            List<TensorType> types,
            List<@Nullable Tensor> inputs) {
        CpuOperator operator = operators.find(optype).orElseThrow();
        List<Tensor> alone = poisoned(types, (byte) 0xa5);
        List<Tensor> shared = poisoned(types, (byte) 0x5a);
        try (Parallel one = poisonedPool(1);
                Parallel two = poisonedPool(2)) {
            operator.run(new CpuCall(parameters, inputs, alone, one));
            operator.run(new CpuCall(parameters, inputs, shared, two));
        }
        for (int i = 0; i < types.size(); i++) {
            assertThat(shared.get(i).bytes())
                    .as("%s: one and two threads agree", optype)
                    .isEqualTo(alone.get(i).bytes());
        }
        return alone;
    }

    private static List<Tensor> poisoned(List<TensorType> types, byte poison) {
        return types.stream().map(type -> poisoned(type, poison)).toList();
    }

    /** A tensor whose memory is full of one byte, so that an element an operator does not write is seen. */
    public static Tensor poisoned(TensorType type, byte poison) {
        Tensor tensor = Tensor.allocate(type);
        ByteBuffer memory = tensor.bytes();
        while (memory.hasRemaining()) {
            memory.put(poison);
        }
        return tensor;
    }

    /** Floats around zero, small integers with a few extremes, or bits. */
    public static Tensor random(Random random, DType dtype, long... sizes) {
        Tensor tensor = Tensor.allocate(dtype, sizes);
        for (long i = 0; i < tensor.elements(); i++) {
            if (dtype.isFloating()) {
                tensor.setDouble(i, random.nextGaussian() * 2);
            } else if (dtype == DType.BOOL) {
                tensor.setLong(i, random.nextInt(2));
            } else {
                tensor.setLong(i, random.nextInt(4) == 0 ? random.nextLong() : random.nextInt(21) - 10);
            }
        }
        return tensor;
    }

    public static Tensor tensorOf(DType dtype, double... values) {
        Tensor tensor = Tensor.allocate(dtype, values.length);
        for (int i = 0; i < values.length; i++) {
            tensor.setDouble(i, values[i]);
        }
        return tensor;
    }

    public static Tensor longsOf(DType dtype, long... values) {
        Tensor tensor = Tensor.allocate(dtype, values.length);
        for (int i = 0; i < values.length; i++) {
            tensor.setLong(i, values[i]);
        }
        return tensor;
    }

    /** The rounding of a few operations in each type. */
    public static double tolerance(DType dtype) {
        return switch (dtype) {
            case FLOAT16 -> 1e-3;
            case BFLOAT16 -> 8e-3;
            case FLOAT32 -> 1e-6;
            case FLOAT64 -> 1e-13;
            default -> 0;
        };
    }

    /** Compares one element with its exact value, which is rounded to the type first. */
    public static void assertClose(Tensor actual, long index, double exact, String what) {
        double wanted = rounded(actual.dtype(), exact);
        double found = actual.getDouble(index);
        if (Double.isNaN(wanted) || Double.isInfinite(wanted)) {
            if (Double.compare(found, wanted) != 0) {
                assertThat(Double.valueOf(found))
                        .as("%s, element %d", what, index)
                        .isEqualTo(Double.valueOf(wanted));
            }
            return;
        }
        double error = Math.abs(found - wanted);
        double allowed = tolerance(actual.dtype()) * (1 + Math.abs(wanted));
        if (!(error <= allowed)) {
            assertThat(found)
                    .as("%s, element %d of %s", what, index, actual.type())
                    .isEqualTo(wanted);
        }
    }

    private static double rounded(DType dtype, double exact) {
        return switch (dtype) {
            case FLOAT16 -> HalfFloat.toFloat(HalfFloat.fromFloat((float) exact));
            case BFLOAT16 -> HalfFloat.bfloatToFloat(HalfFloat.bfloatFromFloat((float) exact));
            case FLOAT32 -> (float) exact;
            default -> exact;
        };
    }

    /** The low bits of an exact result, which an integer type keeps of it, as two's complement. */
    public static long wrapped(DType dtype, BigInteger exact) {
        BigInteger count = BigInteger.ONE.shiftLeft(dtype.bits());
        BigInteger low = exact.mod(count);
        boolean isNegative = !dtype.label().startsWith("u") && low.testBit(dtype.bits() - 1);
        return (isNegative ? low.subtract(count) : low).longValueExact();
    }

    /** The place of element {@code index} of a row-major array. */
    public static long[] place(Shape shape, long index) {
        long[] place = new long[shape.rank()];
        long rest = index;
        for (int axis = place.length - 1; axis >= 0; axis--) {
            place[axis] = rest % shape.size(axis);
            rest /= shape.size(axis);
        }
        return place;
    }

    /** The element at {@code place}, the inverse of {@link #place}. */
    public static long index(Shape shape, long... place) {
        long index = 0;
        for (int axis = 0; axis < place.length; axis++) {
            index = index * shape.size(axis) + place[axis];
        }
        return index;
    }

    /** The element of {@code shape} that numpy's broadcasting shows at {@code place} of a larger shape. */
    public static long broadcastIndex(Shape shape, long... place) {
        long[] own = new long[shape.rank()];
        for (int axis = 0; axis < own.length; axis++) {
            own[axis] = shape.size(axis) == 1 ? 0 : place[place.length - own.length + axis];
        }
        return index(shape, own);
    }

    /** The bytes of one element as a number. */
    public static BigInteger cell(Tensor tensor, long index) {
        byte[] cell = new byte[tensor.dtype().bits() / 8];
        tensor.bytes().get((int) index * cell.length, cell);
        return new BigInteger(cell);
    }
}
