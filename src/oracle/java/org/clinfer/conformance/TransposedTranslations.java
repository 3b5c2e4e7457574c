package org.clinfer.conformance;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.clinfer.conformance.Inexpressible.Reason;

/** Transposed convolutions. */
final class TransposedTranslations {

    private TransposedTranslations() {}

    static Map<String, Translation> all() {
        Translation transposed = Translation.single(TransposedTranslations::transposed);
        return Map.of(
                "Conv2dTranspose",
                transposed,
                "ConvTranspose",
                transposed,
                "Deconvolution",
                Translation.single(TransposedTranslations::deconvolution));
    }

    private static String deconvolution(OracleCall call, OnnxGraph graph) {
        Call params = call.params();
        long[] pads = pair(params, "pad", "pad_h", "pad_w", 0);
        return graph.step("ConvTranspose", call.inputs())
                .with("strides", pair(params, "stride", "stride_h", "stride_w", 1))
                .with("pads", new long[] {pads[0], pads[1], pads[0], pads[1]})
                .with("dilations", pair(params, "dilation", "", "", 1))
                .with("group", params.integer("group", 1))
                .out();
    }

    /** A list of up to two elements, or the fields that stand for it. */
    private static long[] pair(Call params, String list, String height, String width, long otherwise) {
        long[] given = params.ints(list);
        return given.length == 0
                ? new long[] {params.integer(height, otherwise), params.integer(width, otherwise)}
                : new long[] {given[0], given[given.length - 1]};
    }

    /** ONNX has the channels second and weights as IOX. */
    private static String transposed(OracleCall call, OnnxGraph graph) {
        Call params = call.params();
        int axes = call.dims(0).length - 2;
        boolean channelsLast = params.text("data_format", "NCX").equals("NXC");
        boolean inputsLast = params.text("weights_format", "IOX").equals("XOI");
        String x = call.input(0);
        if (channelsLast) {
            x = graph.step("Transpose", x)
                    .with("perm", WindowTranslations.channelsSecond(axes))
                    .out();
        }
        String weights = call.input(1);
        if (inputsLast) {
            long[] perm = LongStream.concat(LongStream.of(axes + 1, axes), LongStream.range(0, axes))
                    .toArray();
            weights = graph.step("Transpose", weights).with("perm", perm).out();
        }
        String y = channelsSecond(call, graph, List.of(x, weights, call.input(2)));
        return channelsLast
                ? graph.step("Transpose", y)
                        .with("perm", WindowTranslations.channelsBehind(axes))
                        .out()
                : y;
    }

    /** The spatial sizes of a shape with the channels second, or last. */
    private static long[] spatial(long[] shape, boolean channelsLast, int axes) {
        return LongStream.of(shape).skip(channelsLast ? 1 : 2).limit(axes).toArray();
    }

    private static String channelsSecond(OracleCall call, OnnxGraph graph, List<String> inputs) {
        Call params = call.params();
        boolean channelsLast = params.text("data_format", "NCX").equals("NXC");
        boolean inputsLast = params.text("weights_format", "IOX").equals("XOI");
        int axes = call.dims(0).length - 2;
        long[] in = spatial(call.dims(0), channelsLast, axes);
        WindowGeometry window = new WindowGeometry(
                in,
                LongStream.of(call.dims(1)).skip(inputsLast ? 0 : 2).limit(axes).toArray(),
                params.ints("strides", WindowGeometry.filled(in.length, 1)),
                params.ints("dilation", WindowGeometry.filled(in.length, 1)));
        OnnxGraph.Step step = graph.step("ConvTranspose", inputs.toArray(new String[0]))
                .with("strides", window.strides)
                .with("dilations", window.dilations)
                .with("group", params.integer("group", 1));
        String mode = params.text("pad_mode", "PADDING");
        boolean found = mode.equals("PADDING") && params.has("output_shape") && !params.has("padding");
        if (found) {
            // ONNX finds the padding by the same rule.
            return step.with("output_padding", params.ints("output_padding", new long[in.length]))
                    .with("output_shape", spatial(params.ints("output_shape"), channelsLast, axes))
                    .out();
        }
        long[] pads = new long[2 * in.length];
        long[] extra = new long[in.length];
        cut(params, window, pads, extra);
        if (IntStream.range(0, extra.length).anyMatch(axis -> extra[axis] >= window.strides[axis])) {
            throw new Inexpressible(Reason.OUTPUT_PADDING_OF_STRIDE);
        }
        return step.with("pads", pads).with("output_padding", extra).out();
    }

    /**
     * What is cut from the full result, and what is added at its end. SAME is TensorFlow's: the padding that the
     * convolution from the output to the input has.
     */
    private static void cut(Call params, WindowGeometry window, long[] pads, long[] extra) {
        int axes = window.in.length;
        String mode = params.text("pad_mode", "PADDING");
        long[] padding = params.ints("padding", new long[2 * axes]);
        boolean channelsLast = params.text("data_format", "NCX").equals("NXC");
        long[] output =
                params.has("output_shape") ? spatial(params.ints("output_shape"), channelsLast, axes) : new long[0];
        long[] outputPadding = params.ints("output_padding", new long[axes]);
        for (int axis = 0; axis < axes; axis++) {
            long full = (window.in[axis] - 1) * window.strides[axis] + window.extent(axis) + outputPadding[axis];
            long begin = 0;
            long size;
            if (mode.startsWith("SAME")) {
                size = output.length > 0 ? output[axis] : window.in[axis] * window.strides[axis];
                long total = Math.max(full - size, 0);
                begin = mode.equals("SAME") ? total >> 1 : total - (total >> 1);
            } else {
                boolean padded = mode.equals("PADDING");
                begin = padded ? padding[2 * axis] : 0;
                size = output.length > 0 ? output[axis] : full - begin - (padded ? padding[2 * axis + 1] : 0);
            }
            long end = full - begin - size;
            pads[axis] = begin;
            extra[axis] = outputPadding[axis] + Math.max(-end, 0);
            pads[axes + axis] = Math.max(end, 0);
        }
    }
}
