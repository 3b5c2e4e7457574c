package org.clinfer.importer.caffe;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/** Layers that change rows and columns, or move them into channels and back. */
final class CaffeResizingLayers {

    private CaffeResizingLayers() {}

    static void addTo(LayerTable<CaffeLayerCall> all) {
        all.one("Interp", CaffeResizingLayers::interpolate);
        all.one("Upsample", CaffeResizingLayers::upsample);
        all.one("Unpooling", CaffeResizingLayers::unpool);
        all.one("Resample", CaffeResizingLayers::resample);
        all.one("Reorg", CaffeResizingLayers::reorganize);
        all.one("ShuffleChannel", CaffeResizingLayers::shuffle);
        all.one("DepthToSpace", CaffeResizingLayers::depthToSpace);
    }

    private static Value picture(CaffeLayerCall call) {
        return picture(call, call.input());
    }

    private static Value picture(CaffeLayerCall call, Value x) {
        if (x.rank() != 4) {
            throw call.malformed("its bottom must have 4 axes, but has " + x.rank());
        }
        return x;
    }

    /** Linear interpolation between the corners. */
    private static Value interpolate(CaffeLayerCall call) {
        CaffeFields params = call.params("interp_param");
        Value x = cropped(call, params, picture(call));
        Params corners = new Params()
                .put("mode", "linear")
                .put("coordinate_mode", "align_corners")
                .put("axes", new long[] {2, 3});
        long shrink = params.size("shrink_factor", 1, 1);
        long zoom = params.size("zoom_factor", 1, 1);
        if (!params.has("shrink_factor") && !params.has("zoom_factor")) {
            long[] sizes = {params.size("height", 0, 1), params.size("width", 0, 1)};
            if (sizes[0] == 0 || sizes[1] == 0) {
                throw params.wrong("height", "neither factors nor height and width are given");
            }
            return call.add("Resize", List.of(x), corners.put("sizes", sizes));
        }
        for (String size : List.of("height", "width")) {
            if (params.has(size)) {
                throw params.wrong(size, "it is given beside zoom_factor or shrink_factor");
            }
        }
        LongUnaryOperator resized = size -> zoomed((size - 1) / shrink + 1, zoom);
        Value sizes = call.sizes(x, 2, 4);
        if (shrink > 1) {
            sizes = arithmetic(call, "Sub", sizes, "one", 1);
            sizes = arithmetic(call, "Div", sizes, "shrink_factor", shrink);
            sizes = arithmetic(call, "Add", sizes, "one", 1);
        }
        if (zoom > 1) {
            sizes = arithmetic(call, "Mul", sizes, "zoom_factor", zoom);
            sizes = arithmetic(call, "Sub", sizes, "zoom_rest", zoom - 1);
        }
        List<Value> operands = List.of(x, CaffeShapeLayers.NONE, CaffeShapeLayers.NONE, sizes);
        return call.add("Resize", operands, corners, resized(x.shape(), resized));
    }

    private static long zoomed(long size, long zoom) {
        return size + (size - 1) * (zoom - 1);
    }

    private static Value arithmetic(CaffeLayerCall call, String op, Value sizes, String name, long number) {
        return call.add(op, List.of(sizes, call.vector(name, number)), new Params(), sizes.shape());
    }

    private static Shape resized(Shape x, LongUnaryOperator size) {
        List<Dim> dims = new ArrayList<>(x.dims());
        for (int axis = 2; axis < 4; axis++) {
            if (x.dim(axis) instanceof Dim.Known known) {
                dims.set(axis, Dim.of(Math.max(0, size.applyAsLong(known.size()))));
            }
        }
        return new Shape(dims);
    }

    /** Negative padding. */
    private static Value cropped(CaffeLayerCall call, CaffeFields params, Value x) {
        long begin = params.integer("pad_beg", 0, -(1L << 30), 0);
        long end = params.integer("pad_end", 0, -(1L << 30), 0);
        return begin == 0 && end == 0
                ? x
                : call.add(
                        "Pad", List.of(x), new Params().put("pad_with", new long[] {0, 0, 0, 0, begin, end, begin, end
                                }));
    }

    /** Repeats rows and columns; with a mask of a pool, elements go back to where they came from. */
    private static Value upsample(CaffeLayerCall call) {
        CaffeFields params = call.params("upsample_param");
        long scale = params.size("scale", 2, 1);
        if (call.inputs().size() > 1) {
            return maskedUpsample(call, params, scale);
        }
        return call.add(
                "Upsample",
                List.of(picture(call)),
                new Params().put("scale", new long[] {scale, scale}).put("mode", "NEAREST"));
    }

    /** With {@code pad_out} one row or column less, as pools of odd sizes need it. */
    private static Value maskedUpsample(CaffeLayerCall call, CaffeFields params, long scale) {
        List<Value> inputs = call.inputs(2, 2);
        long[] scales = {params.size("scale_h", scale, 1), params.size("scale_w", scale, 1)};
        long[] ends = {
            params.flag("pad_out_h", false) ? -1 : Long.MAX_VALUE, params.flag("pad_out_w", false) ? -1 : Long.MAX_VALUE
        };
        long[] size = {params.size("upsample_h", 0, 0), params.size("upsample_w", 0, 0)};
        params.requireTogether("upsample_h", "upsample_w");
        Value whole = MaskedPools.unpool(call, inputs.get(0), inputs.get(1), size);
        if (size[0] == 0 || params.has("scale") || params.has("scale_h") || params.has("scale_w")) {
            String windows = params.has("scale_h") ? "scale_h" : params.has("scale_w") ? "scale_w" : "scale";
            MaskedPools.requireWindows(call, windows, inputs.get(1), scales);
        }
        if (size[0] != 0) {
            for (String less : List.of("pad_out_h", "pad_out_w")) {
                if (params.flag(less, false)) {
                    throw params.wrong(less, "the size is given already");
                }
            }
            return whole;
        }
        return ends[0] == ends[1] && ends[0] != -1
                ? whole
                : call.add(
                        "Slice",
                        List.of(whole),
                        new Params()
                                .put("starts", new long[] {0, 0})
                                .put("ends", ends)
                                .put("axes", new long[] {2, 3}));
    }

