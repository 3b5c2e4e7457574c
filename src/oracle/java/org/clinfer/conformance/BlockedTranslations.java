package org.clinfer.conformance;

import java.util.Map;

/** Convolutions in blocked channels: brought into NCHW, computed there with all lanes of a block, and brought back. */
final class BlockedTranslations {

    private static final int LANES = BlockedReferences.LANES;
    private static final long[] NONE = {0, 0, 0, 0};

    private BlockedTranslations() {}

    static Map<String, Translation> all() {
        return Map.of(
                "BlockedConv", Translation.single(BlockedTranslations::convolution),
                "ConvToBlocks", Translation.single(BlockedTranslations::convolutionToBlocks));
    }

    private static String convolutionToBlocks(OracleCall call, OnnxGraph graph) {
        Call params = call.params();
        String sums = graph.step("Conv", call.input(0), call.input(1), call.input(2))
                .with("strides", params.ints("strides", 1, 1))
                .with("dilations", params.ints("dilations", 1, 1))
                .with("pads", params.ints("pads", NONE))
                .out();
        return blocksOf(call, graph, sums);
    }

    private static String convolution(OracleCall call, OnnxGraph graph) {
        Call params = call.params();
        long channels = call.dims(1)[1] * params.integer("groups", 1);
        String planes = planes(call, graph, 0, params.ints("crop", NONE));
        String x = graph.step("Slice", planes, graph.ints(0), graph.ints(channels), graph.ints(1))
                .out();
        String sums = graph.step("Conv", x, call.input(1), call.input(2))
                .with("strides", params.ints("strides", 1, 1))
                .with("dilations", params.ints("dilations", 1, 1))
                .with("group", params.integer("groups", 1))
                .out();
        return blocksOf(call, graph, sums);
    }

    /** What follows NCHW sums, as blocked channels. */
    private static String blocksOf(OracleCall call, OnnxGraph graph, String sums) {
        String filled = graph.step("Pad", sums, graph.ints(0, 0, 0, 0, 0, missing(call.dims(1)[0]), 0, 0))
                .out();
        return blocks(call, graph, finished(call, graph, filled), shape(call));
    }

    /** A blocked tensor of the case as NCHW with all lanes, without what is cropped. */
    static String planes(OracleCall call, OnnxGraph graph, int input, long[] crop) {
        long[] dims = call.dims(input);
        String lanesSecond = graph.step("Transpose", call.input(input))
                .with("perm", new long[] {0, 1, 4, 2, 3})
                .out();
        String planes = graph.step("Reshape", lanesSecond, graph.ints(dims[0], dims[1] * LANES, dims[2], dims[3]))
                .with("allowzero", 1)
                .out();
        String begins = graph.ints(crop[0], crop[1]);
        String ends = graph.ints(dims[2] - crop[2], dims[3] - crop[3]);
        return graph.step("Slice", planes, begins, ends, graph.ints(2, 3)).out();
    }

    /** How many lanes are beyond the last channel. */
    private static long missing(long channels) {
        return Math.floorMod(-channels, (long) LANES);
    }

    private static String finished(OracleCall call, OnnxGraph graph, String sums) {
        Call params = call.params();
        boolean isAfter = params.text("residual_add", "BEFORE").equals("AFTER");
        if (!params.hasInput(3)) {
            return activated(call, graph, sums);
        }
        String residual = planes(call, graph, 3, params.ints("residual_crop", NONE));
        return isAfter
                ? graph.step("Add", activated(call, graph, sums), residual).out()
                : activated(call, graph, graph.step("Add", sums, residual).out());
    }

    private static String activated(OracleCall call, OnnxGraph graph, String sums) {
        return call.params().hasInput(4)
                ? graph.step("PRelu", sums, slopes(call, graph)).out()
                : FusedTranslations.activated(call, graph, sums);
    }

    /** A slope for each lane, 0 beyond the last channel. */
    private static String slopes(OracleCall call, OnnxGraph graph) {
        long channels = call.dims(1)[0];
        String each = graph.step("Expand", call.input(4), graph.ints(channels)).out();
        String filled =
                graph.step("Pad", each, graph.ints(0, missing(channels))).out();
        return graph.step("Reshape", filled, graph.ints(-1, 1, 1)).out();
    }

    /** NCHW with all lanes as blocked channels of this shape, images, blocks, rows and columns with the margin of y. */
    static String blocks(OracleCall call, OnnxGraph graph, String planes, long[] shape) {
        long[] halo = call.params().ints("y_halo", NONE);
        String padded = graph.step("Pad", planes, graph.ints(0, 0, halo[0], halo[1], 0, 0, halo[2], halo[3]))
                .out();
        String lanes = graph.step("Reshape", padded, graph.ints(shape[0], shape[1], LANES, shape[2], shape[3]))
                .with("allowzero", 1)
                .out();
        return graph.step("Transpose", lanes)
                .with("perm", new long[] {0, 1, 3, 4, 2})
                .out();
    }

    /** Images, blocks, rows and columns of y. */
    private static long[] shape(OracleCall call) {
        Call params = call.params();
        long[] halo = params.ints("y_halo", NONE);
        long[] x = call.dims(0);
        long[] weights = call.dims(1);
        long[] crop = params.ints("crop", NONE);
        long[] pads = params.ints("pads", NONE);
        long[] strides = params.ints("strides", 1, 1);
        long[] dilations = params.ints("dilations", 1, 1);
        long[] shape = {x[0], (weights[0] + LANES - 1) / LANES, 0, 0};
        for (int axis = 0; axis < 2; axis++) {
            long extent = dilations[axis] * (weights[2 + axis] - 1) + 1;
            long reached = x[2 + axis] + pads[axis] + pads[2 + axis] - crop[axis] - crop[2 + axis] - extent;
            shape[2 + axis] = halo[axis] + reached / strides[axis] + 1 + halo[2 + axis];
        }
        return shape;
    }
}
