package org.clinfer.cpu.elements;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.clinfer.costs.CpuWork;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.elements.FoldOperator.FloatLoop;
import org.clinfer.cpu.elements.FoldOperator.Loops;
import org.clinfer.cpu.memory.Operand;
import org.clinfer.cpu.memory.Source;
import org.clinfer.cpu.memory.StridedView;
import org.clinfer.cpu.memory.TypedMemory;
import org.clinfer.cpu.memory.UnsignedLongs;
import org.clinfer.tensor.DType;

/** The arithmetic of two and of many tensors. Integers wrap. */
final class FoldOperators {

    private FoldOperators() {}

    static Map<String, CpuOperator> all() {
        Map<String, CpuOperator> all = new LinkedHashMap<>();
        Loops add = new Loops(FoldOperators::add, Double::sum, Long::sum);
        put(all, "Add", add);
        put(all, "Sum", add);
        all.put("Eltwise", CpuOperator.of(CpuWork.ARITHMETIC, new FoldOperator(add, Eltwise::inputs)));
        put(all, "Sub", new Loops(FoldOperators::subtract, (a, b) -> a - b, (a, b) -> a - b));
        put(all, "Mul", new Loops(FoldOperators::multiply, (a, b) -> a * b, (a, b) -> a * b));
        LongBinaryOperator unsignedQuotient = (a, b) -> b == 0 ? 0 : Long.divideUnsigned(a, b);
        put(
                all,
                "Div",
                new Loops(FoldOperators::divide, (a, b) -> a / b, (a, b) -> b == 0 ? 0 : a / b, unsignedQuotient));
        LongBinaryOperator unsignedRemainder = (a, b) -> b == 0 ? 0 : Long.remainderUnsigned(a, b);
        FoldOperator remainder = FoldOperator.of(new Loops(
                FoldOperators::remainder,
                FoldOperators::remainder,
                (a, b) -> b == 0 ? 0 : Math.floorMod(a, b),
                unsignedRemainder));
        FoldOperator remainderOfC = FoldOperator.of(new Loops(
                FoldOperators::remainderOfC, (a, b) -> a % b, (a, b) -> b == 0 ? 0 : a % b, unsignedRemainder));
        all.put(
                "Mod",
                CpuOperator.of(
                        CpuWork.SCALAR_ARITHMETIC,
                        call -> (call.parameters().flag("fmod") ? remainderOfC : remainder).run(call)));
        put(all, "Max", new Loops(FoldOperators::max, Math::max, Math::max, UnsignedLongs::max));
        put(all, "Min", new Loops(FoldOperators::min, Math::min, Math::min, UnsignedLongs::min));
        all.put(
                "PRelu",
                CpuOperator.of(
                        CpuWork.ARITHMETIC,
                        new FoldOperator(
                                new Loops(
                                        FoldOperators::prelu,
                                        (x, slope) -> x >= 0 ? x : slope * x,
                                        (x, slope) -> x >= 0 ? x : slope * x),
                                FoldOperators::withSlopes)));
        FloatLoop none = (a, b, count) -> {
            throw new IllegalArgumentException("this operator takes no real numbers");
        };
        putScalar(all, "And", new Loops(none, (a, b) -> a * b, (a, b) -> a & b));
        putScalar(all, "Or", new Loops(none, Math::max, (a, b) -> a | b));
        putScalar(all, "Xor", new Loops(none, (a, b) -> a == b ? 0 : 1, (a, b) -> a ^ b));
        DoubleBinaryOperator noReals = (a, b) -> {
            throw new IllegalArgumentException("this operator takes no real numbers");
        };
        putScalar(all, "BitwiseAnd", new Loops(none, noReals, (a, b) -> a & b));
        putScalar(all, "BitwiseOr", new Loops(none, noReals, (a, b) -> a | b));
        putScalar(all, "BitwiseXor", new Loops(none, noReals, (a, b) -> a ^ b));
        all.put(
                "BitShift",
                CpuOperator.of(
                        CpuWork.SCALAR_ARITHMETIC,
                        call -> FoldOperator.of(new Loops(none, noReals, shift(call)))
                                .run(call)));
        return all;
    }

    /** By less than none, or by all bits and more, there is nothing left but what moves in. */
    private static LongBinaryOperator shift(CpuCall call) {
        DType dtype = call.input(0).dtype();
        int bits = dtype.bits();
        if (dtype == DType.UINT64) {
            return call.parameters().text("direction").equals("LEFT")
                    ? (a, b) -> b >= 0 && b < bits ? a << b : 0
                    : (a, b) -> b >= 0 && b < bits ? a >>> b : 0;
        }
        return call.parameters().text("direction").equals("LEFT")
                ? (a, b) -> b >= 0 && b < bits ? dtype.lowBits(a << b) : 0
                : (a, b) -> b >= 0 && b < bits ? a >> b : a >> (Long.SIZE - 1);
    }

    private static void put(Map<String, CpuOperator> all, String optype, Loops loops) {
        all.put(optype, CpuOperator.of(CpuWork.ARITHMETIC, FoldOperator.of(loops)));
    }

    /** An operator without a loop of floats. */
    private static void putScalar(Map<String, CpuOperator> all, String optype, Loops loops) {
        all.put(optype, CpuOperator.of(CpuWork.SCALAR_ARITHMETIC, FoldOperator.of(loops)));
    }

    /** x and the slopes, walked as the description says. */
    private static List<Source> withSlopes(CpuCall call) {
        long[] sizes = call.output().shape().sizes();
        StridedView slopes = StridedView.of(sizes, call.parameters().integers("slope_strides"), 0);
        return List.of(
                Operand.of(call.input(0), call.output().shape()), new Operand(new TypedMemory(call.input(1)), slopes));
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

    private static void remainder(float[] a, float[] b, int count) {
        for (int i = 0; i < count; i++) {
            a[i] = (float) remainder(a[i], b[i]);
        }
    }

    /** With the sign of the divisor, a zero too. */
    private static double remainder(double a, double b) {
        double left = a % b;
        return left == 0 ? Math.copySign(left, b) : left < 0 != b < 0 ? left + b : left;
    }

    private static void remainderOfC(float[] a, float[] b, int count) {
        for (int i = 0; i < count; i++) {
            a[i] %= b[i];
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
