package org.clinfer.cpu.elements;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;
import java.util.function.LongBinaryOperator;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.LongValues;
import org.clinfer.cpu.memory.Operand;
import org.clinfer.cpu.memory.Source;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** An operator that combines one or more broadcast tensors of one type, element by element and from left to right. */
record FoldOperator(Loops loops, Function<CpuCall, List<Source>> sources) implements CpuOperator {

    /** {@code a[i] = f(a[i], b[i])}. */
    @FunctionalInterface
    interface FloatLoop {
        void run(float[] a, float[] b, int count);
    }

    /**
     * One function in all kinds of arithmetic; the results for integers wrap.
     *
     * @param unsigned of longs without a sign, for uint64
     */
    record Loops(
            FloatLoop floats, DoubleBinaryOperator doubles, LongBinaryOperator longs, LongBinaryOperator unsigned) {

        /** A function of longs that takes no notice of a sign, or is not for uint64. */
        Loops(FloatLoop floats, DoubleBinaryOperator doubles, LongBinaryOperator longs) {
            this(floats, doubles, longs, longs);
        }
    }

    /** An operator of all inputs as they are, broadcast to the output. */
    static FoldOperator of(Loops loops) {
        return new FoldOperator(loops, FoldOperator::inputs);
    }

    private static List<Source> inputs(CpuCall call) {
        List<Source> inputs = new ArrayList<>();
        for (int i = 0; i < call.inputs().size(); i++) {
            inputs.add(Operand.of(call.input(i), call.output().shape()));
        }
        return inputs;
    }

    @Override
    public void run(CpuCall call) {
        Tensor output = call.output();
        List<Source> operands = sources.apply(call);
        DType dtype = call.input(0).dtype();
        TypedMemory to = new TypedMemory(output);
        call.parallel().forRange(Math.toIntExact(output.elements()), Chunks.GRAIN, (first, end) -> {
            switch (dtype) {
                case FLOAT32, FLOAT16, BFLOAT16 -> floats(operands, to, first, end);
                case FLOAT64 -> doubles(operands, to, first, end);
                case INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, BOOL, U1 ->
                    longs(loops.longs(), operands, to, first, end);
                case UINT64 -> longs(loops.unsigned(), operands, to, first, end);
                default -> throw new IllegalArgumentException(dtype + " is not computed in");
            }
        });
    }

    private void floats(List<Source> operands, TypedMemory to, int first, int end) {
        float[] values = new float[Math.min(Chunks.SIZE, end - first)];
        float[] next = new float[values.length];
        Chunks.forEach(first, end, (start, count) -> {
            operands.get(0).load(start, count, values);
            for (Source operand : operands.subList(1, operands.size())) {
                operand.load(start, count, next);
                loops.floats().run(values, next, count);
            }
            to.store(start, count, values);
        });
    }

    private void doubles(List<Source> operands, TypedMemory to, int first, int end) {
        double[] values = new double[Math.min(Chunks.SIZE, end - first)];
        double[] next = new double[values.length];
        Chunks.forEach(first, end, (start, count) -> {
            operands.get(0).load(start, count, values);
            for (Source operand : operands.subList(1, operands.size())) {
                operand.load(start, count, next);
                for (int i = 0; i < count; i++) {
                    values[i] = loops.doubles().applyAsDouble(values[i], next[i]);
                }
            }
            to.store(start, count, values);
        });
    }

    private static void longs(LongBinaryOperator function, List<Source> operands, TypedMemory to, int first, int end) {
        long[] values = new long[Math.min(Chunks.SIZE, end - first)];
        long[] next = new long[values.length];
        Chunks.forEach(first, end, (start, count) -> {
            operands.get(0).load(start, count, values);
            for (Source operand : operands.subList(1, operands.size())) {
                operand.load(start, count, next);
                for (int i = 0; i < count; i++) {
                    values[i] = function.applyAsLong(values[i], next[i]);
                }
            }
            LongValues.keepLowBits(values, count, to.dtype());
            to.store(start, count, values);
        });
    }
}
