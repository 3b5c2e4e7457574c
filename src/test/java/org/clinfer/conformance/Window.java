package org.clinfer.conformance;

import java.util.Locale;

/**
 * Where a window of a pool or convolution stands.
 *
 * @param pads begin and end per axis
 * @param out how many places it has
 */
@SuppressWarnings("ArrayRecordComponent")
record Window(long[] in, long[] kernel, long[] strides, long[] dilation, long[] pads, long[] out) {

    /** With the fields of OpLib. */
    static Window of(Call call, long[] in, long[] kernel) {
        long[] strides = call.ints("strides", Indices.filled(in.length, 1));
        long[] dilation = call.ints("dilation", Indices.filled(in.length, 1));
        String mode = call.text("pad_mode", "PADDING");
        long[] pads = pads(
                mode,
                call.ints("padding", Indices.filled(2 * in.length, 0)),
                new Window(in, kernel, strides, dilation, in, in));
        return placed(
                in,
                kernel,
                strides,
                dilation,
                pads,
                !mode.startsWith("SAME") && call.text("ceil_mode", "FLOOR").equals("CEIL"));
    }

    /** With the attributes of oneDNN, or of OpenVINO, which says explicit instead of none. */
    static Window ofOneDnn(Call call, long[] in, long[] kernel) {
        long[] begin = call.ints("pads_begin");
        long[] end = call.ints("pads_end");
        long[] given = new long[2 * in.length];
        for (int axis = 0; axis < in.length; axis++) {
            given[2 * axis] = begin[axis];
            given[2 * axis + 1] = end[axis];
        }
        String mode = call.text("auto_pad", "none").toUpperCase(Locale.ROOT);
        long[] strides = call.ints("strides");
        long[] dilation = call.ints("dilations");
        long[] pads = pads(
                mode.equals("NONE") || mode.equals("EXPLICIT") ? "PADDING" : mode.equals("SAME_UPPER") ? "SAME" : mode,
                given,
                new Window(in, kernel, strides, dilation, in, in));
        return placed(in, kernel, strides, dilation, pads, false);
    }

    /** With the attributes of FusedConv. */
    static Window ofFused(Call call, long[] in, long[] kernel) {
        long[] begin = call.ints("pads_begin", Indices.filled(in.length, 0));
        long[] end = call.ints("pads_end", Indices.filled(in.length, 0));
        long[] pads = new long[2 * in.length];
        for (int i = 0; i < pads.length; i++) {
            pads[i] = (i % 2 == 0 ? begin : end)[i / 2];
        }
        long[] ones = Indices.filled(in.length, 1);
        return placed(in, kernel, call.ints("strides", ones), call.ints("dilations", ones), pads, false);
    }

    /** SAME gives ceil(in / stride) places; the odd cell is at the end, with SAME_LOWER at the beginning. */
    private static long[] pads(String mode, long[] given, Window window) {
        if (mode.equals("PADDING")) {
            return given;
        }
        long[] pads = new long[given.length];
        for (int axis = 0; axis < window.in.length && !mode.equals("VALID"); axis++) {
            long out = -Math.floorDiv(-window.in[axis], window.strides[axis]);
            long needed = (out - 1) * window.strides[axis] + window.extent(axis) - window.in[axis];
            long total = Math.max(needed, 0);
            pads[2 * axis] = mode.equals("SAME") ? total / 2 : total - total / 2;
            pads[2 * axis + 1] = total - pads[2 * axis];
        }
        return pads;
    }

    private static Window placed(
            long[] in, long[] kernel, long[] strides, long[] dilation, long[] pads, boolean roundUp) {
        Window window = new Window(in, kernel, strides, dilation, pads, new long[in.length]);
        for (int axis = 0; axis < in.length; axis++) {
            long free = in[axis] + pads[2 * axis] + pads[2 * axis + 1] - window.extent(axis);
            long steps = roundUp ? -Math.floorDiv(-free, strides[axis]) : Math.floorDiv(free, strides[axis]);
            window.out[axis] = steps + 1;
        }
        return window;
    }

    /** Pools that round up drop a last window that would start beyond the input and its first padding, as Caffe's. */
    Window withoutWindowsInEndPadding() {
        long[] clipped = out.clone();
        for (int axis = 0; axis < in.length; axis++) {
            if ((out[axis] - 1) * strides[axis] >= in[axis] + pads[2 * axis]) {
                clipped[axis]--;
            }
        }
        return new Window(in, kernel, strides, dilation, pads, clipped);
    }

    private long extent(int axis) {
        return dilation[axis] * (kernel[axis] - 1) + 1;
    }

    long[] outputDims(long batch, long channels) {
        return Indices.join(batch, channels, out);
    }

    /** The positions in the input under the window of an output index [n, c, ...], in the order of the kernel. */
    long[][] cells(long[] output) {
        long[][] cells = Indices.all(kernel);
        for (long[] cell : cells) {
            for (int axis = 0; axis < in.length; axis++) {
                cell[axis] = output[axis + 2] * strides[axis] + cell[axis] * dilation[axis] - pads[2 * axis];
            }
        }
        return cells;
    }

    boolean isInside(long[] cell) {
        for (int axis = 0; axis < in.length; axis++) {
            if (cell[axis] < 0 || cell[axis] >= in[axis]) {
                return false;
            }
        }
        return true;
    }

    /** Whether a cell is in the input or its padding, not beyond it. */
    boolean isPadding(long[] cell) {
        for (int axis = 0; axis < in.length; axis++) {
            if (cell[axis] >= in[axis] + pads[2 * axis + 1]) {
                return false;
            }
        }
        return true;
    }
}
