package org.clinfer.importer.darknet;

import java.util.List;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Tensor;

/** Layers with weights: convolutions and fully connected ones. */
final class Convolutions {

    /** The number that is added to the deviation. */
    private static final double EPSILON = 1e-6;

    private Convolutions() {}

    static void addTo(LayerTable<DarknetLayerCall> all) {
        all.one("convolutional", Convolutions::convolution);
        all.one("conv", Convolutions::convolution);
        all.one("connected", Convolutions::connected);
        all.one("conn", Convolutions::connected);
    }

    private static Value convolution(DarknetLayerCall layer) {
        Section options = layer.options();
        options.ignore("stopbackward", "batch", "height", "width", "channels");
        options.requireOff("antialiasing", "flipped");
        Value x = layer.input();
        long channels = DarknetLayerCall.channels(x);
        long filters = options.size("filters", 1, 1);
        long size = options.size("size", 1, 1);
        long both = options.size("stride", 1, 1);
        long strideY = options.size("stride_y", both, 1);
        long strideX = options.size("stride_x", both, 1);
        long dilation = options.size("dilation", 1, 1);
        long padding = options.flag("pad", false) ? size / 2 : options.size("padding", 0, 0);
        options.ignore("padding");
        long groups = options.size("groups", 1, 1);
        if (channels % groups != 0 || filters % groups != 0) {
            throw options.wrong(
                    "groups", channels + " channels and " + filters + " filters cannot be divided by " + groups);
        }
        options.requireOff("binary", "xnor");
        boolean normalized = options.flag("batch_normalize", false);
        Value bias = layer.weight("bias", filters);
        List<Value> statistics = normalized ? statistics(layer, filters) : List.of();
        Value weights = layer.weight("weights", filters, channels / groups, size, size);
        long pads = padding * dilation;
        long effective = dilation * (size - 1) + 1;
        long padded = Math.min(DarknetLayerCall.height(x), DarknetLayerCall.width(x)) + 2 * pads;
        if (padded < effective) {
            throw layer.malformed("its window of " + effective + " is larger than the padded input of " + padded);
        }
        Params params = new Params()
                .put("strides", new long[] {strideY, strideX})
                .put("padding", new long[] {pads, pads, pads, pads})
                .put("dilation", new long[] {dilation, dilation})
                .put("group", groups);
        Value y = normalized
                ? normalized(layer, layer.add("Conv2d", params, x, weights), bias, statistics)
                : layer.add("Conv2d", params, x, weights, bias);
        layer.main(y);
        return DarknetActivations.apply(layer, y, "logistic");
    }

    private static Value normalized(DarknetLayerCall layer, Value x, Value bias, List<Value> statistics) {
        Params params = new Params().put("epsilon", 0.0);
        return layer.add("BatchNorm", params, x, statistics.get(0), bias, statistics.get(1), statistics.get(2));
    }

    /** Scale, mean and variance; epsilon, which the deviation has in darknet, is made part of the variance. */
    private static List<Value> statistics(DarknetLayerCall layer, long count) {
        Value scale = layer.weight("scale", count);
        Value mean = layer.weight("mean", count);
        if (!layer.hasNumbers()) {
            return List.of(scale, mean, layer.weight("variance", count));
        }
        Tensor variance = layer.numbers(count);
        for (long i = 0; i < variance.elements(); i++) {
            double deviation = Math.sqrt(Math.max(0, variance.getDouble(i))) + EPSILON;
            variance.setDouble(i, deviation * deviation);
        }
        return List.of(scale, mean, layer.constant("variance", variance));
    }

    private static Value connected(DarknetLayerCall layer) {
        Value x = layer.input();
        long outputs = layer.options().size("output", 1, 1);
        Value bias = layer.weight("bias", outputs);
        Value weights = layer.weight("weights", outputs, DarknetLayerCall.elements(x));
        Value rows = layer.add("Flatten", new Params().put("axis", 1L), x);
        Params params = new Params().put("transpose_b", true);
        Value y = layer.options().flag("batch_normalize", false)
                ? normalized(layer, layer.add("Gemm", params, rows, weights), bias, statistics(layer, outputs))
                : layer.add("Gemm", params, rows, weights, bias);
        layer.main(y);
        return layer.reshaped(DarknetActivations.apply(layer, y, "logistic"), 0, outputs, 1, 1);
    }
}
