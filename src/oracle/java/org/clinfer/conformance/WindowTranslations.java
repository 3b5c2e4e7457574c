package org.clinfer.conformance;

import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.clinfer.conformance.Inexpressible.Reason;

/** Convolutions and pools; the padding is always written out. */
final class WindowTranslations {

    private WindowTranslations() {}

    static Map<String, Translation> all() {
        return Map.of(
                "MaxPoolIndices", Translation.single(WindowTranslations::maxPoolIndices),
                "Conv2d", Translation.single(WindowTranslations::conv2d),
                "DepthwiseConv2d", Translation.single(WindowTranslations::depthwise),
                "Convolution", Translation.single(WindowTranslations::convolution),
                "AvgPool", Translation.single(WindowTranslations::averagePool),
                "MaxPool", Translation.single(WindowTranslations::maxPool),
                "RoiPool", Translation.single(WindowTranslations::roiPool));
    }

    private static WindowGeometry geometry(Call call, long[] in, long[] kernel) {
        return new WindowGeometry(
                in,
                kernel,
                call.ints("strides", WindowGeometry.filled(in.length, 1)),
                call.ints("dilation", WindowGeometry.filled(in.length, 1)));
    }

    private static long[] pads(Call call, WindowGeometry window) {
        long[] pairs = call.ints("padding", WindowGeometry.filled(2 * window.in.length, 0));
        return window.pads(call.text("pad_mode", "PADDING"), MovementTranslations.beginsThenEnds(pairs));
    }

    private static boolean ceil(Call call) {
        return call.text("ceil_mode", "FLOOR").equals("CEIL");
    }

    private static OnnxGraph.Step conv(OnnxGraph graph, WindowGeometry window, long[] pads, String... inputs) {
        return graph.step("Conv", inputs)
                .with("strides", window.strides)
                .with("dilations", window.dilations)
                .with("pads", pads);
    }

    /** SAME has its size by itself. */
    private static long[] convPads(Call call, WindowGeometry window) {
        long[] pads = pads(call, window);
        boolean isSame = call.text("pad_mode", "PADDING").startsWith("SAME");
        return ceil(call) && !isSame ? window.padsForEveryWindow(pads) : pads;
    }

    private static String conv2d(OracleCall call, OnnxGraph graph) {
        Call params = call.params();
        WindowGeometry window =
                geometry(params, WindowGeometry.spatial(call.dims(0)), WindowGeometry.spatial(call.dims(1)));
        return conv(graph, window, convPads(params, window), call.inputs())
                .with("group", params.integer("group", 1))
                .out();
    }

    /** Weights [multiplier, channels, ...] become [channels * multiplier, 1, ...], the multiplier being the fast part. */
    private static String depthwise(OracleCall call, OnnxGraph graph) {
        Call params = call.params();
        long[] kernel = WindowGeometry.spatial(call.dims(1));
        long channels = call.dims(0)[1];
        WindowGeometry window = geometry(params, WindowGeometry.spatial(call.dims(0)), kernel);
        String channelsFirst = graph.step("Transpose", call.input(1))
                .with("perm", new long[] {1, 0, 2, 3})
                .out();
        String grouped = graph.step("Reshape", channelsFirst, graph.ints(-1, 1, kernel[0], kernel[1]))
                .out();
        return conv(graph, window, convPads(params, window), call.input(0), grouped, call.input(2))
                .with("group", channels)
                .out();
    }

