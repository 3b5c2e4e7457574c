package org.clinfer.conformance;

import java.util.Map;
import java.util.stream.LongStream;
import org.clinfer.conformance.Inexpressible.Reason;

/** Convolutions with what follows them: Conv or ConvTranspose in NCX, Add, an activation; transposed where needed. */
final class FusedTranslations {

    private FusedTranslations() {}

    static Map<String, Translation> all() {
        return Map.of(
                "FusedConv", Translation.single(FusedTranslations::forward),
                "FusedConvTranspose", Translation.single(FusedTranslations::backward));
    }

    private static String forward(OracleCall call, OnnxGraph graph) {
        WindowGeometry window = geometry(call);
        long[] zeros = new long[window.in.length];
        long[] pads = LongStream.concat(
                        LongStream.of(call.params().ints("pads_begin", zeros)),
                        LongStream.of(call.params().ints("pads_end", zeros)))
                .toArray();
        return finished(call, graph, convolution("Conv", call, graph, window).with("pads", pads));
    }

    private static String backward(OracleCall call, OnnxGraph graph) {
        WindowGeometry window = geometry(call);
        int axes = window.in.length;
        long[] begin = call.params().ints("pads_begin", new long[axes]);
        long[] size = call.params().ints("out_size");
        long[] pads = new long[2 * axes];
        long[] extra = new long[axes];
        for (int axis = 0; axis < axes; axis++) {
            long end = (window.in[axis] - 1) * window.strides[axis] + window.extent(axis) - begin[axis] - size[axis];
            pads[axis] = begin[axis];
            pads[axes + axis] = Math.max(end, 0);
            extra[axis] = Math.max(-end, 0);
            if (extra[axis] >= window.strides[axis]) {
                throw new Inexpressible(Reason.OUTPUT_PADDING_OF_STRIDE);
            }
        }
        OnnxGraph.Step step = convolution("ConvTranspose", call, graph, window);
        return finished(call, graph, step.with("pads", pads).with("output_padding", extra));
    }

    private static OnnxGraph.Step convolution(String op, OracleCall call, OnnxGraph graph, WindowGeometry window) {
        return graph.step(op, channelsFirst(call, graph, 0), weights(call, graph), call.input(2))
                .with("strides", window.strides)
                .with("dilations", window.dilations)
                .with("group", call.params().integer("groups", 1));
    }

    private static int axes(OracleCall call) {
        return call.dims(0).length - 2;
    }

    private static boolean isChannelsLast(OracleCall call) {
        return call.params().text("data_format", "NCX").equals("NXC");
    }

    /** Whether weights are [spatial ..., a, b], standing for [b, a, spatial ...]. */
    private static boolean isSpatialFirst(OracleCall call) {
        return call.params().text("weights_format", "").startsWith("X");
    }

    private static WindowGeometry geometry(OracleCall call) {
        long[] ones = WindowGeometry.filled(axes(call), 1);
        return new WindowGeometry(
                spatial(call, 0, isChannelsLast(call) ? 1 : 2),
                spatial(call, 1, isSpatialFirst(call) ? 0 : 2),
                call.params().ints("strides", ones),
                call.params().ints("dilations", ones));
    }

    private static long[] spatial(OracleCall call, int input, int first) {
        return LongStream.of(call.dims(input)).skip(first).limit(axes(call)).toArray();
    }

    /** A tensor of the case as NCX; empty if it is left out. */
    private static String channelsFirst(OracleCall call, OnnxGraph graph, int input) {
        if (!isChannelsLast(call) || !call.params().hasInput(input)) {
            return call.input(input);
        }
        long[] perm = WindowTranslations.channelsSecond(axes(call));
        return graph.step("Transpose", call.input(input)).with("perm", perm).out();
    }

    private static String weights(OracleCall call, OnnxGraph graph) {
        int axes = axes(call);
        if (isSpatialFirst(call)) {
            long[] perm = LongStream.concat(LongStream.of(axes + 1, axes), LongStream.range(0, axes))
                    .toArray();
            return graph.step("Transpose", call.input(1)).with("perm", perm).out();
        }
        if (!call.params().text("weights_format", "").equals("MIX")) {
            return call.input(1);
        }
        long[] perm = LongStream.concat(LongStream.of(1, 0), LongStream.range(2, axes + 2))
                .toArray();
        String channelsFirst =
                graph.step("Transpose", call.input(1)).with("perm", perm).out();
        long[] dims = LongStream.concat(LongStream.of(-1, 1), LongStream.of(spatial(call, 1, 2)))
                .toArray();
        return graph.step("Reshape", channelsFirst, graph.ints(dims)).out();
    }

    /** Residual and activation, then the layout of y. */
    private static String finished(OracleCall call, OnnxGraph graph, OnnxGraph.Step convolution) {
        String residual = channelsFirst(call, graph, 3);
        boolean isAfter = call.params().text("residual_add", "BEFORE").equals("AFTER");
        String sum = isAfter ? convolution.out() : added(graph, convolution.out(), residual);
        String activated = activated(call, graph, sum);
        String y = isAfter ? added(graph, activated, residual) : activated;
        return isChannelsLast(call)
                ? graph.step("Transpose", y)
                        .with("perm", WindowTranslations.channelsBehind(axes(call)))
                        .out()
                : y;
    }

    private static String added(OnnxGraph graph, String sum, String residual) {
        return residual.isEmpty() ? sum : graph.step("Add", sum, residual).out();
    }

    static String activated(OracleCall call, OnnxGraph graph, String sum) {
        Call params = call.params();
        return switch (params.text("activation", "NONE")) {
            case "NONE" -> sum;
            case "RELU" -> graph.step("Relu", sum).out();
            case "RELU6" -> clipped(call, graph, sum, 0, 6);
            case "LEAKY_RELU" ->
                graph.step("LeakyRelu", sum).withReals(params, "alpha").out();
            case "PRELU" -> {
                long[] dims = WindowGeometry.filled(axes(call) + 1, 1);
                dims[0] = -1;
                String slope =
                        graph.step("Reshape", call.input(4), graph.ints(dims)).out();
                yield graph.step("PRelu", sum, slope).out();
            }
            case "CLIP" -> clipped(call, graph, sum, params.real("alpha", 0), params.real("beta", 0));
            case "SIGMOID" -> graph.step("Sigmoid", sum).out();
            case "HARD_SWISH" -> graph.step("HardSwish", sum).out();
            case "SWISH" ->
                graph.step("Mul", sum, graph.step("Sigmoid", sum).out()).out();
            case "TANH" -> graph.step("Tanh", sum).out();
            case "GELU" -> graph.step("Gelu", sum).out();
            default -> throw new IllegalArgumentException(params.text("activation", ""));
        };
    }

    private static String clipped(OracleCall call, OnnxGraph graph, String sum, double low, double high) {
        return graph.step("Clip", sum, graph.scalar(call.type(0), low), graph.scalar(call.type(0), high))
                .out();
    }
}