    /** The same under another name. */
    private static Value unpool(CaffeLayerCall call) {
        CaffeFields params = call.params("unpooling_param");
        if (!params.choice("unpool", "MAX", "MAX", "AVE", "TILE").equals("MAX")) {
            throw call.unsupportedUse("another 'unpool' than MAX");
        }
        List<Value> inputs = call.inputs(2, 2);
        for (String windows : List.of("kernel_size", "stride")) {
            if (params.has(windows)) {
                long written = params.size(windows, 0, 1);
                MaskedPools.requireWindows(call, windows, inputs.get(1), written, written);
            }
        }
        params.requireTogether("unpool_h", "unpool_w");
        if (params.has("unpool_size") && params.has("unpool_h")) {
            throw params.wrong("unpool_size", "it is given beside unpool_h and unpool_w");
        }
        long side = params.size("unpool_size", 0, 0);
        long[] size = {params.size("unpool_h", side, 0), params.size("unpool_w", side, 0)};
        return MaskedPools.unpool(call, inputs.get(0), inputs.get(1), size);
    }

    private static Value resample(CaffeLayerCall call) {
        CaffeFields params = call.params("resample_param");
        List<Value> inputs = call.inputs(1, 2);
        Value x = picture(call, inputs.get(0));
        String type = params.choice("type", "LINEAR", "", "NEAREST", "LINEAR", "CUBIC", "AREA");
        boolean filtered = params.flag("antialias", true) && !type.equals("NEAREST");
        if (filtered || !(type.equals("NEAREST") || type.equals("LINEAR"))) {
            throw call.unsupportedUse("type " + type + (filtered ? " and 'antialias'" : ""));
        }
        Params halves = new Params()
                .put("mode", type.equals("NEAREST") ? "nearest" : "linear")
                .put("coordinate_mode", "half_pixel")
                .put("nearest_mode", "round_prefer_ceil");
        double factor = params.real("factor", 1);
        params.requireTogether("width", "height");
        for (String size : List.of("width", "height")) {
            if (inputs.size() == 2 && params.has(size)) {
                throw params.wrong(size, "the size is given already, by the second bottom");
            }
        }
        if (inputs.size() == 1 && params.has("width") && params.has("factor")) {
            throw params.wrong("factor", "the size is given already, by width and height");
        }
        if (inputs.size() == 2) {
            Value like = picture(call, inputs.get(1));
            List<Dim> dims = new ArrayList<>(x.shape().dims().subList(0, 2));
            dims.addAll(like.shape().dims().subList(2, 4));
            List<Value> operands = List.of(x, CaffeShapeLayers.NONE, CaffeShapeLayers.NONE, call.sizes(like, 2, 4));
            return call.add("Resize", operands, halves.put("axes", new long[] {2, 3}), new Shape(dims));
        }
        if (params.has("width")) {
            long[] sizes = {params.size("height", 1, 1), params.size("width", 1, 1)};
            return call.add("Resize", List.of(x), halves.put("sizes", sizes).put("axes", new long[] {2, 3}));
        }
        return call.add("Resize", List.of(x), halves.put("scales", new double[] {1, 1, factor, factor}));
    }

    private static Value reorganize(CaffeLayerCall call) {
        CaffeFields params = call.params("reorg_param");
        return reorganize(call, params.size("stride", 2, 1), params.flag("reverse", false));
    }

    /** Darknet's order of elements. */
    static Value reorganize(CaffeLayerCall call, long stride, boolean reverse) {
        return call.add(
                "Reorg",
                List.of(picture(call)),
                new Params().put("scale", stride).put("reversed", reverse).put("order", "DARKNET"));
    }

    private static Value depthToSpace(CaffeLayerCall call) {
        CaffeFields params = call.params("depth_to_space_param");
        params.choice("data_format", "NCHW", "NCHW");
        return depthToSpace(call, params.size("block_size", 2, 1), "DCR");
    }

    static Value depthToSpace(CaffeLayerCall call, long scale, String order) {
        Params params = new Params().put("scale", scale).put("reversed", true).put("order", order);
        return call.add("Reorg", List.of(picture(call)), params);
    }

    /** The channels of several groups in turn. */
    private static Value shuffle(CaffeLayerCall call) {
        CaffeFields params = call.params("shuffle_channel_param");
        Value x = picture(call);
        long group = params.size("group", 1, 1);
        if (!(x.shape().dim(1) instanceof Dim.Known channels)) {
            throw call.unsupportedUse("a number of channels that is not known");
        }
        if (channels.size() % group != 0) {
            throw params.wrong("group", channels.size() + " channels cannot be divided into " + group + " groups");
        }
        long[] split = {0, group, channels.size() / group, -1};
        Value groups = call.add("Reshape", List.of(x), new Params().put("shape", split));
        Value turned = call.add("Transpose", List.of(groups), new Params().put("perm", new long[] {0, 2, 1, 3}));
        return call.add("Reshape", List.of(turned, call.sizes(x, 0, 4)), new Params(), x.shape());
    }
}
