package org.clinfer.cpu.elements;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.clinfer.costs.CpuWork;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.Operand;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Comparisons of two broadcast tensors; every comparison with NaN is false.
 *
 * @param less the result where the first is less, 0 or 1
 * @param equal the result where they are equal
 * @param greater the result where the first is greater
 */
record CompareOperator(long less, long equal, long greater) implements CpuOperator {

    static Map<String, CpuOperator> all() {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        all.put("Less", new CompareOperator(1, 0, 0));
        all.put("LessOrEqual", new CompareOperator(1, 1, 0));
        all.put("Greater", new CompareOperator(0, 0, 1));
        all.put("GreaterOrEqual", new CompareOperator(0, 1, 1));
        all.put("Equal", new CompareOperator(0, 1, 0));
        return all;
    }

    @Override
    public Optional<CpuWork> work() {
        return Optional.of(CpuWork.SCALAR_ARITHMETIC);
    }

    @Override
    public void run(CpuCall call) {
        Tensor output = call.output();
        Operand a = Operand.of(call.input(0), output.shape());
        Operand b = Operand.of(call.input(1), output.shape());
        TypedMemory to = new TypedMemory(output);
        DType dtype = a.memory().dtype();
        call.parallel().forRange(Math.toIntExact(output.elements()), Chunks.GRAIN, (first, end) -> {
            if (dtype == DType.FLOAT32) {
                compareFloats(a, b, to, first, end);
            } else if (dtype.isFloating()) {
                compareReals(a, b, to, first, end);
            } else {
                compareLongs(a, b, to, first, end);
            }
        });
    }

    private void compareFloats(Operand a, Operand b, TypedMemory to, int first, int end) {
        float[] left = new float[Math.min(Chunks.SIZE, end - first)];
        float[] right = new float[left.length];
        long[] result = new long[left.length];
        Chunks.forEach(first, end, (start, count) -> {
            a.load(start, count, left);
            b.load(start, count, right);
            for (int i = 0; i < count; i++) {
                result[i] = (left[i] < right[i] ? less : 0)
                        | (left[i] == right[i] ? equal : 0)
                        | (left[i] > right[i] ? greater : 0);
            }
            to.store(start, count, result);
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
                result[i] = (left[i] < right[i] ? less : 0)
                        | (left[i] == right[i] ? equal : 0)
                        | (left[i] > right[i] ? greater : 0);
            }
            to.store(start, count, result);
        });
    }

    /** Unsigned numbers compare as signed ones whose first bit is inverted. */
    private void compareLongs(Operand a, Operand b, TypedMemory to, int first, int end) {
        long[] left = new long[Math.min(Chunks.SIZE, end - first)];
        long[] right = new long[left.length];
        long turned = a.memory().dtype() == DType.UINT64 ? Long.MIN_VALUE : 0;
        Chunks.forEach(first, end, (start, count) -> {
            a.load(start, count, left);
            b.load(start, count, right);
            for (int i = 0; i < count; i++) {
                long one = left[i] ^ turned;
                long other = right[i] ^ turned;
                left[i] = (one < other ? less : 0) | (one == other ? equal : 0) | (one > other ? greater : 0);
            }
            to.store(start, count, left);
        });
    }
}
