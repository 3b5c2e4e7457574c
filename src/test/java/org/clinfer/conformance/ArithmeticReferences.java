package org.clinfer.conformance;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import org.clinfer.cpu.TestRuns;
import org.clinfer.tensor.DType;

/** Arithmetic of tensors that broadcast: sums and products, quotients, powers, extremes. */
final class ArithmeticReferences {

    /** Powers of larger ones are those of 0, 1 and -1 in the cases. */
    private static final int LARGEST_EXPONENT = 200;

    private ArithmeticReferences() {}

    static Map<String, Reference> all() {
        Map<String, Reference> all = new HashMap<>();
        all.put("Add", Elements.pair(call -> Double::sum));
        all.put("Sub", Elements.pair(call -> (a, b) -> a - b));
        all.put("Mul", Elements.pair(call -> (a, b) -> a * b));
        all.put("Div", Elements.pair(ArithmeticReferences::quotient));
        all.put("Mod", Elements.pair(ArithmeticReferences::remainder));
        all.put("Pow", Elements.pair(ArithmeticReferences::power));
        all.put("Sum", Elements.fold(Double::sum));
        all.put("Max", Elements.fold(Math::max));
        all.put("Min", Elements.fold(Math::min));
        return all;
    }

    /** Integers truncate towards zero, and a division by zero gives 0. */
    private static DoubleBinaryOperator quotient(Call call) {
        if (!Elements.isInteger(call.input(0))) {
            return (a, b) -> a / b;
        }
        return (a, b) -> b == 0 ? 0 : truncated(a / b);
    }

    /** What is left of a quotient that is rounded down, or with fmod truncated; of a whole number divided by 0 nothing. */
    private static DoubleBinaryOperator remainder(Call call) {
        boolean truncates = call.flag("fmod", false);
        boolean whole = Elements.isInteger(call.input(0));
        return (a, b) -> {
            if (b == 0 && whole) {
                return 0;
            }
            double left = a % b;
            return truncates || left == 0 || left < 0 == b < 0 ? left : left + b;
        };
    }

    /**
     * Integers to the power of integers wrap; below 0 they truncate towards zero as a quotient does, and 0 to a negative
     * power gives 0.
     */
    private static DoubleBinaryOperator power(Call call) {
        if (!Elements.isInteger(call.input(0)) || !Elements.isInteger(call.input(1))) {
            return ArithmeticReferences::pow;
        }
        DType type = call.input(0).type().orElseThrow();
        return (a, b) -> {
            if (b < 0) {
                return a == 0 ? 0 : truncated(pow(a, b));
            }
            BigInteger whole = new BigDecimal(a).toBigInteger().pow((int) Math.min(b, LARGEST_EXPONENT));
            return type == DType.UINT64 ? whole.doubleValue() : TestRuns.wrapped(type, whole);
        };
    }

    /** The pow of IEEE 754, which unlike Java's takes 1 to any power, and -1 to an infinite one, for 1. */
    private static double pow(double a, double b) {
        return a == 1 || (a == -1 && Double.isInfinite(b)) ? 1 : Math.pow(a, b);
    }

    static double truncated(double x) {
        return x < 0 ? Math.ceil(x) : Math.floor(x);
    }
}
