package org.clinfer.importer.darknet;

import java.util.List;
import org.clinfer.errors.Printable;
import org.clinfer.importer.Params;
import org.clinfer.tensor.Tensor;

/** Functions of each element, by darknet's names. */
final class Activations {

    private static final double LEAKY_SLOPE = 0.1;
    private static final double RELIE_SLOPE = 0.01;

    private Activations() {}

    /** The result of the layer's option {@code activation} for a value. */
    static String apply(Writer graph, Section layer, String name, String x, String otherwise) {
        String function = layer.text("activation").orElse(otherwise);
        return switch (function) {
            case "linear", "" -> x;
            case "leaky" -> leaky(graph, layer, name, x, LEAKY_SLOPE);
            case "relie" -> leaky(graph, layer, name, x, RELIE_SLOPE);
            case "relu" -> plain(graph, layer, name, x, "Relu");
            case "relu6" -> plain(graph, layer, name, x, "Relu6");
            case "logistic" -> plain(graph, layer, name, x, "Sigmoid");
            case "tanh" -> plain(graph, layer, name, x, "Tanh");
            case "swish" -> plain(graph, layer, name, x, "Swish");
            case "elu" -> plain(graph, layer, name, x, "Elu");
            case "selu" -> plain(graph, layer, name, x, "Selu");
            case "mish" -> {
                String soft = plain(graph, layer, name, x, "Softplus");
                String curve = plain(graph, layer, name, soft, "Tanh");
                yield graph.add(layer.source(), name, "Mul", List.of(x, curve), new Params());
            }
            case "hard_mish" -> {
                // 0 up to -2, a parabola up to 0, then x itself
                Params bounds = new Params().put("min", -2.0).put("max", 0.0);
                String below = graph.add(layer.source(), name, "Clip", List.of(x), bounds);
                String half = graph.constant(name + "/half", Tensor.scalar(0.5f));
                String part = graph.add(layer.source(), name, "Mul", List.of(below, half), new Params());
                String square = graph.add(layer.source(), name, "Mul", List.of(part, below), new Params());
                String curve = graph.add(layer.source(), name, "Add", List.of(square, below), new Params());
                String above = plain(graph, layer, name, x, "Relu");
                yield graph.add(layer.source(), name, "Add", List.of(above, curve), new Params());
            }
            case "hardtan" -> {
                Params bounds = new Params().put("min", -1.0).put("max", 1.0);
                yield graph.add(layer.source(), name, "Clip", List.of(x), bounds);
            }
            case "loggy" -> {
                String half = plain(graph, layer, name, x, "Sigmoid");
                String two = graph.constant(name + "/two", Tensor.scalar(2f));
                String one = graph.constant(name + "/one", Tensor.scalar(1f));
                String twice = graph.add(layer.source(), name, "Mul", List.of(half, two), new Params());
                yield graph.add(layer.source(), name, "Sub", List.of(twice, one), new Params());
            }
            case "ramp" -> {
                String slope = graph.constant(name + "/slope", Tensor.scalar((float) LEAKY_SLOPE));
                String part = graph.add(layer.source(), name, "Mul", List.of(x, slope), new Params());
                String above = plain(graph, layer, name, x, "Relu");
                yield graph.add(layer.source(), name, "Add", List.of(above, part), new Params());
            }
            default -> throw layer.unsupportedUse("activation '" + Printable.shortened(function) + "'");
        };
    }

    private static String plain(Writer graph, Section layer, String name, String x, String op) {
        return graph.add(layer.source(), name, op, List.of(x), new Params());
    }

    private static String leaky(Writer graph, Section layer, String name, String x, double slope) {
        return graph.add(layer.source(), name, "LeakyRelu", List.of(x), new Params().put("alpha", slope));
    }
}
