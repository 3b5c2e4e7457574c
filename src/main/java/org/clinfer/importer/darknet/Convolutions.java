package org.clinfer.importer.darknet;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.importer.Params;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Layers with weights: convolutions and fully connected ones. */
final class Convolutions {

    /** The number that is added to the deviation. */
    private static final double EPSILON = 1e-6;

    private Convolutions() {}

    static Blob convolution(Writer graph, Section layer, String name, Blob x) {
        layer.ignore("stopbackward", "batch", "height", "width", "channels");
        layer.requireOff("antialiasing", "flipped");
        long filters = layer.size("filters", 1, 1);
        long size = layer.size("size", 1, 1);
        long both = layer.size("stride", 1, 1);
        long strideY = layer.size("stride_y", both, 1);
        long strideX = layer.size("stride_x", both, 1);
        long dilation = layer.size("dilation", 1, 1);
        long padding = layer.flag("pad", false) ? size / 2 : layer.size("padding", 0, 0);
        layer.ignore("padding");
        long groups = layer.size("groups", 1, 1);
        if (x.channels() % groups != 0 || filters % groups != 0) {
            throw layer.wrong(
                    "groups", x.channels() + " channels and " + filters + " filters cannot be divided by " + groups);
        }
        layer.requireOff("binary", "xnor");
        boolean normalized = layer.flag("batch_normalize", false);
        Shape each = Shape.of(filters);
        String bias = graph.weight(name + "/bias", each, layer.source());
        Normalization normalization = normalized ? normalization(graph, layer, name, each) : null;
        String weights =
                graph.weight(name + "/weights", Shape.of(filters, x.channels() / groups, size, size), layer.source());
        long pads = padding * dilation;
        Params params = new Params()
                .put("strides", new long[] {strideY, strideX})
                .put("padding", new long[] {pads, pads, pads, pads})
                .put("dilation", new long[] {dilation, dilation})
                .put("group", groups);
        List<String> operands = new ArrayList<>(List.of(x.name(), weights));
        if (normalization == null) {
            operands.add(bias);
        }
        String y = graph.add(layer.source(), name, "Conv2d", operands, params);
        if (normalization != null) {
            y = normalization.apply(graph, layer, name, y, bias);
        }
        long effective = dilation * (size - 1) + 1;
        return new Blob(
                Activations.apply(graph, layer, name, y, "logistic"),
                filters,
                out(layer, x.height() + 2 * pads, effective, strideY),
                out(layer, x.width() + 2 * pads, effective, strideX));
    }

    private static long out(Section layer, long padded, long size, long stride) {
        if (padded < size) {
            throw layer.malformed("its window of " + size + " is larger than the padded input of " + padded);
        }
        return (padded - size) / stride + 1;
    }

    private record Normalization(String scale, String mean, String variance) {

        String apply(Writer graph, Section layer, String name, String x, String bias) {
            return graph.add(
                    layer.source(),
                    name,
                    "BatchNorm",
                    List.of(x, scale, bias, mean, variance),
                    new Params().put("epsilon", 0.0));
        }
    }

    /** The statistics; epsilon, which the deviation has in darknet, is made part of the variance. */
    private static Normalization normalization(Writer graph, Section layer, String name, Shape each) {
        String scale = graph.weight(name + "/scale", each, layer.source());
        String mean = graph.weight(name + "/mean", each, layer.source());
        if (!graph.hasWeights()) {
            return new Normalization(scale, mean, graph.weight(name + "/variance", each, layer.source()));
        }
        Tensor variance = graph.next(each, layer.source());
        for (long i = 0; i < variance.elements(); i++) {
            double deviation = Math.sqrt(Math.max(0, variance.getDouble(i))) + EPSILON;
            variance.setDouble(i, deviation * deviation);
        }
        return new Normalization(scale, mean, graph.constant(name + "/variance", variance));
    }

    static Blob connected(Writer graph, Section layer, String name, Blob x) {
        long outputs = layer.size("output", 1, 1);
        long inputs = x.channels() * x.height() * x.width();
        String bias = graph.weight(name + "/bias", Shape.of(outputs), layer.source());
        String weights = graph.weight(name + "/weights", Shape.of(outputs, inputs), layer.source());
        String rows = graph.add(layer.source(), name, "Flatten", List.of(x.name()), new Params().put("axis", 1L));
        List<String> operands = new ArrayList<>(List.of(rows, weights));
        boolean normalized = layer.flag("batch_normalize", false);
        if (!normalized) {
            operands.add(bias);
        }
        String y = graph.add(layer.source(), name, "Gemm", operands, new Params().put("transpose_b", true));
        if (normalized) {
            y = normalization(graph, layer, name, Shape.of(outputs)).apply(graph, layer, name, y, bias);
        }
        y = Activations.apply(graph, layer, name, y, "logistic");
        Params shape = new Params().put("shape", new long[] {0, outputs, 1, 1});
        return new Blob(graph.add(layer.source(), name, "Reshape", List.of(y), shape), outputs, 1, 1);
    }
}
