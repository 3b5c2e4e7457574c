package org.clinfer.conformance;

import java.util.HashMap;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;

/** Activations of one tensor, as ONNX defines them. */
final class ActivationReferences {

    private ActivationReferences() {}

    static Map<String, Reference> all() {
        Map<String, Function<Call, DoubleUnaryOperator>> rules = new HashMap<>();
        rules.put("Sigmoid", call -> ActivationReferences::sigmoid);
        rules.put("Tanh", call -> Math::tanh);
        rules.put("Softplus", call -> ActivationReferences::softplus);
        rules.put("Softsign", call -> x -> x / (1 + Math.abs(x)));
        rules.put("HardSwish", call -> x -> x * clamp(x / 6 + 0.5, 0, 1));
        rules.put("Gelu", ActivationReferences::gelu);
        rules.put("Swish", ActivationReferences::swish);
        rules.put("HardSigmoid", ActivationReferences::hardSigmoid);
        rules.put("Elu", ActivationReferences::elu);
        rules.put("Selu", ActivationReferences::selu);
        rules.put("Celu", ActivationReferences::celu);
        rules.put("ThresholdedRelu", ActivationReferences::thresholdedRelu);
        rules.put("Shrink", ActivationReferences::shrink);
        rules.put("Clip", ActivationReferences::clip);
        Map<String, Reference> all = new HashMap<>();
        rules.forEach((op, rule) -> all.put(op, Elements.map(rule)));
        return all;
    }

    private static double sigmoid(double x) {
        return x < 0 ? Math.exp(x) / (1 + Math.exp(x)) : 1 / (1 + Math.exp(-x));
    }

    static double softplus(double x) {
        return x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x));
    }

    static double clamp(double x, double low, double high) {
        return Math.min(Math.max(x, low), high);
    }

    private static DoubleUnaryOperator hardSigmoid(Call call) {
        double alpha = call.real("alpha", 0.2);
        double beta = call.real("beta", 0.5);
        return x -> clamp(alpha * x + beta, 0, 1);
    }

    static DoubleUnaryOperator gelu(Call call) {
        return call.text("approximate", "NONE").equals("TANH")
                ? x -> 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)))
                : x -> 0.5 * x * FunctionReferences.complement(-x / Math.sqrt(2));
    }

    private static DoubleUnaryOperator swish(Call call) {
        double alpha = call.real("alpha", 1);
        return x -> x * sigmoid(alpha * x);
    }

    private static DoubleUnaryOperator elu(Call call) {
        double alpha = call.real("alpha", 1);
        return x -> x > 0 ? x : alpha * Math.expm1(x);
    }

    private static DoubleUnaryOperator celu(Call call) {
        double alpha = call.real("alpha", 1);
        return x -> Math.max(0, x) + Math.min(0, alpha * Math.expm1(x / alpha));
    }

    private static DoubleUnaryOperator thresholdedRelu(Call call) {
        double alpha = call.real("alpha", 1);
        return x -> x > alpha ? x : 0;
    }

    private static DoubleUnaryOperator shrink(Call call) {
        double bias = call.real("bias", 0);
        double bound = call.real("lambd", 0.5);
        return x -> x < -bound ? x + bias : x > bound ? x - bias : 0;
    }

    private static DoubleUnaryOperator selu(Call call) {
        double alpha = call.real("alpha", 1.6732631921768188);
        double gamma = call.real("gamma", 1.0507010221481323);
        return x -> x > 0 ? gamma * x : gamma * alpha * Math.expm1(x);
    }

    /** A minimum above the maximum gives the maximum, as {@code numpy.clip} does. */
    private static DoubleUnaryOperator clip(Call call) {
        double low = call.hasInput(1) ? call.input(1).flat(0) : call.real("min", Double.NEGATIVE_INFINITY);
        double high = call.hasInput(2) ? call.input(2).flat(0) : call.real("max", Double.POSITIVE_INFINITY);
        return x -> clamp(x, low, high);
    }
}
