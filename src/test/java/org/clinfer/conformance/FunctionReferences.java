package org.clinfer.conformance;

import java.util.HashMap;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;

/** Elementary functions of one tensor. */
final class FunctionReferences {

    private FunctionReferences() {}

    static Map<String, Reference> all() {
        Map<String, DoubleUnaryOperator> functions = new HashMap<>();
        functions.put("Exp", Math::exp);
        functions.put("Log", Math::log);
        functions.put("Sqrt", Math::sqrt);
        functions.put("Abs", Math::abs);
        functions.put("Neg", x -> -x);
        functions.put("Reciprocal", x -> 1 / x);
        functions.put("Floor", Math::floor);
        functions.put("Ceil", Math::ceil);
        functions.put("Round", Math::rint);
        functions.put("Sign", Math::signum);
        functions.put("Sin", Math::sin);
        functions.put("Cos", Math::cos);
        functions.put("Tan", Math::tan);
        functions.put("Asin", Math::asin);
        functions.put("Acos", Math::acos);
        functions.put("Atan", Math::atan);
        functions.put("Sinh", Math::sinh);
        functions.put("Cosh", Math::cosh);
        functions.put("Asinh", FunctionReferences::asinh);
        functions.put("Acosh", x -> 2 * asinh(Math.sqrt((x - 1) / 2)));
        functions.put("Atanh", x -> x == 0 ? x : (Math.log1p(x) - Math.log1p(-x)) / 2);
        functions.put("Erf", FunctionReferences::erf);
        functions.put("Not", x -> x == 0 ? 1 : 0);
        Map<String, Reference> all = new HashMap<>();
        functions.forEach((op, function) -> all.put(op, Elements.map(call -> function)));
        return all;
    }

    /** log(x + sqrt(x^2 + 1)) as a logarithm of 1 and more, so that small results keep their digits. */
    private static double asinh(double x) {
        double size = Math.abs(x);
        double area =
                size > 1e8 ? Math.log(2 * size) : Math.log1p(size + size * size / (1 + Math.sqrt(size * size + 1)));
        return Math.copySign(area, x);
    }

    /**
     * The error function. Up to 3 by the series 2/sqrt(pi) exp(-x^2) sum of 2^n x^(2n+1) / (2n+1)!!, whose terms have one
     * sign; beyond by the continued fraction of its complement (Abramowitz and Stegun 7.1.6 and 7.1.14).
     */
    static double erf(double x) {
        double size = Math.abs(x);
        if (!(size > 3)) {
            double term = x;
            double sum = x;
            for (int n = 1; n <= 100; n++) {
                term *= 2 * x * x / (2 * n + 1);
                sum += term;
            }
            return 2 / Math.sqrt(Math.PI) * Math.exp(-x * x) * sum;
        }
        return Math.copySign(1 - fraction(size), x);
    }

    /** 1 - erf(x), which keeps its digits where it is small. */
    static double complement(double x) {
        return x > 1.5 ? fraction(x) : 1 - erf(x);
    }

    private static double fraction(double x) {
        double fraction = x;
        for (int k = 100; k >= 1; k--) {
            fraction = x + k / 2.0 / fraction;
        }
        return Math.exp(-x * x) / Math.sqrt(Math.PI) / fraction;
    }
}
