package org.clinfer.importer.onnx.export;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Conv2d, Convolution and DepthwiseConv2d. */
final class ConvolutionWriters {

    private ConvolutionWriters() {}

    static Map<String, NodeWriter> all() {
        return Map.of(
                "Conv2d", ConvolutionWriters::conv2d,
                "Convolution", ConvolutionWriters::convolution,
                "DepthwiseConv2d", ConvolutionWriters::depthwise);
    }

    private static AttributeWriter window(Use use) {
        use.requireFloats();
        use.ignore("bias_term", "kernel_size"); // both follow from the inputs
        String ceil = use.text("ceil_mode", "FLOOR");
        boolean whole =
                use.integers("strides").stream().flatMapToLong(Arrays::stream).allMatch(stride -> stride == 1);
        if (!ceil.equals("FLOOR") && !whole) {
            throw use.refused("ceil_mode " + ceil);
        }
        AttributeWriter attributes = new AttributeWriter();
        WindowWriter.put(use, attributes);
        return attributes;
    }

    private static void conv2d(Use use, ModelWriter model) {
        AttributeWriter attributes = window(use).put("group", use.integer("group", 1));
        model.add(use, "Conv", List.of(use.input(0), use.input(1), use.input(2)), attributes);
    }

    private static void convolution(Use use, ModelWriter model) {
        use.requireFloats();
        AttributeWriter attributes = new AttributeWriter().put("group", use.integer("groups", 1));
        WindowWriter.putOneDnn(use, attributes);
        boolean last = use.text("data_format", "NXC").equals("NXC");
        String weights = use.input(1);
        if (use.text("weights_format", "XIO").equals("XIO")) {
            int rank = use.rank(1);
            int[] perm = IntStream.range(0, rank)
                    .map(axis -> axis < 2 ? rank - 1 - axis : axis - 2)
                    .toArray();
            weights = model.permuted(use, weights, perm);
        }
        if (!last) {
            model.add(use, "Conv", List.of(use.input(0), weights, use.input(2)), attributes);
            return;
        }
        int rank = use.rank(1);
        String x = ChannelsLast.toSecond(use, model, use.input(0), rank);
        String y = model.step(use, "Conv", List.of(x, weights, use.input(2)), attributes);
        ChannelsLast.addFromSecond(use, model, y, rank);
    }

    /** Each channel is a group with its outputs side by side: channels are the slow part of the first axis. */
    private static void depthwise(Use use, ModelWriter model) {
        use.ignore("group");
        long multiplier = use.size(1, 0);
        long channels = use.size(1, 1);
        AttributeWriter attributes = window(use).put("group", channels);
        String byChannel = multiplier == 1 ? use.input(1) : model.permuted(use, use.input(1), 1, 0, 2, 3);
        String weights = model.reshaped(use, byChannel, channels * multiplier, 1, use.size(1, 2), use.size(1, 3));
        model.add(use, "Conv", List.of(use.input(0), weights, use.input(2)), attributes);
    }
}
