package org.clinfer.cpu;

import java.util.LinkedHashMap;
import java.util.Map;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Comparisons of two broadcast tensors; every comparison with NaN is false. */
record CompareOperator(RealTest reals, LongTest longs) implements CpuOperator {

    @FunctionalInterface
    interface RealTest {
        boolean test(double a, double b);
    }

    @FunctionalInterface
    interface LongTest {
        boolean test(long a, long b);
    }

    static Map<String, CpuOperator> all() {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        put(all, "Less", (a, b) -> a < b, (a, b) -> a < b);
        put(all, "LessOrEqual", (a, b) -> a <= b, (a, b) -> a <= b);
        put(all, "Greater", (a, b) -> a > b, (a, b) -> a > b);
        put(all, "GreaterOrEqual", (a, b) -> a >= b, (a, b) -> a >= b);
        put(all, "Equal", (a, b) -> a == b, (a, b) -> a == b);
        return all;
    }

    private static void put(Map<String, CpuOperator> all, String optype, RealTest reals, LongTest longs) {
        all.put(optype, new CompareOperator(reals, longs));
    }

    @Override
    public void run(CpuCall call) {
        Tensor output = call.output();
        Operand a = Operand.of(call.input(0), output.shape());
        Operand b = Operand.of(call.input(1), output.shape());
        TypedMemory to = new TypedMemory(output);
        boolean floating = a.memory().dtype().isFloating();
        call.parallel().forRange(Math.toIntExact(output.elements()), Chunks.GRAIN, (first, end) -> {
            if (floating) {
                compareReals(a, b, to, first, end);
            } else {
                compareLongs(a, b, to, first, end);
            }
        });
    }

    private void compareReals(Operand a, Operand b, TypedMemory to, int first, int end) {
        double[] left = new double[Math.min(Chunks.SIZE, end - first)];
        double[] right = new double[left.length];
        long[] result = new long[left.length];
        Chunks.forEach(first, end, (start, count) -> {
            a.load(start, count, left);
            b.load(start, count, right);
            for (int i = 0; i < count; i++) {
                result[i] = reals.test(left[i], right[i]) ? 1 : 0;
            }
            to.store(start, count, result);
        });
    }

    /** What has no sign compares as what has one, with its first bit turned over. */
    private void compareLongs(Operand a, Operand b, TypedMemory to, int first, int end) {
        long[] left = new long[Math.min(Chunks.SIZE, end - first)];
        long[] right = new long[left.length];
        long turned = a.memory().dtype() == DType.UINT64 ? Long.MIN_VALUE : 0;
        Chunks.forEach(first, end, (start, count) -> {
            a.load(start, count, left);
            b.load(start, count, right);
            for (int i = 0; i < count; i++) {
                left[i] = longs.test(left[i] ^ turned, right[i] ^ turned) ? 1 : 0;
            }
            to.store(start, count, left);
        });
    }
}
