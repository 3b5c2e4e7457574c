package org.clinfer.importer.ncnn;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;

/** A window with a number for each axis, outer ones first; those that are not given are those of the width. */
final class NcnnWindow {

    /** The numbers of the parameters of one axis. */
    record Axis(int kernel, int dilation, int stride, int begin, int end) {}

    static final Axis WIDTH = new Axis(1, 2, 3, 4, 15);
    static final Axis HEIGHT = new Axis(11, 12, 13, 14, 16);
    private static final Axis DEPTH = new Axis(21, 22, 23, 24, 17);

    private final long[] kernel;
    private final long[] strides;
    private final long[] dilations;
    /** Begin and end for each axis. */
    private final long[] pads;

    NcnnWindow(LayerParams params, int spatial) {
        List<Axis> axes = axes(spatial);
        kernel = new long[spatial];
        strides = new long[spatial];
        dilations = new long[spatial];
        pads = new long[2 * spatial];
        int kernelWidth = params.size(WIDTH.kernel(), 0, 1);
        int dilationWidth = params.size(WIDTH.dilation(), 1, 1);
        int strideWidth = params.size(WIDTH.stride(), 1, 1);
        int left = params.integer(WIDTH.begin(), 0);
        for (int i = 0; i < spatial; i++) {
            Axis axis = axes.get(i);
            kernel[i] = params.size(axis.kernel(), kernelWidth, 1);
            dilations[i] = params.size(axis.dilation(), dilationWidth, 1);
            strides[i] = params.size(axis.stride(), strideWidth, 1);
            int begin = params.integer(axis.begin(), left);
            pads[2 * i] = begin;
            pads[2 * i + 1] = params.integer(axis.end(), begin);
        }
    }

    long taps(NcnnLayerCall call) {
        long taps = 1;
        for (long side : kernel) {
            taps *= side;
            if (taps > Integer.MAX_VALUE) {
                throw call.malformed("its window of " + Arrays.toString(kernel) + " is too large");
            }
        }
        return taps;
    }

    boolean allPads(long value) {
        return LongStream.of(pads).allMatch(pad -> pad == value);
    }

    /** Paddings as numbers. */
    void requirePlainPads(NcnnLayerCall call) {
        if (LongStream.of(pads).anyMatch(pad -> pad < 0)) {
            throw call.unsupportedUse("padding " + Arrays.toString(pads));
        }
    }

    long[] every(int first) {
        return LongStream.range(0, pads.length)
                .filter(i -> i % 2 == first)
                .map(i -> pads[(int) i])
                .toArray();
    }

    /** Paddings as all begins, then all ends. */
    long[] beginsAndEnds() {
        return LongStream.concat(LongStream.of(every(0)), LongStream.of(every(1)))
                .toArray();
    }

    /** The input with a border of a number in place of the padding, of which nothing is left then. */
    Value bordered(NcnnLayerCall call, Value x, double value) {
        requirePlainPads(call);
        long[] widths = LongStream.concat(LongStream.of(0, 0, 0, 0), LongStream.of(pads))
                .toArray();
        Arrays.fill(pads, 0);
        return call.add("Pad", new Params().put("pad_with", widths).put("constant_value", value), x);
    }

    long[] kernel() {
        return kernel;
    }

    long[] strides() {
        return strides;
    }

    long[] dilations() {
        return dilations;
    }

    long[] pads() {
        return pads;
    }

    private static List<Axis> axes(int spatial) {
        return List.of(DEPTH, HEIGHT, WIDTH).subList(3 - spatial, 3);
    }
}
