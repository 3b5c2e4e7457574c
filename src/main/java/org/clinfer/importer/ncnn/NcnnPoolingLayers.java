package org.clinfer.importer.ncnn;

import java.util.List;
import java.util.stream.LongStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/** Maxima and means of windows of one to three axes. */
final class NcnnPoolingLayers {

    /** A size of the result that is the size of the input. */
    private static final int UNCHANGED = -233;

    /** The numbers of the parameters of one axis. */
    private record Axis(int kernel, int stride, int begin, int end, int out) {}

    private static final Axis WIDTH = new Axis(1, 2, 3, 14, 8);
    private static final Axis HEIGHT = new Axis(11, 12, 13, 15, 18);
    private static final Axis DEPTH = new Axis(21, 22, 23, 16, 28);

    private NcnnPoolingLayers() {}

    static void addTo(LayerTable<NcnnLayerCall> all) {
        all.one("Pooling1D", call -> pool(call, 1));
        all.one("Pooling", call -> pool(call, 2));
        all.one("Pooling3D", call -> pool(call, 3));
        all.one("StatisticsPooling", NcnnPoolingLayers::statistics);
    }

    private static List<Axis> axes(int spatial) {
        return List.of(DEPTH, HEIGHT, WIDTH).subList(3 - spatial, 3);
    }

    private static Value pool(NcnnLayerCall call, int spatial) {
        LayerParams params = call.params();
        Value x = call.input();
        if (NcnnLayerCall.dims(x) != spatial + 1) {
            throw call.unsupportedUse("a blob of " + NcnnLayerCall.dims(x) + " axes");
        }
        int type = params.integer(0, 0);
        if (type != 0 && type != 1) {
            throw call.unsupportedUse("type " + type);
        }
        boolean mean = type == 1;
        boolean withPads = params.flag(6, false);
        if (params.flag(4, false)) {
            ignoreWindows(params);
            Value pooled = call.add(mean ? "AvgPool" : "MaxPool", List.of(x), new Params().put("is_global", true));
            return call.add("Flatten", List.of(pooled), new Params().put("axis", 1L));
        }
        if (params.flag(7, false)) {
            ignoreWindows(params);
            return adaptive(call, x, spatial, mean);
        }
        params.ignore(8, 18, 28);
        Params windows = windows(call, spatial, mean && withPads);
        if (mean) {
            windows.put("count_include_pad", withPads);
        }
        return call.add(mean ? "AvgPool" : "MaxPool", List.of(x), windows);
    }

    /** The mean of each channel, and how far its elements are from it. */
    private static Value statistics(NcnnLayerCall call) {
        Value x = call.input();
        if (NcnnLayerCall.dims(x) < 3) {
            throw call.unsupportedUse("a blob of " + NcnnLayerCall.dims(x) + " axes");
        }
        Params inner = new Params()
                .put("axis", LongStream.range(2, x.rank()).toArray())
                .put("keep_dims", true);
        Params flat = new Params().put("axis", 1L);
        Value mean = call.add("Mean", inner, x);
        Value means = call.add("Flatten", flat, mean);
        if (!call.params().flag(0, false)) {
            return means;
        }
        Value apart = call.add("Sub", x, mean);
        Value deviation = call.add("Sqrt", call.add("Mean", inner, call.add("Mul", apart, apart)));
        return call.add("Concat", flat, means, call.add("Flatten", flat, deviation));
    }

    private static void ignoreWindows(LayerParams params) {
        params.ignore(5, 8, 18, 28);
        for (Axis axis : axes(3)) {
            params.ignore(axis.kernel(), axis.stride(), axis.begin(), axis.end());
        }
    }

