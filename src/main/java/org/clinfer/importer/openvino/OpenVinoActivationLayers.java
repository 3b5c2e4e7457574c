package org.clinfer.importer.openvino;

import java.util.List;
import java.util.Map;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Functions of each element. */
final class OpenVinoActivationLayers {

    /** Those without attributes, by the operators that they are. */
    private static final Map<String, String> PLAIN = Map.ofEntries(
            Map.entry("Abs", "Abs"),
            Map.entry("Acos", "Acos"),
            Map.entry("Acosh", "Acosh"),
            Map.entry("Asin", "Asin"),
            Map.entry("Asinh", "Asinh"),
            Map.entry("Atan", "Atan"),
            Map.entry("Atanh", "Atanh"),
            Map.entry("BitwiseNot", "BitwiseNot"),
            Map.entry("Ceiling", "Ceil"),
            Map.entry("Cos", "Cos"),
            Map.entry("Cosh", "Cosh"),
            Map.entry("Erf", "Erf"),
            Map.entry("Exp", "Exp"),
            Map.entry("Floor", "Floor"),
            Map.entry("HSwish", "HardSwish"),
            Map.entry("Identity", "Identity"),
            Map.entry("Log", "Log"),
            Map.entry("LogicalNot", "Not"),
            Map.entry("Negative", "Neg"),
            Map.entry("ReLU", "Relu"),
            Map.entry("Sigmoid", "Sigmoid"),
            Map.entry("Sign", "Sign"),
            Map.entry("Sin", "Sin"),
            Map.entry("Sinh", "Sinh"),
            Map.entry("SoftPlus", "Softplus"),
            Map.entry("SoftSign", "Softsign"),
            Map.entry("Sqrt", "Sqrt"),
            Map.entry("Tan", "Tan"),
            Map.entry("Tanh", "Tanh"));

    private OpenVinoActivationLayers() {}

    static void addTo(LayerTable<OpenVinoLayerCall> all) {
        PLAIN.forEach((type, op) -> all.one(type, call -> call.last(op, call.input())));
        all.one("Clamp", OpenVinoActivationLayers::clamp);
        all.one("Convert", OpenVinoActivationLayers::convert);
        all.one("ConvertLike", OpenVinoActivationLayers::convertLike);
        all.one(
                "Elu",
                call -> call.last(
                        "Elu",
                        List.of(call.input()),
                        new Params().put("alpha", call.attributes().real("alpha"))));
        all.one("Gelu", OpenVinoActivationLayers::gelu);
        all.one("HardSigmoid", OpenVinoActivationLayers::hardSigmoid);
        all.one("HSigmoid", call -> hardSigmoid(call, call.input(), 1.0 / 6, 0.5));
        all.one("Mish", call -> call.last("Mish", call.input()));
        all.one("PReLU", OpenVinoActivationLayers::prelu);
        all.one("Round", OpenVinoActivationLayers::round);
        all.one("Selu", OpenVinoActivationLayers::selu);
        all.one("Swish", OpenVinoActivationLayers::swish);
    }

    private static Value clamp(OpenVinoLayerCall call) {
        Params params = new Params()
                .put("min", call.attributes().real("min"))
                .put("max", call.attributes().real("max"));
        return call.last("Clip", List.of(call.input()), params);
    }

    private static Value convert(OpenVinoLayerCall call) {
        DType to = call.attributes().type("destination_type");
        return converted(call, call.input(), to);
    }

    private static Value convertLike(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        return converted(call, call.input(0), call.input(1).type().dtype());
    }

    /** Weights that are kept in fewer bits than they are computed with stay constants. */
    private static Value converted(OpenVinoLayerCall call, Value x, DType to) {
        DType from = x.type().dtype();
        boolean exact = from.isFloating() ? to.isFloating() : to == DType.INT64 || to == DType.INT32;
        if (exact && call.constant(0).isPresent()) {
            Tensor tensor = call.constant(0).get();
            return from == to ? x : call.constant("converted", tensor.to(to));
        }
        return call.last("Cast", List.of(x), new Params().put("to", to.label()), to);
    }

    private static Value gelu(OpenVinoLayerCall call) {
        String mode = call.attributes().choice("approximation_mode", "erf", "erf", "tanh");
        return call.last(
                "Gelu", List.of(call.input()), new Params().put("approximate", mode.equals("erf") ? "NONE" : "TANH"));
    }

    private static Value hardSigmoid(OpenVinoLayerCall call) {
        call.requireInputs(3, 3);
        return hardSigmoid(call, call.input(0), call.real(1, "alpha"), call.real(2, "beta"));
    }

    private static Value hardSigmoid(OpenVinoLayerCall call, Value x, double alpha, double beta) {
        return call.last(
                "HardSigmoid", List.of(x), new Params().put("alpha", alpha).put("beta", beta));
    }

    /** A slope of one axis, as long as there are channels, is that of the channels, even where the last axis is as long. */
    private static Value prelu(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        Value x = call.input(0);
        Value slope = call.input(1);
        boolean channels = slope.rank() == 1 && x.rank() > 1 && slope.sizeOr0(0) > 1;
        if (channels && x.sizeOr0(1) == 0) {
            throw call.unsupportedUse("slopes for channels whose number is not known");
        }
        boolean perChannel = channels && slope.sizeOr0(0) == x.sizeOr0(1);
        return call.last("PRelu", List.of(x, slope), new Params().put("per_channel", perChannel));
    }

    private static Value round(OpenVinoLayerCall call) {
        call.attributes().choice("mode", "half_to_even", "half_to_even");
        return call.last("Round", call.input());
    }

    private static Value selu(OpenVinoLayerCall call) {
        call.requireInputs(3, 3);
        Params params = new Params().put("alpha", call.real(1, "alpha")).put("gamma", call.real(2, "lambda"));
        return call.last("Selu", List.of(call.input(0)), params);
    }

    private static Value swish(OpenVinoLayerCall call) {
        call.requireInputs(1, 2);
        Params params = new Params();
        if (call.inputCount() == 2) {
            params.put("alpha", call.real(1, "beta"));
        }
        return call.last("Swish", List.of(call.input(0)), params);
    }
}
