package org.clinfer.importer.tfjs;

import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Tensor;

/** Layers that are activation functions. */
final class TfjsActivationLayers {

    /** Slope of LeakyReLU, which Keras 2 calls alpha and Keras 3 negative_slope. */
    private static final double LEAKY_SLOPE = 0.3;

    private static final double RELU6_MAX = 6;

    /** A layer without weights, which can stand as another layer's activation too. */
    @FunctionalInterface
    private interface Function {
        Value apply(TfjsLayerCall call, TfjsFields config, Value x);
    }

    private static final Map<String, Function> FUNCTIONS = Map.of(
            "ReLU", TfjsActivationLayers::relu,
            "LeakyReLU", TfjsActivationLayers::leakyRelu,
            "ELU", TfjsActivationLayers::elu,
            "Softmax", TfjsActivationLayers::softmax);

    private TfjsActivationLayers() {}

    static void addTo(LayerTable<TfjsLayerCall> all) {
        FUNCTIONS.forEach((kind, function) -> all.one(kind, call -> function.apply(call, call.config(), call.input())));
        all.one("Activation", TfjsActivationLayers::activation);
        all.one("PReLU", TfjsActivationLayers::prelu);
    }

    private static Value activation(TfjsLayerCall call) {
        call.config().require("activation");
        return TfjsActivations.apply(call, call.input());
    }

    /** Applies a layer of some kind as another layer's activation. */
    static Value apply(TfjsLayerCall call, String kind, TfjsFields config, Value x) {
        Function function = FUNCTIONS.get(kind);
        if (function == null) {
            throw call.unsupportedUse("activation " + new Json.Text(kind).shown());
        }
        return function.apply(call, config, x);
    }

    private static Value relu(TfjsLayerCall call, TfjsFields config, Value x) {
        double slope = config.real("negative_slope", 0);
        Optional<Json> max = config.find("max_value");
        double top = config.real("max_value", 0);
        if (config.real("threshold", 0) != 0) {
            throw call.unsupportedUse("a threshold");
        }
        if (slope != 0) {
            Value leaky = call.add("LeakyRelu", new Params().put("alpha", slope), x);
            return max.isEmpty() ? leaky : call.add("Clip", new Params().put("max", top), leaky);
        }
        if (max.isEmpty()) {
            return call.add("Relu", x);
        }
        return top == RELU6_MAX
                ? call.add("Relu6", x)
                : call.add("Clip", new Params().put("min", 0.0).put("max", top), x);
    }

    private static Value leakyRelu(TfjsLayerCall call, TfjsFields config, Value x) {
        double alpha = config.real("alpha", LEAKY_SLOPE);
        double slope = config.real("negative_slope", alpha);
        if (slope != alpha && config.find("alpha").isPresent()) {
            throw config.wrong("negative_slope", "it is given beside alpha, which means the same");
        }
        return call.add("LeakyRelu", new Params().put("alpha", slope), x);
    }

    private static Value elu(TfjsLayerCall call, TfjsFields config, Value x) {
        return call.add("Elu", new Params().put("alpha", config.real("alpha", 1)), x);
    }

    private static Value softmax(TfjsLayerCall call, TfjsFields config, Value x) {
        long[] axes = config.integers("axis").orElse(new long[] {-1});
        if (axes.length != 1) {
            throw call.unsupportedUse(axes.length + " axes");
        }
        return call.add("Softmax", new Params().put("axis", axes[0]), x);
    }

    /** The slopes have the sizes of the input without the batch, or 1 along shared axes. */
    private static Value prelu(TfjsLayerCall call) {
        Value x = call.input();
        call.config().ignore("shared_axes"); // axes of size 1
        String name = call.weightName("alpha", 0);
        Tensor slope = call.weight(name, x.rank() - 1);
        Params params = new Params().put("per_channel", false);
        return call.add("PRelu", params, x, call.shared(name, () -> slope));
    }
}
