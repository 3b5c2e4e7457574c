package org.clinfer.importer.caffe;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/**
 * Pools that tell where each maximum comes from, and layers that put elements back there. The windows lie side by side, so
 * that a mask is a window of zeros with a one: {@code [images, channels, rows, columns, window rows, window columns]}.
 */
final class MaskedPools {

    /** Below everything that a window could have. */
    private static final long MOST_PLACES = 1L << 16;

    private static final double LEAST = -Float.MAX_VALUE;

    private MaskedPools() {}

    /** The maxima, and the mask of the first largest element of each window. */
    static List<Value> pool(CaffeLayerCall call, CaffeFields params, Value x) {
        long[] kernel = CaffeConvolutionLayers.perAxis(params, "kernel_size", "kernel", 2, 0, 1);
        long[] strides = CaffeConvolutionLayers.perAxis(params, "stride", "stride", 2, 1, 1);
        long[] pads = CaffeConvolutionLayers.perAxis(params, "pad", "pad", 2, 0, 0);
        boolean apart = Arrays.equals(kernel, strides) && Arrays.stream(pads).allMatch(pad -> pad == 0);
        boolean up = params.choice("round_mode", "CEIL", "CEIL", "FLOOR").equals("CEIL");
        boolean max = params.choice("pool", "MAX", "MAX", "AVE", "STOCHASTIC").equals("MAX");
        boolean whole = IntStream.range(0, 2)
                .allMatch(i -> x.shape().dim(2 + i) instanceof Dim.Known known && known.size() % strides[i] == 0);
        if (!apart || !up || !max || params.flag("global_pooling", false)) {
            throw call.unsupportedUse("a mask of windows that are not side by side");
        }
        Params windows =
                new Params().put("kernel_size", kernel).put("strides", strides).put("ceil_mode", "CEIL");
        Value pooled = call.add("MaxPool", List.of(x), windows);
        Value padded = whole
                ? x
                : call.add(
                        "Pad",
                        List.of(x),
                        new Params()
                                .put("pad_with", new long[] {0, 0, 0, 0, 0, kernel[0] - 1, 0, kernel[1] - 1})
                                .put("constant_value", LEAST));
        return List.of(pooled, mask(call, pooled, windows(call, padded, pooled, kernel), kernel));
    }

    /** The windows of a picture, each as the last axis. Rows and columns that belong to no window are left out. */
    private static Value windows(CaffeLayerCall call, Value padded, Value pooled, long[] kernel) {
        Value counts = call.sizes(pooled, 2, 4);
        Value ends = call.add("Mul", List.of(counts, call.vector("kernel", kernel)), new Params(), counts.shape());
        Shape cut = cut(pooled.shape(), kernel);
        Params from = new Params().put("starts", new long[] {0, 0}).put("axes", new long[] {2, 3});
        Value exact = call.add("Slice", List.of(padded, CaffeShapeLayers.NONE, ends), from, cut);
        Value shape = call.join(List.of(
                call.sizes(pooled, 0, 3),
                call.vector("window_rows", kernel[0]),
                call.sizes(pooled, 3, 4),
                call.vector("window_columns", kernel[1])));
        List<Dim> dims = pooled.shape().dims();
        Shape apart = new Shape(
                List.of(dims.get(0), dims.get(1), dims.get(2), Dim.of(kernel[0]), dims.get(3), Dim.of(kernel[1])));
        Value split = call.add("Reshape", List.of(exact, shape), new Params(), apart);
        Value together = call.add("Transpose", List.of(split), new Params().put("perm", new long[] {0, 1, 2, 4, 3, 5}));
        return call.add("Reshape", List.of(together), new Params().put("shape", new long[] {0, 0, 0, 0, -1}));
    }

    private static Shape cut(Shape pooled, long[] kernel) {
        List<Dim> dims = new ArrayList<>(pooled.dims());
        for (int i = 0; i < 2; i++) {
            if (dims.get(2 + i) instanceof Dim.Known known) {
                dims.set(2 + i, Dim.of(known.size() * kernel[i]));
            }
        }
        return new Shape(dims);
    }

    /** A one at the first largest element of each window, zeros elsewhere. */
    private static Value mask(CaffeLayerCall call, Value pooled, Value windows, long[] kernel) {
        if (kernel[0] > MOST_PLACES / kernel[1]) {
            throw call.unsupportedUse("a mask of windows of more than " + MOST_PLACES + " elements");
        }
        int count = (int) (kernel[0] * kernel[1]);
        float[] numbers = new float[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = i;
        }
        Value positions = call.constant("places", Tensor.of(numbers, count));
        Value largest = call.add("Unsqueeze", List.of(pooled), new Params().put("axis", new long[] {4}));
        Value equal = call.add("Equal", windows, largest);
        Value candidates = call.add("Where", equal, positions, call.number("none", count));
        Params last = new Params().put("axis", new long[] {4}).put("keep_dims", true);
        Value first = call.add("ReduceMin", List.of(candidates), last);
        Value chosen = call.add("Equal", positions, first);
        Value ones = call.add("Cast", List.of(chosen), new Params().put("to", "float32"));
        return call.add("Reshape", List.of(ones), new Params().put("shape", new long[] {0, 0, 0, 0, kernel[0], kernel[1]
                }));
    }

    /** Refuses a field that says other windows than the pool had. */
    static void requireWindows(CaffeLayerCall call, String field, Value mask, long... windows) {
        if (mask.rank() == 6
                && (mask.shape().size(4) != windows[0] || mask.shape().size(5) != windows[1])) {
            throw call.unsupportedUse("'" + field + "' other than the windows of the pool");
        }
    }

    /**
     * Elements where their mask says, zeros elsewhere.
     *
     * @param size rows and columns of the result; 0 where it is that of the windows
     */
    static Value unpool(CaffeLayerCall call, Value x, Value mask, long[] size) {
        if (x.rank() != 4 || mask.rank() != 6) {
            throw call.unsupportedUse("a second bottom that is no mask of a pool");
        }
        Value elements = call.add("Unsqueeze", List.of(x), new Params().put("axis", new long[] {4, 5}));
        Value spread = call.add("Mul", mask, elements);
        Value apart = call.add("Transpose", List.of(spread), new Params().put("perm", new long[] {0, 1, 2, 4, 3, 5}));
        long[] kernel = {mask.shape().size(4), mask.shape().size(5)};
        Value counts = call.sizes(x, 2, 4);
        Value full = call.add("Mul", List.of(counts, call.vector("kernel", kernel)), new Params(), counts.shape());
        Value shape = call.join(List.of(call.sizes(x, 0, 2), full));
        Shape whole = cut(x.shape(), kernel);
        Value picture = call.add("Reshape", List.of(apart, shape), new Params(), whole);
        if (size[0] == 0) {
            return picture;
        }
        Params part =
                new Params().put("starts", new long[] {0, 0}).put("ends", size).put("axes", new long[] {2, 3});
        Value cut = call.add("Slice", List.of(picture), part);
        if (cut.shape().isKnown()
                && (cut.shape().size(2) != size[0] || cut.shape().size(3) != size[1])) {
            throw call.unsupportedUse("a size beyond that of the windows");
        }
        return cut;
    }
}
