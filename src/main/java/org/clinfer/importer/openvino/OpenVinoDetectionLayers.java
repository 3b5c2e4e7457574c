package org.clinfer.importer.openvino;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Boxes and regions. */
final class OpenVinoDetectionLayers {

    /** The operator set from which on the number of boxes is what was found, and not what there may be. */
    private static final int COUNTED = 5;

    /** Rows of windows of a region, at most. */
    private static final long MOST_WINDOWS = 1 << 15;

    private OpenVinoDetectionLayers() {}

    static void addTo(LayerTable<OpenVinoLayerCall> all) {
        all.several("NonMaxSuppression", OpenVinoDetectionLayers::suppression);
        all.one("RegionYolo", OpenVinoDetectionLayers::cells);
        all.one("ROIAlign", OpenVinoDetectionLayers::aligned);
        all.one("ROIPooling", OpenVinoDetectionLayers::regions);
        all.one("PSROIPooling", OpenVinoDetectionLayers::positionSensitive);
        all.several("Proposal", OpenVinoDetectionLayers::proposals);
    }

    /** The scores of the boxes, a second output, are not computed. */
    private static List<Value> suppression(OpenVinoLayerCall call) {
        if (call.opset() < COUNTED) {
            throw call.unsupportedUse("rows for boxes that were not found");
        }
        call.requireInputs(2, 6);
        OpenVinoAttributes attributes = call.attributes();
        call.requireDeclaredType(0, "output_type", "i64");
        Value scores = call.input(1);
        boolean one = scores.rank() == 3 && scores.sizeOr0(0) == 1 && scores.sizeOr0(1) == 1;
        if (attributes.flag("sort_result_descending", true) && !one) {
            throw call.attributes().unsupported("sort_result_descending");
        }
        if (call.inputCount() == 6 && call.real(5, "widths") != 0) {
            throw call.unsupportedUse("scores that fall with the overlap");
        }
        boolean centre =
                attributes.choice("box_encoding", "corner", "corner", "center").equals("center");
        Params params = new Params()
                .put("center_point_box", centre)
                .put("max_output_boxes_per_class", call.inputCount() > 2 ? call.integer(2, "counts") : 0)
                .put("iou_threshold", call.inputCount() > 3 ? call.real(3, "thresholds") : 0);
        if (call.inputCount() > 4) {
            params.put("score_threshold", call.real(4, "thresholds"));
        }
        List<Value> found = call.addAll("NonMaxSuppression", List.of(call.input(0), scores), params, 2);
        call.main(found.get(0));
        Params first = new Params().put("starts", new long[] {0}).put("axes", new long[] {0});
        Value chosen = call.add("Slice", List.of(found.get(0), Value.NONE, found.get(1)), first, call.declared(0));
        List<Value> outputs = new ArrayList<>(List.of(call.cast(chosen, call.declaredType(0))));
        if (call.outputCount() > 2) {
            outputs.add(Value.NONE);
            outputs.add(call.cast(found.get(1), call.declaredType(2)));
        }
        return outputs;
    }

