package org.clinfer.conformance;

import java.util.Map;

/** Convolutions in blocked channels with what follows them: inputs x, weights, bias, residual, slope. */
final class BlockedReferences {

    static final int LANES = 16;

    private static final long[] NONE = {0, 0, 0, 0};

    private BlockedReferences() {}

    static Map<String, Reference> all() {
        return Map.of(
                "BlockedConv", Reference.single(BlockedReferences::convolution),
                "ConvToBlocks", Reference.single(BlockedReferences::convolutionToBlocks));
    }

    private static Array convolution(Call call) {
        Array x = call.input(0);
        long[] crop = call.ints("crop", NONE);
        long columns = x.dim(3) - crop[1] - crop[3];
        long rows = x.dim(2) - crop[0] - crop[2];
        long channels = call.input(1).dim(1) * call.integer("groups", 1);
        Array cropped = Array.of(
                new long[] {x.dim(0), channels, rows, columns},
                at -> x.at(at[0], at[1] / LANES, at[2] + crop[0], at[3] + crop[1], at[1] % LANES));
        return blocks(call, sums(call, cropped));
    }

    private static Array convolutionToBlocks(Call call) {
        Array x = call.input(0);
        long[] pads = call.ints("pads", NONE);
        long[] dims = {x.dim(0), x.dim(1), pads[0] + x.dim(2) + pads[2], pads[1] + x.dim(3) + pads[3]};
        Array padded = Array.of(dims, at -> {
            long row = at[2] - pads[0];
            long column = at[3] - pads[1];
            boolean isInside = row >= 0 && row < x.dim(2) && column >= 0 && column < x.dim(3);
            return isInside ? x.at(at[0], at[1], row, column) : 0;
        });
        return blocks(call, sums(call, padded));
    }

    /** Convolution of an NCHW tensor with strides, dilations, groups and bias. */
    static Array sums(Call call, Array x) {
        Array weights = call.input(1);
        long[] strides = call.ints("strides", 1, 1);
        long[] dilations = call.ints("dilations", 1, 1);
        long groupOut = weights.dim(0) / call.integer("groups", 1);
        long[] dims = {x.dim(0), weights.dim(0), 0, 0};
        for (int axis = 0; axis < 2; axis++) {
            long extent = dilations[axis] * (weights.dim(2 + axis) - 1) + 1;
            dims[2 + axis] = (x.dim(2 + axis) - extent) / strides[axis] + 1;
        }
        long[][] taps = Indices.all(weights.dim(1), weights.dim(2), weights.dim(3));
        return Array.of(dims, at -> {
            double sum = call.hasInput(2) ? call.input(2).at(at[1]) : 0;
            for (long[] tap : taps) {
                long channel = at[1] / groupOut * weights.dim(1) + tap[0];
                long row = at[2] * strides[0] + tap[1] * dilations[0];
                long column = at[3] * strides[1] + tap[2] * dilations[1];
                sum += x.at(at[0], channel, row, column) * weights.at(at[1], tap[0], tap[1], tap[2]);
            }
            return sum;
        });
    }

    /** Residual and activation after NCHW sums, brought into blocks with a margin of zeros. */
    static Array blocks(Call call, Array sums) {
        long[] halo = call.ints("y_halo", NONE);
        long[] crop = call.ints("residual_crop", NONE);
        boolean isAfter = call.text("residual_add", "BEFORE").equals("AFTER");
        long blocks = (sums.dim(1) + LANES - 1) / LANES;
        long rows = halo[0] + sums.dim(2) + halo[2];
        long columns = halo[1] + sums.dim(3) + halo[3];
        return Array.of(new long[] {sums.dim(0), blocks, rows, columns, LANES}, at -> {
            long row = at[2] - halo[0];
            long column = at[3] - halo[1];
            if (row < 0 || row >= sums.dim(2) || column < 0 || column >= sums.dim(3)) {
                return 0;
            }
            long channel = at[1] * LANES + at[4];
            boolean exists = channel < sums.dim(1);
            double sum = exists ? sums.at(at[0], channel, row, column) : 0;
            double residual =
                    call.hasInput(3) ? call.input(3).at(at[0], at[1], row + crop[0], column + crop[1], at[4]) : 0;
            double activated = isAfter ? sum : sum + residual;
            activated = exists || !call.hasInput(4)
                    ? FusedReferences.activated(call, activated, channel)
                    : Math.max(activated, 0);
            return isAfter ? activated + residual : activated;
        });
    }
}
