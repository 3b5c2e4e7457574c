package org.clinfer.importer.ncnn;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Layers that change rows and columns, or move them into channels and back. */
final class NcnnResizingLayers {

    private NcnnResizingLayers() {}

    static void addTo(LayerTable<NcnnLayerCall> all) {
        all.one("Interp", NcnnResizingLayers::interpolate);
        all.one("PixelShuffle", call -> reorganize(call, true));
        all.one("Reorg", call -> reorganize(call, false));
        all.one("ShuffleChannel", NcnnResizingLayers::shuffle);
    }

    /** A blob of one axis is that many pictures of one cell. */
    private static Value interpolate(NcnnLayerCall call) {
        LayerParams params = call.params();
        boolean likeOther = params.flag(5, false) || call.inputs(1, 2).size() == 2;
        List<Value> inputs = likeOther ? call.inputs(2, 2) : call.inputs(1, 1);
        Value given = inputs.get(0);
        Value x = NcnnLayerCall.dims(given) == 1
                ? call.add("Unsqueeze", List.of(given), new Params().put("axis", new long[] {2, 3}))
                : call.picture(given);
        Params resize = new Params();
        boolean corners = params.flag(6, false);
        int type = params.integer(0, 0);
        switch (type) {
            case 1 ->
                resize.put("mode", "nearest")
                        .put("coordinate_mode", "asymmetric")
                        .put("nearest_mode", "floor");
            case 2, 3 ->
                resize.put("mode", type == 2 ? "linear" : "cubic")
                        .put("coordinate_mode", corners ? "align_corners" : "half_pixel");
            default -> throw call.unsupportedUse("type " + type);
        }
        double[] scales = {params.real(1, 1), params.real(2, 1)};
        int height = params.size(3, 0, 0);
        int width = params.size(4, 0, 0);
        if (likeOther) {
            Value other = call.picture(inputs.get(1));
            List<Dim> dims = new ArrayList<>(x.shape().dims().subList(0, 2));
            dims.addAll(other.shape().dims().subList(2, 4));
            return toSizes(call, x, resize, call.sizes(other, 2, 4), new Shape(dims));
        }
        if (height > 0 && width > 0) {
            return call.add(
                    "Resize",
                    List.of(x),
                    resize.put("sizes", new long[] {height, width}).put("axes", new long[] {2, 3}));
        }
        if (height > 0 || width > 0) {
            throw call.unsupportedUse("a height or a width alone");
        }
        if (!(scales[0] > 0) || !(scales[1] > 0)) {
            throw params.wrong(1, "expected factors above 0, found " + scales[0] + " and " + scales[1]);
        }
        boolean whole = scales[0] == Math.rint(scales[0]) && scales[1] == Math.rint(scales[1]);
        if (type == 1 || (whole && !corners)) {
            double[] all = {1, 1, scales[0], scales[1]};
            return call.add("Resize", List.of(x), resize.put("scales", all));
        }
        return scaled(call, x, resize, scales);
    }

    private static Value toSizes(NcnnLayerCall call, Value x, Params resize, Value sizes, Shape shape) {
        return call.add(
                "Resize", List.of(x, Value.NONE, Value.NONE, sizes), resize.put("axes", new long[] {2, 3}), shape);
    }

    /** The ratio between cells is that of the rounded sizes, not the factor. */
    private static Value scaled(NcnnLayerCall call, Value x, Params resize, double[] scales) {
        Value sizes = call.sizes(x, 2, 4);
        Shape two = sizes.shape();
        Value real = call.add("Cast", List.of(sizes), new Params().put("to", DType.FLOAT32.toString()));
        Value factors =
                call.join(List.of(factor(call, "height_scale", scales[0]), factor(call, "width_scale", scales[1])));
        Value product = call.add("Mul", List.of(real, factors), new Params(), two);
        Value rounded = call.add("Floor", List.of(product), new Params(), two);
        Value target = call.add("Cast", List.of(rounded), new Params().put("to", DType.INT64.toString()));
        List<Dim> dims = new ArrayList<>(x.shape().dims().subList(0, 2));
        for (int i = 0; i < 2; i++) {
            long size = x.sizeOr0(i + 2);
            dims.add(size == 0 ? Dim.unknown() : Dim.of((long) ((float) size * (float) scales[i])));
        }
        return toSizes(call, x, resize, target, new Shape(dims));
    }

    private static Value factor(NcnnLayerCall call, String name, double value) {
        return call.constant(name, Tensor.of(new float[] {(float) value}, 1));
    }

    private static Value reorganize(NcnnLayerCall call, boolean reversed) {
        long scale = call.params().size(0, 1, 1);
        boolean blocksFirst = call.params().flag(1, false);
        return call.add(
                "Reorg",
                List.of(call.picture()),
                new Params().put("scale", scale).put("reversed", reversed).put("order", blocksFirst ? "DCR" : "CRD"));
    }

    /** The channels of several groups in turn, or back. */
    private static Value shuffle(NcnnLayerCall call) {
        LayerParams params = call.params();
        Value x = call.picture();
        long channels = x.sizeOr0(1);
        long group = params.size(0, 1, 1);
        if (channels == 0) {
            throw call.unsupportedUse("a number of channels that is not known");
        }
        if (channels % group != 0) {
            throw params.wrong(0, channels + " channels cannot be divided into " + group + " groups");
        }
        long outer = params.flag(1, false) ? channels / group : group;
        long[] split = {0, outer, channels / outer, -1};
        Value groups = call.add("Reshape", List.of(x), new Params().put("shape", split));
        Value turned = call.add("Transpose", List.of(groups), new Params().put("perm", new long[] {0, 2, 1, 3}));
        return call.add("Reshape", List.of(turned, call.sizes(x, 0, 4)), new Params(), x.shape());
    }
}