    /**
     * The places, sizes and probabilities of the boxes of each cell. With shares of classes the result is flattened, otherwise
     * it has the boxes of the mask alone.
     */
    private static Value cells(OpenVinoLayerCall call) {
        OpenVinoAttributes attributes = call.attributes();
        attributes.ignore("anchors"); // for those who read the result
        Value x = call.input();
        if (x.rank() != 4) {
            throw call.malformed("its input must have 4 axes, but is " + x.shape());
        }
        boolean isShared = attributes.flag("do_softmax", true);
        long coordinates = attributes.integer("coords");
        long classes = attributes.integer("classes");
        long all = attributes.integer("num");
        long[] mask = attributes.integers("mask");
        long boxes = isShared ? all : mask.length;
        if (!isShared && LongStream.of(mask).anyMatch(box -> box < 0 || box >= all)) {
            throw call.malformed("its mask has others than the " + all + " boxes that num says");
        }
        long parts = coordinates + 1 + classes;
        if (coordinates < 2 || classes < 1 || boxes < 1 || call.size(x, 1, "channels") != boxes * parts) {
            throw call.malformed("it has " + x.shape().dim(1) + " channels, not those of " + boxes
                    + (isShared ? " boxes (num)" : " boxes (mask)") + " with coords=" + coordinates + " and classes="
                    + classes + ", do_softmax=" + isShared);
        }
        Value apart = call.add("Reshape", new Params().put("shape", new long[] {0, boxes, parts, -1}), x);
        Value places = call.add("Sigmoid", part(call, apart, 2, 0, 2));
        Value sizes = part(call, apart, 2, 2, coordinates);
        Value scores = call.add("Sigmoid", part(call, apart, 2, coordinates, coordinates + 1));
        Value raw = part(call, apart, 2, coordinates + 1, parts);
        Value kinds = isShared ? call.add("Softmax", new Params().put("axis", 2L), raw) : call.add("Sigmoid", raw);
        List<Value> joined = coordinates == 2 ? List.of(places, scores, kinds) : List.of(places, sizes, scores, kinds);
        Value cells = call.add("Concat", joined, new Params().put("axis", 2L));
        if (!isShared) {
            attributes.ignore("axis", "end_axis");
            return call.last("Reshape", List.of(cells, call.add("Shape", x)), new Params());
        }
        long axis = call.axis(attributes.integer("axis", 1), 4);
        long end = call.axis(attributes.integer("end_axis", -1), 4);
        if (axis != 1 || end != 3) {
            throw attributes.unsupported(axis == 1 ? "end_axis" : "axis");
        }
        return call.last("Flatten", List.of(cells), new Params().put("axis", 1L));
    }

    private static Value part(OpenVinoLayerCall call, Value x, long axis, long from, long end) {
        Params range = new Params()
                .put("starts", new long[] {from})
                .put("ends", new long[] {end})
                .put("axes", new long[] {axis});
        return call.add("Slice", range, x);
    }

    /** Means of points in regions. */
    private static Value aligned(OpenVinoLayerCall call) {
        call.requireInputs(3, 3);
        OpenVinoAttributes attributes = call.attributes();
        attributes.requiredChoice("mode", "avg");
        boolean isShifted = attributes
                .choice("aligned_mode", "asymmetric", "asymmetric", "half_pixel_for_nn")
                .equals("half_pixel_for_nn");
        Params params = new Params()
                .put("mode", "avg")
                .put("coordinate_transformation_mode", isShifted ? "half_pixel" : "output_half_pixel")
                .put("output_height", attributes.integer("pooled_h"))
                .put("output_width", attributes.integer("pooled_w"))
                .put("sampling_ratio", attributes.integer("sampling_ratio"))
                .put("spatial_scale", attributes.real("spatial_scale"));
        return call.last("RoiAlign", call.inputs(), params);
    }

    private static Value regions(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        OpenVinoAttributes attributes = call.attributes();
        attributes.choice("method", "max", "max");
        Params params = new Params()
                .put("pooled_size", pooledSize(attributes))
                .put("spatial_scale", attributes.real("spatial_scale"));
        return call.last("RoiPool", call.inputs(), params);
    }

    /** Means of windows of their own channels. */
    private static Value positionSensitive(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        OpenVinoAttributes attributes = call.attributes();
        attributes.choice("mode", "average", "average");
        attributes.ignore("spatial_bins_x", "spatial_bins_y"); // for points between pixels
        long group = attributes.integer("group_size", 1);
        long outputs = attributes.integer("output_dim");
        long channels = call.size(call.input(0), 1, "channels");
        boolean fits = group >= 1 && group <= MOST_WINDOWS && channels % (group * group) == 0;
        if (!fits || channels / (group * group) != outputs) {
            throw call.malformed("it has " + channels + " channels, not those of output_dim=" + outputs
                    + " and group_size=" + group);
        }
        Params params = new Params().put("group_size", group).put("spatial_scale", attributes.real("spatial_scale"));
        return call.last("PsRoiPool", call.inputs(), params);
    }

