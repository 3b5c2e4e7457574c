package org.clinfer.conformance;

import static java.util.Map.entry;

import java.util.Map;

/** Pools and convolutions; see {@link TransposedReferences} for the transposed ones. */
final class WindowReferences {

    private WindowReferences() {}

    static Map<String, Reference> all() {
        return Map.ofEntries(
                entry("AvgPool", Reference.single(WindowReferences::averagePool)),
                entry("MaxPool", Reference.single(WindowReferences::maximumPool)),
                entry("Conv2d", Reference.single(call -> convolution(call, call.input(1), call.integer("group", 1)))),
                entry("DepthwiseConv2d", Reference.single(WindowReferences::depthwise)),
                entry("Convolution", Reference.single(WindowReferences::oneDnnConvolution)));
    }

    /** The mean of what counts; docs/semantics.md defines that of nothing as 0. */
    private static Array averagePool(Call call) {
        Array x = call.input(0);
        Window window = poolWindow(call, x);
        boolean pads =
                call.flag("count_include_pad", call.text("pad_mode", "PADDING").equals("PADDING"));
        return Array.of(window.outputDims(x.dim(0), x.dim(1)), out -> {
            double sum = 0;
            long counted = 0;
            for (long[] cell : window.cells(out)) {
                if (window.isInside(cell)) {
                    sum += x.at(Indices.join(out[0], out[1], cell));
                    counted++;
                } else if (pads && window.isPadding(cell)) {
                    counted++;
                }
            }
            return counted == 0 ? 0 : sum / counted;
        });
    }

    private static Array maximumPool(Call call) {
        Array x = call.input(0);
        Window window = poolWindow(call, x);
        return Array.of(window.outputDims(x.dim(0), x.dim(1)), out -> {
            double largest = Double.NEGATIVE_INFINITY;
            for (long[] cell : window.cells(out)) {
                if (window.isInside(cell)) {
                    largest = Math.max(largest, x.at(Indices.join(out[0], out[1], cell)));
                }
            }
            return largest;
        });
    }

    static Window poolWindow(Call call, Array x) {
        long[] size = Indices.from(x.dims(), 2);
        long[] kernel = call.flag("is_global", false) ? size : call.ints("kernel_size");
        Window window = Window.of(call, size, kernel);
        return call.text("ceil_mode", "FLOOR").equals("CEIL") ? window.withoutWindowsInEndPadding() : window;
    }

    private static Array convolution(Call call, Array weights, long groups) {
        Array x = call.input(0);
        Window window = Window.of(call, Indices.from(x.dims(), 2), Indices.from(weights.dims(), 2));
        return convolution(call, x, weights, groups, window);
    }

    /** {@code y[n, o, p] = bias[o] + sum of x[n, group of o, cells of p] * weights[o]}. */
    private static Array convolution(Call call, Array x, Array weights, long groups, Window window) {
        long channels = weights.dim(0);
        long groupIn = weights.dim(1);
        long plane = Array.elements(Indices.from(x.dims(), 2));
        return Array.of(window.outputDims(x.dim(0), channels), out -> {
            long group = out[1] / (channels / groups);
            double sum = call.hasInput(2) ? call.input(2).at(out[1]) : 0;
            long[][] cells = window.cells(out);
            for (int tap = 0; tap < cells.length; tap++) {
                if (!window.isInside(cells[tap])) {
                    continue;
                }
                long first = x.position(Indices.join(out[0], group * groupIn, cells[tap]));
                for (long c = 0; c < groupIn; c++) {
                    sum += x.flat(first + c * plane) * weights.flat((out[1] * groupIn + c) * cells.length + tap);
                }
            }
            return sum;
        });
    }

    private static Array depthwise(Call call) {
        return convolution(call, byChannel(call.input(1)), call.input(1).dim(1));
    }

    /** Weights [multiplier, channels, ...] as [out, 1, ...]: output channel {@code c * multiplier + q} is of channel c. */
    private static Array byChannel(Array weights) {
        long multiplier = weights.dim(0);
        long channels = weights.dim(1);
        long[] dims = Indices.join(channels * multiplier, 1, Indices.from(weights.dims(), 2));
        return Array.of(
                dims, at -> weights.at(Indices.join(at[0] % multiplier, at[0] / multiplier, Indices.from(at, 2))));
    }

    /** Of FusedConv, without what follows the sum; in the layout of y. */
    static Array fusedConvolution(Call call) {
        Array x = FusedReferences.isChannelsLast(call) ? channelsFirst(call.input(0)) : call.input(0);
        Array given = call.input(1);
        Array weights = switch (call.text("weights_format", "OIX")) {
            case "XIO" -> outFirst(given);
            case "MIX" -> byChannel(given);
            default -> given;
        };
        Window window = Window.ofFused(call, Indices.from(x.dims(), 2), Indices.from(weights.dims(), 2));
        Array y = convolution(call, x, weights, call.integer("groups", 1), window);
        return FusedReferences.isChannelsLast(call) ? Indices.moved(y, 1, y.rank() - 1) : y;
    }

    static Array channelsFirst(Array x) {
        return Indices.moved(x, x.rank() - 1, 1);
    }

    /** [spatial..., a, b] as [b, a, spatial...]. */
    static Array outFirst(Array weights) {
        return Indices.moved(Indices.moved(weights, weights.rank() - 1, 0), weights.rank() - 1, 1);
    }

    /** Brings tensors to NCX and weights to OIX, and the result back. */
    private static Array oneDnnConvolution(Call call) {
        boolean channelsLast = call.text("data_format", "NXC").equals("NXC");
        Array src = call.input(0);
        Array x = channelsLast ? channelsFirst(src) : src;
        Array given = call.input(1);
        Array weights = call.text("weights_format", "XIO").equals("XIO") ? outFirst(given) : given;
        Window window = Window.ofOneDnn(call, Indices.from(x.dims(), 2), Indices.from(weights.dims(), 2));
        Array dst = convolution(call, x, weights, call.integer("groups", 1), window);
        return channelsLast ? Indices.moved(dst, 1, dst.rank() - 1) : dst;
    }
}
