package org.clinfer.conformance;

import java.util.Map;
import java.util.stream.LongStream;
import org.clinfer.tensor.DType;

/**
 * Binary convolution as a real one: equal bits are counted by Conv over two masks, of elements that are 1 and of those
 * that are 0, with the weights and with what the weights are not.
 */
final class BinaryTranslations {

    private static final DType TYPE = DType.FLOAT32;

    private static final long LARGEST_STRIDE = 1 << 20;

    private BinaryTranslations() {}

    static Map<String, Translation> all() {
        return Map.of("BinaryConvolution", Translation.single(BinaryTranslations::convolution));
    }

    private static String convolution(OracleCall call, OnnxGraph graph) {
        Call params = call.params();
        Array weights = params.input(1);
        if (weights.dim(0) == 0
                || weights.dim(1) == 0
                || LongStream.of(params.ints("strides")).anyMatch(stride -> stride > LARGEST_STRIDE)) {
            throw new Inexpressible(Inexpressible.Reason.ENDLESS_CONVOLUTION);
        }
        long[] kernel = WindowGeometry.spatial(weights.dims());
        WindowGeometry window = new WindowGeometry(
                WindowGeometry.spatial(call.dims(0)), kernel, params.ints("strides"), params.ints("dilations"));
        long[] given = LongStream.concat(
                        LongStream.of(params.ints("pads_begin")), LongStream.of(params.ints("pads_end")))
                .toArray();
        long[] pads = window.pads(mode(params), given);
        boolean plugIn = params.text("pad_semantics", "REFERENCE").equals("EXCLUDE_PAD");
        double value = params.real("pad_value", 0);
        double padding = plugIn ? (value + 1) / 2 : value;

        Padded ones = mask(call, graph, pads, 1, padding == 1);
        Padded zeros = mask(call, graph, pads, 0, padding == 0);
        String equal = graph.step(
                        "Add",
                        conv(graph, window, ones, weights),
                        conv(graph, window, zeros, Array.of(weights.dims(), at -> 1 - weights.at(at))))
                .out();
        String twice = graph.step("Add", equal, equal).out();
        boolean excluded = plugIn && value == 0;
        return graph.step("Sub", twice, excluded ? inside(call, graph, window, pads) : all(graph, weights))
                .out();
    }

    private static String mode(Call params) {
        return switch (params.text("auto_pad", "explicit")) {
            case "explicit" -> "PADDING";
            case "same_upper" -> "SAME";
            case "same_lower" -> "SAME_LOWER";
            default -> "VALID";
        };
    }

    /** A tensor, and the zeros that are still to be put around it. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Padded(String name, long[] zeros) {}

    /** 1 where x is {@code element}, and in the padding where that is. */
    private static Padded mask(OracleCall call, OnnxGraph graph, long[] pads, double element, boolean padding) {
        String isElement =
                graph.step("Equal", call.input(0), graph.scalar(TYPE, element)).out();
        String mask =
                graph.step("Cast", isElement).with("to", OnnxGraph.number(TYPE)).out();
        if (!padding) {
            return new Padded(mask, pads);
        }
        String all = graph.ints(0, 0, pads[0], pads[1], 0, 0, pads[2], pads[3]);
        return new Padded(graph.step("Pad", mask, all, graph.scalar(TYPE, 1)).out(), new long[pads.length]);
    }

    private static String conv(OnnxGraph graph, WindowGeometry window, Padded x, Array weights) {
        return graph.step("Conv", x.name, graph.constant(weights, TYPE))
                .with("strides", window.strides)
                .with("dilations", window.dilations)
                .with("pads", x.zeros)
                .out();
    }

    /** How many elements a window has. */
    private static String all(OnnxGraph graph, Array weights) {
        return graph.scalar(TYPE, (double) weights.dim(1) * weights.dim(2) * weights.dim(3));
    }

    /** How many elements of each window are not padding. */
    private static String inside(OracleCall call, OnnxGraph graph, WindowGeometry window, long[] pads) {
        Array ones = Array.of(call.dims(0), at -> 1);
        long[] kernel = {1, call.dims(0)[1], window.kernel[0], window.kernel[1]};
        return conv(graph, window, new Padded(graph.constant(ones, TYPE), pads), Array.of(kernel, at -> 1));
    }
}
