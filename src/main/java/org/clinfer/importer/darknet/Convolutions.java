package org.clinfer.importer.darknet;

import java.util.Optional;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;

/** Layers with weights: convolutions and fully connected ones. */
final class Convolutions {

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
        Optional<BatchStatistics> statistics =
                normalized ? Optional.of(BatchStatistics.read(layer, "", filters)) : Optional.empty();
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
        Value y = statistics
                .map(of -> normalized(layer, layer.add("Conv2d", params, x, weights), bias, of))
                .orElseGet(() -> layer.add("Conv2d", params, x, weights, bias));
        layer.main(y);
        return DarknetActivations.apply(layer, y, "logistic");
    }

    private static Value normalized(DarknetLayerCall layer, Value x, Value bias, BatchStatistics statistics) {
        Params params = new Params().put("epsilon", 0.0);
        return layer.add("BatchNorm", params, x, statistics.scale(), bias, statistics.mean(), statistics.variance());
    }

    private static Value connected(DarknetLayerCall layer) {
        Value x = layer.input();
        long outputs = layer.options().size("output", 1, 1);
        Value bias = layer.weight("bias", outputs);
        Value weights = layer.weight("weights", outputs, DarknetLayerCall.elements(x));
        Value rows = layer.add("Flatten", new Params().put("axis", 1L), x);
        Params params = new Params().put("transpose_b", true);
        Value y = layer.options().flag("batch_normalize", false)
                ? normalized(
                        layer, layer.add("Gemm", params, rows, weights), bias, BatchStatistics.read(layer, "", outputs))
                : layer.add("Gemm", params, rows, weights, bias);
        layer.main(y);
        return layer.reshaped(DarknetActivations.apply(layer, y, "logistic"), 0, outputs, 1, 1);
    }
}
