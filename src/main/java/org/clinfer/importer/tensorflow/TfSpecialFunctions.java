package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Map;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** Functions that are sums and quotients here: the logarithm of the gamma function, the inverse of Erf and of its kin. */
final class TfSpecialFunctions {

    /** Lanczos' approximation for g = 7: a constant, and what is divided by x + 1, x + 2 and so on. */
    private static final double[] LANCZOS = {
        0.9999999999998099,
        676.5203681218851,
        -1259.1392167224028,
        771.3234287776531,
        -176.6150291621406,
        12.507343278686905,
        -0.13857109526572012,
        9.984369578019572e-06,
        1.5056327351493116e-07
    };

    private static final double LANCZOS_G = 7;

    /** The inverse of Erf divided by x, by powers of w - 2.5 with w = -log(1 - x * x), highest first; for w below 5. */
    private static final double[] CENTRAL = {
        2.81022636e-08,
        3.43273939e-07,
        -3.5233877e-06,
        -4.39150654e-06,
        0.00021858087,
        -0.00125372503,
        -0.00417768164,
        0.246640727,
        1.50140941
    };

    /** The same by powers of the root of w, less 3, for larger ones. */
    private static final double[] OUTER = {
        -0.000200214257,
        0.000100950558,
        0.00134934322,
        -0.00367342844,
        0.00573950773,
        -0.0076224613,
        0.00943887047,
        1.00167406,
        2.83297682
    };

    private final TfCall call;
    private final TfValue x;
    private final DType type;

    private TfSpecialFunctions(TfCall call) {
        this.call = call;
        this.x = call.input(0);
        this.type = call.dtype(x);
        if (type == DType.FLOAT64) {
            throw call.unsupportedUse("float64, for which it is too inexact");
        }
    }

    static Map<String, TfTranslator> all() {
        return Map.of(
                "Lgamma", call -> new TfSpecialFunctions(call).logGamma(),
                "Erfinv", call -> new TfSpecialFunctions(call).inverseError());
    }

    private String number(double value) {
        return call.scalar(type, value);
    }

    private String add(String left, String right) {
        return call.step("Add", left, right);
    }

    private String sub(String left, String right) {
        return call.step("Sub", left, right);
    }

    private String mul(String left, String right) {
        return call.step("Mul", left, right);
    }

    /** The logarithm of gamma; below one half it is log(pi / sin(pi * x)) - logGamma(1 - x). */
    private void logGamma() {
        String plain = x.stored();
        String isBelow = call.step("Less", plain, number(0.5));
        String z = call.step("Where", isBelow, call.step("Neg", plain), sub(plain, number(1)));
        String sum = number(LANCZOS[0]);
        for (int i = 1; i < LANCZOS.length; i++) {
            sum = add(sum, call.step("Div", number(LANCZOS[i]), add(z, number(i))));
        }
        String t = add(z, number(LANCZOS_G + 0.5));
        // (z + 1/2) log(t) - t, as a product that keeps its digits for large z
        String logT = call.step("Log", t);
        String product = mul(sub(add(z, number(0.5)), call.step("Div", t, logT)), logT);
        String above = add(add(product, number(0.5 * Math.log(2 * Math.PI))), call.step("Log", sum));
        String size = call.step("Abs", plain);
        String part = sub(size, call.step("Floor", size));
        String angle = mul(call.step("Min", part, sub(number(1), part)), number(Math.PI));
        String below = sub(sub(number(Math.log(Math.PI)), call.step("Log", call.step("Sin", angle))), above);
        String infinity = number(Double.POSITIVE_INFINITY);
        String isInfinite = call.step("Equal", size, infinity);
        String known = call.step("Where", isBelow, below, above);
        call.give("Where", List.of(isInfinite, infinity, known), new Params(), x.second());
    }

    private void inverseError() {
        String plain = x.stored();
        String product = mul(sub(number(1), plain), add(number(1), plain));
        String w = call.step("Neg", call.step("Log", product));
        String isCentral = call.step("Less", w, number(5));
        String central = powers(sub(w, number(2.5)), CENTRAL);
        String root = call.step("Sqrt", call.step("Max", w, number(5)));
        String outer = powers(sub(root, number(3)), OUTER);
        String inside = mul(plain, call.step("Where", isCentral, central, outer));
        String isEnd = call.step("Equal", product, number(0));
        String end = mul(plain, number(Double.POSITIVE_INFINITY));
        call.give("Where", List.of(isEnd, end, inside), new Params(), x.second());
    }

    private String powers(String variable, double[] factors) {
        String sum = number(factors[0]);
        for (int i = 1; i < factors.length; i++) {
            sum = add(mul(sum, variable), number(factors[i]));
        }
        return sum;
    }
}
