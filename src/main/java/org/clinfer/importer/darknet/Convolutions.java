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
        options.requireOff("binary", "xnor");
        Window window = Window.of(layer, x, 1);
        Filters filters = Filters.read(layer, "", window, options.size("filters", 1, 1), DarknetLayerCall.channels(x));
        Value y = filters.of(layer, x);
        layer.main(y);
        return DarknetActivations.apply(layer, y, "logistic");
    }

    /** The window of a convolution, with the parameters of the operator. */
    record Window(long size, long groups, Params params) {

        /** @param otherwise the side of a window whose layer has none */
        static Window of(DarknetLayerCall layer, Value x, long otherwise) {
            Section options = layer.options();
            long size = options.size("size", otherwise, 1);
            long both = options.size("stride", 1, 1);
            long strideY = options.size("stride_y", both, 1);
            long strideX = options.size("stride_x", both, 1);
            long dilation = options.size("dilation", 1, 1);
            long padding = options.flag("pad", false) ? size / 2 : options.size("padding", 0, 0);
            options.ignore("padding");
            long groups = options.size("groups", 1, 1);
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
            return new Window(size, groups, params);
        }
    }

    /** The numbers of a convolution. */
    record Filters(Window window, Value weights, Value bias, Optional<BatchStatistics> statistics) {

        /** @param prefix what stands in front of the names of the weights */
        static Filters read(DarknetLayerCall layer, String prefix, Window window, long filters, long channels) {
            if (channels % window.groups != 0 || filters % window.groups != 0) {
                throw layer.options()
                        .wrong(
                                "groups",
                                channels + " channels and " + filters + " filters cannot be divided by "
                                        + window.groups);
            }
            Value bias = layer.weight(prefix + "bias", filters);
            Optional<BatchStatistics> statistics = layer.options().flag("batch_normalize", false)
                    ? Optional.of(BatchStatistics.read(layer, prefix, filters))
                    : Optional.empty();
            Value weights =
                    layer.weight(prefix + "weights", filters, channels / window.groups, window.size, window.size);
            return new Filters(window, weights, bias, statistics);
        }

        Value of(DarknetLayerCall layer, Value x) {
            return statistics
                    .map(of -> normalized(layer, layer.add("Conv2d", window.params, x, weights), bias, of))
                    .orElseGet(() -> layer.add("Conv2d", window.params, x, weights, bias));
        }
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