    /** Regions of pictures, perhaps as shares of their sides, and their scores. */
    private static List<Value> proposals(OpenVinoLayerCall call) {
        call.requireInputs(3, 3);
        OpenVinoAttributes attributes = call.attributes();
        attributes.choice("framework", "", "");
        attributes.require("ratio", "scale");
        attributes.ignore("clip_after_nms"); // what was clipped before stays as it is
        if (!attributes.flag("clip_before_nms", true)) {
            throw attributes.unsupported("clip_before_nms");
        }
        Value info = call.input(2);
        if (!info.shape().equals(Shape.of(3)) && !info.shape().equals(Shape.of(1, 3))) {
            throw call.unsupportedUse("the size of a picture as " + info.shape());
        }
        Params params = new Params()
                .put("feat_stride", attributes.integer("feat_stride"))
                .put("base_size", attributes.integer("base_size"))
                .put("min_size", attributes.real("min_size"))
                .put("ratio", reals(attributes, "ratio"))
                .put("scale", reals(attributes, "scale"))
                .put("pre_nms_topn", attributes.integer("pre_nms_topn"))
                .put("post_nms_topn", attributes.integer("post_nms_topn"))
                .put("nms_thresh", attributes.real("nms_thresh"));
        Value rows = call.reshaped(info, Shape.of(1, 3));
        List<Value> operands = List.of(call.input(0), scaled(call), rows);
        List<Value> found = call.addAll("Proposal", operands, params, call.outputCount());
        call.main(found.get(0));
        call.requireDeclared(found.get(0).shape());
        List<Value> outputs = new ArrayList<>();
        outputs.add(attributes.flag("normalize", false) ? shares(call, found.get(0), rows) : found.get(0));
        if (call.outputCount() > 1) {
            outputs.add(call.add("Squeeze", new Params().put("axis", new long[] {1}), found.get(1)));
        }
        return outputs;
    }

    private static double[] reals(OpenVinoAttributes attributes, String name) {
        return attributes.reals(name).stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** The deltas by the numbers that places and sizes are divided by. */
    private static Value scaled(OpenVinoLayerCall call) {
        Value deltas = call.input(1);
        double places = call.attributes().real("box_coordinate_scale", 1);
        double sizes = call.attributes().real("box_size_scale", 1);
        if (places == 1 && sizes == 1) {
            return deltas;
        }
        long channels = call.size(deltas, 1, "channels");
        Value apart = call.add("Reshape", new Params().put("shape", new long[] {0, channels / 4, 4, -1}), deltas);
        float[] divisors = {(float) places, (float) places, (float) sizes, (float) sizes};
        Value four = call.cast(
                call.constant("scales", Tensor.of(divisors, 4, 1)),
                deltas.type().dtype());
        return call.add("Reshape", call.add("Div", apart, four), call.add("Shape", deltas));
    }

    /** Regions as shares of the height and width of the picture. */
    private static Value shares(OpenVinoLayerCall call, Value regions, Value size) {
        Params columns = new Params().put("axis", 1L);
        Value sides = call.add("Gather", columns, size, call.vector("sides", 1, 0, 1, 0));
        Value corners = call.add("Div", part(call, regions, 1, 1, 5), sides);
        return call.add("Concat", columns, part(call, regions, 1, 0, 1), corners);
    }

    /** Height and width, which files have as one attribute, as two, or in both ways. */
    private static long[] pooledSize(OpenVinoAttributes attributes) {
        for (String name : List.of("output_roi", "output_size")) {
            if (attributes.has(name)) {
                long[] size = attributes.integers(name, 2, 0);
                if (attributes.integer("pooled_h", size[0]) != size[0]) {
                    throw attributes.unsupported("pooled_h");
                }
                if (attributes.integer("pooled_w", size[1]) != size[1]) {
                    throw attributes.unsupported("pooled_w");
                }
                return size;
            }
        }
        return new long[] {attributes.integer("pooled_h"), attributes.integer("pooled_w")};
    }
}