    private static String convolution(OracleCall call, OnnxGraph graph) {
        Call params = call.params();
        int axes = call.dims(0).length - 2;
        boolean channelsLast = params.text("data_format", "NXC").equals("NXC");
        boolean outputsLast = params.text("weights_format", "XIO").equals("XIO");
        int first = channelsLast ? 1 : 2;
        int firstOfKernel = outputsLast ? 0 : 2;
        WindowGeometry window = new WindowGeometry(
                LongStream.of(call.dims(0)).skip(first).limit(axes).toArray(),
                LongStream.of(call.dims(1)).skip(firstOfKernel).limit(axes).toArray(),
                params.ints("strides"),
                params.ints("dilations"));
        long[] given = LongStream.concat(
                        LongStream.of(params.ints("pads_begin")), LongStream.of(params.ints("pads_end")))
                .toArray();
        String x = call.input(0);
        String weights = call.input(1);
        if (channelsLast) {
            x = graph.step("Transpose", x).with("perm", channelsSecond(axes)).out();
        }
        if (outputsLast) {
            // [spatial ..., in, out] to [out, in, spatial ...]
            long[] perm = LongStream.concat(LongStream.of(axes + 1, axes), LongStream.range(0, axes))
                    .toArray();
            weights = graph.step("Transpose", weights).with("perm", perm).out();
        }
        String y = conv(graph, window, window.pads(mode(params), given), x, weights, call.input(2))
                .with("group", params.integer("groups", 1))
                .out();
        return channelsLast
                ? graph.step("Transpose", y).with("perm", channelsBehind(axes)).out()
                : y;
    }

    private static String mode(Call call) {
        return switch (call.text("auto_pad", "none")) {
            case "same_upper" -> "SAME";
            case "none" -> "PADDING";
            default -> call.text("auto_pad", "").toUpperCase(Locale.ROOT);
        };
    }

    /** To NCX. */
    static long[] channelsSecond(int axes) {
        return LongStream.concat(LongStream.of(0, axes + 1), LongStream.rangeClosed(1, axes))
                .toArray();
    }

    /** To NXC. */
    static long[] channelsBehind(int axes) {
        return LongStream.concat(
                        LongStream.of(0), LongStream.concat(LongStream.rangeClosed(2, axes + 1), LongStream.of(1)))
                .toArray();
    }

    private static String averagePool(OracleCall call, OnnxGraph graph) {
        Call params = call.params();
        if (params.flag("is_global", false)) {
            return graph.step("GlobalAveragePool", call.input(0)).out();
        }
        boolean counts = params.flag(
                "count_include_pad", params.text("pad_mode", "PADDING").equals("PADDING"));
        return pool("AveragePool", call, graph)
                .with("count_include_pad", counts)
                .out();
    }

    private static String roiPool(OracleCall call, OnnxGraph graph) {
        return graph.step("MaxRoiPool", call.inputs())
                .with("pooled_shape", call.params().ints("pooled_size"))
                .with("spatial_scale", (float) call.params().real("spatial_scale", 1))
                .out();
    }

    private static String maxPool(OracleCall call, OnnxGraph graph) {
        return call.params().flag("is_global", false)
                ? graph.step("GlobalMaxPool", call.input(0)).out()
                : pool("MaxPool", call, graph).out();
    }

    /** Which of equal elements counts, and what a window of padding alone gives, ONNX leaves open. */
    private static String maxPoolIndices(OracleCall call, OnnxGraph graph) {
        if (call.params().flag("is_global", false)) {
            throw new Inexpressible(Reason.VALUE_REFUSED);
        }
        return pool("MaxPool", call, graph)
                .with("storage_order", call.params().integer("storage_order", 0))
                .out(2)
                .get(1);
    }

    private static OnnxGraph.Step pool(String op, OracleCall call, OnnxGraph graph) {
        Call params = call.params();
        WindowGeometry window = geometry(params, WindowGeometry.spatial(call.dims(0)), params.ints("kernel_size"));
        long[] pads = pads(params, window);
        if (IntStream.range(0, pads.length).anyMatch(i -> pads[i] >= window.kernel[i % window.in.length])) {
            throw new Inexpressible(Reason.PADDING_OF_WINDOW_SIZE);
        }
        return graph.step(op, call.input(0))
                .with("kernel_shape", window.kernel)
                .with("strides", window.strides)
                .with("dilations", window.dilations)
                .with("pads", pads)
                .with("ceil_mode", ceil(params));
    }
}
