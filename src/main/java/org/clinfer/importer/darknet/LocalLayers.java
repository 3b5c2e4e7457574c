package org.clinfer.importer.darknet;

import java.util.List;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Layers of the first detectors: convolutions with other weights at every position, and heads that give what they take. */
final class LocalLayers {

    /** Taps of a window at most; each is a channel. */
    private static final long LARGEST_WINDOW = 32;

    private static final long PADDED_SIZE = 3;

    private LocalLayers() {}

    static void addTo(LayerTable<DarknetLayerCall> all) {
        all.one("local", LocalLayers::local);
        all.one("detection", LocalLayers::detection);
    }

    /**
     * The windows of each channel become rows, which are multiplied by the weights of their position.
     *
     * <pre>{@code
     * x ─► Conv2d with a one for each tap of the window ─► Reshape ─► Transpose ─► MatMul ─► Transpose ─► Reshape ─► Add
     * }</pre>
     */
    private static Value local(DarknetLayerCall layer) {
        Section options = layer.options();
        Value x = layer.input();
        long filters = options.size("filters", 1, 1);
        long size = options.size("size", 1, 1);
        long stride = options.size("stride", 1, 1);
        long pad = options.flag("pad", false) ? 1 : 0;
        if (size > LARGEST_WINDOW || (pad == 1 && size != PADDED_SIZE)) {
            throw layer.unsupportedUse("size " + size + (pad == 1 ? " and 'pad'" : ""));
        }
        if (Math.min(DarknetLayerCall.height(x), DarknetLayerCall.width(x)) + 2 * pad < size) {
            throw layer.malformed("its window of " + size + " is larger than the padded input");
        }
        Value planes = layer.reshaped(x, -1, 1, DarknetLayerCall.height(x), DarknetLayerCall.width(x));
        Params walk = new Params()
                .put("strides", new long[] {stride, stride})
                .put("padding", new long[] {pad, pad, pad, pad});
        Value windows = layer.add("Conv2d", walk, planes, layer.constant("places", ones(size)));
        long height = DarknetLayerCall.height(windows);
        long width = DarknetLayerCall.width(windows);
        long positions = height * width;
        long terms = DarknetLayerCall.channels(x) * size * size;
        Value bias = layer.weight("bias", filters, height, width);
        Value weights = layer.weight("weights", positions, filters, terms);
        Params swap = new Params().put("perm", new long[] {0, 2, 1});
        Value rows = layer.add("Transpose", swap, layer.reshaped(windows, -1, terms, positions));
        Value products = layer.add("MatMul", weights, layer.reshaped(rows, -1, positions, terms, 1));
        Value turned = layer.add("Transpose", swap, layer.reshaped(products, -1, positions, filters));
        Value sum = layer.add("Add", layer.reshaped(turned, -1, filters, height, width), bias);
        return DarknetActivations.apply(layer, sum, "logistic");
    }

    /** {@code [taps, 1, rows, columns]}: a one at a tap of its own in each. */
    private static Tensor ones(long size) {
        long taps = size * size;
        Tensor ones = Tensor.allocate(DType.FLOAT32, taps, 1, size, size);
        for (long tap = 0; tap < taps; tap++) {
            ones.setDouble(tap * taps + tap, 1);
        }
        return ones;
    }

    /** The classes of every cell, then the scores and then the sides of its boxes, as the layer before gives them. */
    private static Value detection(DarknetLayerCall layer) {
        Section options = layer.options();
        options.ignore("rescore", "sqrt", "jitter", "object_scale", "noobject_scale", "class_scale", "coord_scale");
        options.ignore("max", "forced", "random", "reorg", "absolute");
        Value x = layer.input();
        long classes = options.size("classes", 1, 1);
        long side = options.size("side", 7, 1);
        long boxes = options.size("num", 1, 1);
        long coordinates = options.size("coords", 1, 1);
        long given = DarknetLayerCall.elements(x);
        long cells = side * side;
        if (side > 1 << 15 || given % cells != 0 || given / cells != (1 + coordinates) * boxes + classes) {
            throw layer.malformed("it takes " + classes + " classes and " + boxes + " boxes of " + cells
                    + " cells, but is given " + given + " numbers");
        }
        if (!options.flag("softmax", false)) {
            return x;
        }
        Value rows = layer.reshaped(x, -1, given);
        Params parts = new Params().put("axis", 1L).put("split", new long[] {cells * classes, given - cells * classes});
        List<Value> both = layer.addAll("Split", List.of(rows), parts, 2);
        Value scores = layer.reshaped(both.get(0), -1, cells, classes);
        Value shares = layer.add("Softmax", new Params().put("axis", 2L), scores);
        Value flat = layer.reshaped(shares, -1, cells * classes);
        Value joined = layer.add("Concat", new Params().put("axis", 1L), flat, both.get(1));
        return layer.reshaped(
                joined, -1, DarknetLayerCall.channels(x), DarknetLayerCall.height(x), DarknetLayerCall.width(x));
    }
}
