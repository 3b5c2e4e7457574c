package org.clinfer.cpu.elements;

import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.tensor.Tensor;

/**
 * An operator of one tensor, element by element.
 *
 * @param grain elements that take a microsecond or more
 */
public record MapOperator(Function<CpuCall, Loops> loops, int grain) implements CpuOperator {

    /** A function of the elements {@code from … to - 1} of an array, in place. */
    @FunctionalInterface
    public interface FloatLoop {
        void run(float[] values, int from, int to);
    }

    /** One function in the three kinds of arithmetic; the results for narrow integers saturate. */
    public record Loops(FloatLoop floats, DoubleUnaryOperator doubles, LongUnaryOperator longs) {

        /** A function of floating elements alone. */
        static Loops floating(FloatLoop floats, DoubleUnaryOperator doubles) {
            return new Loops(floats, doubles, value -> {
                throw new IllegalArgumentException("this operator does not take integers");
            });
        }

        /** A function of floating elements alone, in double precision. */
        public static Loops floating(DoubleUnaryOperator doubles) {
            return floating(loop(doubles), doubles);
        }

        /** A function whose float arithmetic is done in double precision. */
        static Loops of(DoubleUnaryOperator doubles, LongUnaryOperator longs) {
            return new Loops(loop(doubles), doubles, longs);
        }

        private static FloatLoop loop(DoubleUnaryOperator function) {
            return (values, from, to) -> {
                for (int i = from; i < to; i++) {
                    values[i] = (float) function.applyAsDouble(values[i]);
                }
            };
        }
    }

    @Override
    public void run(CpuCall call) {
        Loops body = loops.apply(call);
        Tensor x = call.input(0);
        TypedMemory from = new TypedMemory(x);
        TypedMemory to = new TypedMemory(call.output());
        int elements = Math.toIntExact(x.elements());
        call.parallel().forRange(elements, grain, (first, end) -> {
            switch (x.dtype()) {
                case FLOAT32, FLOAT16, BFLOAT16 -> floats(body, from, to, first, end);
                case FLOAT64 -> doubles(body, from, to, first, end);
                case INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, BOOL, U1 ->
                    longs(body, from, to, first, end);
                default -> throw new IllegalArgumentException(x.dtype() + " is not computed in");
            }
        });
    }

    private static void floats(Loops body, TypedMemory from, TypedMemory to, int first, int end) {
        float[] values = new float[Math.min(Chunks.SIZE, end - first)];
        Chunks.forEach(first, end, (start, count) -> {
            from.load(start, 1, count, values, 0);
            body.floats().run(values, 0, count);
            to.store(start, count, values);
        });
    }

    private static void doubles(Loops body, TypedMemory from, TypedMemory to, int first, int end) {
        double[] values = new double[Math.min(Chunks.SIZE, end - first)];
        Chunks.forEach(first, end, (start, count) -> {
            from.load(start, 1, count, values, 0);
            for (int i = 0; i < count; i++) {
                values[i] = body.doubles().applyAsDouble(values[i]);
            }
            to.store(start, count, values);
        });
    }

    private static void longs(Loops body, TypedMemory from, TypedMemory to, int first, int end) {
        long[] values = new long[Math.min(Chunks.SIZE, end - first)];
        Chunks.forEach(first, end, (start, count) -> {
            from.load(start, 1, count, values, 0);
            for (int i = 0; i < count; i++) {
                values[i] = body.longs().applyAsLong(values[i]);
            }
            to.store(start, count, values);
        });
    }
}
