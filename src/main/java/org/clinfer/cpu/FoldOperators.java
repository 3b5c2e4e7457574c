package org.clinfer.cpu;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.clinfer.cpu.FoldOperator.FloatLoop;
import org.clinfer.cpu.FoldOperator.Loops;
import org.clinfer.tensor.DType;

/** The arithmetic of two and of many tensors. Integer division truncates; by zero it gives zero. */
final class FoldOperators {

    private FoldOperators() {}

    static Map<String, CpuOperator> all() {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        Loops add = new Loops(FoldOperators::add, Double::sum, Long::sum);
        put(all, "Add", TypeRule.NUMERIC, add);
        put(all, "Sum", TypeRule.NUMERIC, add);
        put(all, "Sub", TypeRule.NUMERIC, new Loops(FoldOperators::subtract, (a, b) -> a - b, (a, b) -> a - b));
        put(all, "Mul", TypeRule.NUMERIC, new Loops(FoldOperators::multiply, (a, b) -> a * b, (a, b) -> a * b));
        put(
                all,
                "Div",
                TypeRule.NUMERIC,
                new Loops(FoldOperators::divide, (a, b) -> a / b, (a, b) -> b == 0 ? 0 : a / b));
        put(all, "Max", TypeRule.NUMERIC, new Loops(FoldOperators::max, Math::max, Math::max));
        put(all, "Min", TypeRule.NUMERIC, new Loops(FoldOperators::min, Math::min, Math::min));
        put(
                all,
                "PRelu",
                TypeRule.FLOATING,
                new Loops(FoldOperators::prelu, (x, slope) -> x >= 0 ? x : slope * x, (x, slope) -> {
                    throw new IllegalArgumentException("PRelu does not take integers");
                }));
        FloatLoop none = (a, b, count) -> {
            throw new IllegalArgumentException("this operator takes bool alone");
        };
        put(all, "And", TypeRule.BOOL, new Loops(none, (a, b) -> a * b, (a, b) -> a & b));
        put(all, "Or", TypeRule.BOOL, new Loops(none, Math::max, (a, b) -> a | b));
        put(all, "Xor", TypeRule.BOOL, new Loops(none, (a, b) -> a == b ? 0 : 1, (a, b) -> a ^ b));
        return all;
    }

    private static void put(Map<String, CpuOperator> all, String optype, Set<DType> types, Loops loops) {
        all.put(optype, new FoldOperator(new TypeRule(optype, types), loops));
    }

    private static void add(float[] a, float[] b, int count) {
        for (int i = 0; i < count; i++) {
            a[i] += b[i];
        }
    }

    private static void subtract(float[] a, float[] b, int count) {
        for (int i = 0; i < count; i++) {
            a[i] -= b[i];
        }
    }

    private static void multiply(float[] a, float[] b, int count) {
        for (int i = 0; i < count; i++) {
            a[i] *= b[i];
        }
    }

    private static void divide(float[] a, float[] b, int count) {
        for (int i = 0; i < count; i++) {
            a[i] /= b[i];
        }
    }

    private static void max(float[] a, float[] b, int count) {
        for (int i = 0; i < count; i++) {
            a[i] = Math.max(a[i], b[i]);
        }
    }

    private static void min(float[] a, float[] b, int count) {
        for (int i = 0; i < count; i++) {
            a[i] = Math.min(a[i], b[i]);
        }
    }

    private static void prelu(float[] x, float[] slope, int count) {
        for (int i = 0; i < count; i++) {
            x[i] = x[i] >= 0 ? x[i] : slope[i] * x[i];
        }
    }
}
