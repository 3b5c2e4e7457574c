package org.clinfer.importer.darknet;

import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.text.Printable;

/** Functions of each element, by darknet's names. */
final class DarknetActivations {

    private static final double LEAKY_SLOPE = 0.1;
    private static final double RELIE_SLOPE = 0.01;

    private DarknetActivations() {}

    /** The result of the layer's option {@code activation} for a value; none by default. */
    static Value apply(DarknetLayerCall layer, Value x) {
        return apply(layer, x, "linear");
    }

    static Value apply(DarknetLayerCall layer, Value x, String otherwise) {
        return named(layer, layer.options().text("activation").orElse(otherwise), x);
    }

    static Value named(DarknetLayerCall layer, String function, Value x) {
        return switch (function) {
            case "linear", "" -> x;
            case "leaky" -> leaky(layer, x, LEAKY_SLOPE);
            case "relie" -> leaky(layer, x, RELIE_SLOPE);
            case "relu" -> layer.add("Relu", x);
            case "relu6" -> layer.add("Relu6", x);
            case "logistic" -> layer.add("Sigmoid", x);
            case "tanh" -> layer.add("Tanh", x);
            case "swish" -> layer.add("Swish", x);
            case "elu" -> layer.add("Elu", x);
            case "selu" -> layer.add("Selu", x);
            case "mish" -> layer.add("Mish", x);
            case "hard_mish" -> layer.add("HardMish", x);
            case "hardtan" -> clip(layer, x, -1, 1);
            case "loggy" -> {
                Value twice = layer.add("Mul", layer.add("Sigmoid", x), layer.number("two", 2));
                yield layer.add("Sub", twice, layer.number("one", 1));
            }
            case "ramp" -> {
                Value part = layer.add("Mul", x, layer.number("slope", LEAKY_SLOPE));
                yield layer.add("Add", layer.add("Relu", x), part);
            }
            default -> throw layer.unsupportedUse("activation '" + Printable.shortened(function) + "'");
        };
    }

    private static Value leaky(DarknetLayerCall layer, Value x, double slope) {
        return layer.add("LeakyRelu", new Params().put("alpha", slope), x);
    }

    private static Value clip(DarknetLayerCall layer, Value x, double least, double most) {
        return layer.add("Clip", new Params().put("min", least).put("max", most), x);
    }
}
