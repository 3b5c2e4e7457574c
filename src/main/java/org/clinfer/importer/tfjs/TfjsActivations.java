package org.clinfer.importer.tfjs;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Tensor;

/** Activation functions by Keras's names, as the attribute of a layer. */
final class TfjsActivations {

    /** The slope of the function; that of the layer LeakyReLU is another. */
    private static final double LEAKY_SLOPE = 0.2;

    /** One function. */
    @FunctionalInterface
    private interface Function {
        Value apply(TfjsLayerCall call, Value x);
    }

    private static final Map<String, Function> FUNCTIONS = functions();

    private TfjsActivations() {}

    private static Map<String, Function> functions() {
        Map<String, Function> all = new HashMap<>();
        all.put("linear", (call, x) -> x);
        Map.of(
                        "relu", "Relu",
                        "relu6", "Relu6",
                        "sigmoid", "Sigmoid",
                        "tanh", "Tanh",
                        "elu", "Elu",
                        "selu", "Selu",
                        "softplus", "Softplus",
                        "softsign", "Softsign",
                        "exponential", "Exp")
                .forEach((name, op) -> all.put(name, (call, x) -> call.add(op, x)));
        all.put("softmax", (call, x) -> call.add("Softmax", new Params().put("axis", -1), x));
        all.put("log_softmax", (call, x) -> call.add("LogSoftmax", new Params().put("axis", -1), x));
        all.put("leaky_relu", (call, x) -> call.add("LeakyRelu", new Params().put("alpha", LEAKY_SLOPE), x));
        all.put("hard_sigmoid", TfjsActivations::hardSigmoid);
        for (String name : List.of("hard_silu", "hard_swish")) {
            all.put(name, (call, x) -> call.add("HardSwish", x));
        }
        for (String name : List.of("swish", "silu")) {
            all.put(name, (call, x) -> call.add("Mul", x, call.add("Sigmoid", x)));
        }
        all.put("mish", (call, x) -> call.add("Mish", x));
        all.put("gelu", TfjsActivations::gelu);
        all.put("gelu_new", TfjsActivations::tanhGelu);
        return Map.copyOf(all);
    }

    /** Applies it to what the layer's own operator gives, which has the name of the layer. */
    static Value fused(TfjsLayerCall call, Value x) {
        call.main(x);
        return apply(call, x);
    }

    /** Applies the function that the layer's field {@code activation} names, if it names one. */
    static Value apply(TfjsLayerCall call, Value x) {
        Optional<Json> activation = call.config().find("activation");
        if (activation.isEmpty()) {
            return x;
        }
        if (activation.get() instanceof Json.Text name) {
            return byName(call, name.value(), x);
        }
        TfjsFields object = TfjsFields.of(activation.get(), call.source(), "config.activation");
        String kind = object.text("class_name").orElse("");
        Json config = object.find("config").orElse(new Json.Obj(Map.of()));
        if (config instanceof Json.Text name) {
            return byName(call, name.value(), x);
        }
        TfjsFields fields = TfjsFields.of(config, call.source(), "config.activation.config");
        Value y = TfjsActivationLayers.apply(call, kind, fields, x);
        fields.ignore("name", "trainable", "dtype");
        for (String field : fields.unread()) {
            throw call.unsupportedUse("'" + field + "' of its activation");
        }
        return y;
    }

    private static Value byName(TfjsLayerCall call, String name, Value x) {
        Function function = FUNCTIONS.get(name);
        if (function == null) {
            throw call.unsupportedUse("activation " + new Json.Text(name).shown());
        }
        return function.apply(call, x);
    }

    /** Keras 3 has other coefficients than its elders and TensorFlow.js. */
    private static Value hardSigmoid(TfjsLayerCall call, Value x) {
        double slope = call.origin() == Origin.KERAS_3 ? 1.0 / 6 : 0.2;
        return call.add("HardSigmoid", new Params().put("alpha", slope).put("beta", 0.5), x);
    }

    static Value times(TfjsLayerCall call, Value x, double factor) {
        return call.add("Mul", x, call.own("times " + factor, () -> Tensor.scalar((float) factor)));
    }

    static Value plus(TfjsLayerCall call, Value x, double addend) {
        return call.add("Add", x, call.own("plus " + addend, () -> Tensor.scalar((float) addend)));
    }

    /** {@code x / 2 * (1 + erf(x / sqrt(2)))}. */
    private static Value gelu(TfjsLayerCall call, Value x) {
        Value erf = call.add("Erf", times(call, x, Math.sqrt(0.5)));
        return call.add("Mul", times(call, x, 0.5), plus(call, erf, 1));
    }

    /** {@code x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))}. */
    private static Value tanhGelu(TfjsLayerCall call, Value x) {
        Value square = call.add("Mul", x, x);
        Value scaled = times(call, plus(call, times(call, square, 0.044715), 1), Math.sqrt(2 / Math.PI));
        Value tanh = call.add("Tanh", call.add("Mul", x, scaled));
        return call.add("Mul", times(call, x, 0.5), plus(call, tanh, 1));
    }
}
