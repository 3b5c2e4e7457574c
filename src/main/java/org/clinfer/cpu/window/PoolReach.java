package org.clinfer.cpu.window;

import org.clinfer.graph.Parameters;

/**
 * The input coordinates that every output coordinate of one axis of a pool sees.
 *
 * @param begin first input coordinate inside the input
 * @param end where they end
 * @param count how many cells count in a mean
 */
@SuppressWarnings("ArrayRecordComponent")
public record PoolReach(int[] begin, int[] end, int[] count) {

    /** Of all three axes. */
    public static PoolReach[] of(Window window, Parameters parameters) {
        boolean includePad = parameters.has("count_include_pad") && parameters.flag("count_include_pad");
        int[] padEnd = includePad ? parameters.ints("pad_end3") : new int[3];
        PoolReach[] reaches = new PoolReach[3];
        for (int axis = 0; axis < 3; axis++) {
            reaches[axis] = of(window, axis, includePad ? padEnd[axis] : -1);
        }
        return reaches;
    }

    /** With {@code padEnd >= 0} padding counts, without only cells of the input. */
    private static PoolReach of(Window window, int axis, int padEnd) {
        int out = window.out()[axis];
        int in = window.in()[axis];
        int step = window.dilation()[axis];
        int taps = window.kernel()[axis];
        PoolReach reach = new PoolReach(new int[out], new int[out], new int[out]);
        for (int o = 0; o < out; o++) {
            int first = o * window.stride()[axis] - window.padBegin()[axis];
            int skipped = tapsBefore(0, first, step, taps);
            reach.begin[o] = first + skipped * step;
            reach.end[o] = Math.min(in, first + (taps - 1) * step + 1);
            reach.count[o] = padEnd >= 0
                    ? tapsBefore(in + padEnd, first, step, taps)
                    : tapsBefore(in, first, step, taps) - skipped;
        }
        return reach;
    }

    /** The number of taps before {@code position}, of {@code taps} taps, {@code step} apart from {@code first} on. */
    private static int tapsBefore(int position, int first, int step, int taps) {
        return Math.max(0, Math.min(taps, -Math.floorDiv(first - position, step)));
    }

    /** The number of cells that count in the mean of a window at these coordinates; at least 1. */
    public static long count(PoolReach[] reach, int depth, int height, int width) {
        return Math.max(1, (long) reach[0].count[depth] * reach[1].count[height] * reach[2].count[width]);
    }
}