    /** @param padsCount whether a mean is over all of the window, however far it reaches beyond the input */
    private static Params windows(NcnnLayerCall call, int spatial, boolean padsCount) {
        LayerParams params = call.params();
        long[] kernel = new long[spatial];
        long[] strides = new long[spatial];
        long[] pads = new long[2 * spatial];
        int kernelWidth = params.size(WIDTH.kernel(), 0, 1);
        int strideWidth = params.size(WIDTH.stride(), 1, 1);
        int left = params.size(WIDTH.begin(), 0, 0);
        boolean clipped = true;
        List<Axis> axes = axes(spatial);
        for (int i = 0; i < spatial; i++) {
            Axis axis = axes.get(i);
            kernel[i] = params.size(axis.kernel(), kernelWidth, 1);
            strides[i] = params.size(axis.stride(), strideWidth, 1);
            pads[2 * i] = params.size(axis.begin(), left, 0);
            pads[2 * i + 1] = params.size(axis.end(), (int) pads[2 * i], 0);
            clipped &= pads[2 * i + 1] + strides[i] <= kernel[i];
        }
        Params windows = new Params().put("kernel_size", kernel).put("strides", strides);
        int mode = params.integer(5, 0);
        switch (mode) {
            case 0 -> {
                // as many windows as rounding up gives, even where the last one is outside
                boolean up = clipped && !padsCount;
                for (int i = 0; i < spatial && !up; i++) {
                    pads[2 * i + 1] += strides[i] - 1;
                }
                windows.put("padding", pads).put("ceil_mode", up ? "CEIL" : "FLOOR");
            }
            case 1 -> windows.put("padding", pads);
            case 2, 3 -> {
                if (params.integer(0, 0) == 1 && !padsCount) {
                    throw call.unsupportedUse("means of windows that keep the size");
                }
                windows.put("pad_mode", mode == 2 ? "SAME" : "SAME_LOWER");
            }
            default -> throw call.unsupportedUse("pad mode " + mode);
        }
        return windows;
    }

    /**
     * Windows that lie side by side and give a fixed number of results.
     *
     * <pre>{@code x [n, c, h, w] ─► Reshape [n, c, out_h, h / out_h, out_w, w / out_w] ─► mean or maximum of axes 3 and 5}</pre>
     */
    private static Value adaptive(NcnnLayerCall call, Value x, int spatial, boolean mean) {
        LayerParams params = call.params();
        if (spatial != 2) {
            throw call.unsupportedUse("a fixed size of the result");
        }
        int width = params.integer(WIDTH.out(), 0);
        int height = params.integer(HEIGHT.out(), width);
        if (height == 1 && width == 1) {
            return call.add(mean ? "AvgPool" : "MaxPool", List.of(x), new Params().put("is_global", true));
        }
        int[] wanted = {height, width};
        for (int i = 0; i < 2; i++) {
            long size = x.sizeOr0(i + 2);
            if (wanted[i] != UNCHANGED && (wanted[i] < 1 || size == 0 || size % wanted[i] != 0)) {
                throw call.unsupportedUse(
                        "a result of " + wanted[i] + " cells for " + x.shape().dim(i + 2));
            }
        }
        Value one = call.vector("one", 1);
        Shape single = Shape.of(1);
        Value[] parts = new Value[4];
        for (int i = 0; i < 2; i++) {
            Value size = call.sizes(x, i + 2, i + 3);
            Value cells = wanted[i] == UNCHANGED ? size : call.vector("out_" + i, wanted[i]);
            parts[2 * i] = cells;
            parts[2 * i + 1] =
                    wanted[i] == UNCHANGED ? one : call.add("Div", List.of(size, cells), new Params(), single);
        }
        Value target = call.join(List.of(call.sizes(x, 0, 2), parts[0], parts[1], parts[2], parts[3]));
        Dim open = Dim.unknown();
        Dim rows = height == UNCHANGED ? x.shape().dim(2) : Dim.of(height);
        Dim columns = width == UNCHANGED ? x.shape().dim(3) : Dim.of(width);
        Shape split = new Shape(List.of(x.shape().dim(0), x.shape().dim(1), rows, open, columns, open));
        Value windows = call.add("Reshape", List.of(x, target), new Params(), split);
        return call.add(mean ? "Mean" : "ReduceMax", List.of(windows), new Params().put("axis", new long[] {3, 5}));
    }
}
