package org.clinfer.importer.darknet;

import java.util.Optional;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;

/** Layers without weights of one input: pools, resampling, functions of each element. */
final class PictureLayers {

    private PictureLayers() {}

    static void addTo(LayerTable<DarknetLayerCall> all) {
        all.one("maxpool", PictureLayers::maxPool);
        all.one("max", PictureLayers::maxPool);
        all.one("local_avgpool", PictureLayers::localAveragePool);
        all.one("avgpool", PictureLayers::averagePool);
        all.one("avg", PictureLayers::averagePool);
        all.one("upsample", PictureLayers::upsample);
        all.one("reorg", PictureLayers::reorg);
        all.one("crop", PictureLayers::crop);
        all.one("softmax", PictureLayers::softmax);
        all.one("soft", PictureLayers::softmax);
        all.one("activation", layer -> DarknetActivations.apply(layer, layer.input()));
        all.one("dropout", layer -> {
            layer.options().ignore("probability", "dropblock", "dropblock_size_rel", "dropblock_size_abs");
            return layer.input();
        });
        all.one("cost", layer -> {
            layer.options().ignore("type", "scale", "ratio", "noobj", "smooth", "thresh");
            return layer.input();
        });
    }

    private static Value maxPool(DarknetLayerCall layer) {
        layer.options().requireOff("antialiasing", "maxpool_depth");
        return DarknetActivations.apply(layer, layer.add("MaxPool", window(layer), layer.input()));
    }

    /** Means of what is within the picture. */
    private static Value localAveragePool(DarknetLayerCall layer) {
        Params window = window(layer).put("count_include_pad", false);
        return DarknetActivations.apply(layer, layer.add("AvgPool", window, layer.input()));
    }

    /** Half of the padding, rounded down, is at the begin. */
    private static Params window(DarknetLayerCall layer) {
        Section options = layer.options();
        Value x = layer.input();
        long both = options.size("stride", 1, 1);
        long strideY = options.size("stride_y", both, 1);
        long strideX = options.size("stride_x", both, 1);
        long size = options.size("size", both, 1);
        long padding = options.size("padding", size - 1, 0);
        long begin = padding / 2;
        long end = padding - begin;
        if (Math.min(DarknetLayerCall.height(x), DarknetLayerCall.width(x)) + padding < size) {
            throw layer.malformed("its window of " + size + " is larger than the padded input");
        }
        return new Params()
                .put("kernel_size", new long[] {size, size})
                .put("strides", new long[] {strideY, strideX})
                .put("padding", new long[] {begin, end, begin, end});
    }

    private static Value averagePool(DarknetLayerCall layer) {
        return DarknetActivations.apply(
                layer, layer.add("AvgPool", new Params().put("is_global", true), layer.input()));
    }

    private static Value upsample(DarknetLayerCall layer) {
        long stride = layer.options().size("stride", 2, 1);
        Params params = new Params().put("scale", new long[] {stride, stride}).put("mode", "NEAREST");
        Value enlarged = layer.add("Upsample", params, layer.input());
        return layer.times("scale", enlarged, layer.options().real("scale", 1));
    }

    private static Value reorg(DarknetLayerCall layer) {
        Section options = layer.options();
        Params params = new Params()
                .put("scale", options.size("stride", 1, 1))
                .put("reversed", options.flag("reverse", false))
                .put("order", "DARKNET");
        options.requireOff("flatten");
        long extra = options.size("extra", 0, 0);
        return extra > 0 ? withExtra(layer, extra) : layer.add("Reorg", params, layer.input());
    }

    /** The elements in a row with some zeros behind them, as the moves in Go of which one is to pass. */
    private static Value withExtra(DarknetLayerCall layer, long extra) {
        Value x = layer.input();
        long elements = DarknetLayerCall.elements(x);
        Params behind = new Params().put("pad_with", new long[] {0, 0, 0, extra});
        Value row = layer.add("Pad", behind, layer.reshaped(x, -1, elements));
        return layer.reshaped(row, -1, elements + extra, 1, 1);
    }

    /** The middle of the picture, from -1 to 1 instead of 0 to 1. */
    private static Value crop(DarknetLayerCall layer) {
        Section options = layer.options();
        options.ignore("flip", "angle", "saturation", "exposure", "shift");
        Value x = layer.input();
        long height = options.size("crop_height", 1, 1);
        long width = options.size("crop_width", 1, 1);
        if (height > DarknetLayerCall.height(x) || width > DarknetLayerCall.width(x)) {
            throw layer.malformed("its part is larger than " + x.shape());
        }
        long top = (DarknetLayerCall.height(x) - height) / 2;
        long left = (DarknetLayerCall.width(x) - width) / 2;
        Value part = layer.slice(x, new long[] {2, 3}, new long[] {top, left}, new long[] {top + height, left + width});
        return options.flag("noadjust", false)
                ? part
                : layer.add("Sub", layer.times("two", part, 2), layer.number("one", 1));
    }

    /** Over all elements of a picture, those of each of several parts of it, or those of each group of a tree. */
    private static Value softmax(DarknetLayerCall layer) {
        Section options = layer.options();
        options.ignore("noloss");
        options.requireOff("spatial");
        Value x = layer.input();
        double temperature = options.real("temperature", 1);
        Value scaled = temperature == 1 ? x : layer.add("Div", x, layer.number("temperature", temperature));
        Params along = new Params().put("axis", 1L);
        long elements = DarknetLayerCall.elements(x);
        long groups = options.size("groups", 1, 1);
        if (elements % groups != 0) {
            throw options.wrong("groups", elements + " elements cannot be divided into " + groups + " groups");
        }
        Optional<ClassTree> tree = layer.tree(elements);
        if (tree.isPresent()) {
            Value rows = layer.add("Flatten", along, scaled);
            return layer.reshapedLike(tree.get().shares(rows), x);
        }
        if (groups > 1) {
            Value parts = layer.reshaped(scaled, -1, groups, elements / groups);
            return layer.reshapedLike(layer.add("Softmax", new Params().put("axis", 2L), parts), x);
        }
        if (DarknetLayerCall.height(x) == 1 && DarknetLayerCall.width(x) == 1) {
            return layer.add("Softmax", along, scaled);
        }
        Value shares = layer.add("Softmax", along, layer.add("Flatten", along, scaled));
        return layer.reshapedLike(shares, x);
    }
}
