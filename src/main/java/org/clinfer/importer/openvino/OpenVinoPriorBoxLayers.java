package org.clinfer.importer.openvino;

import java.util.List;
import java.util.Locale;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.PriorBoxes;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Layers of detectors with prior boxes. */
final class OpenVinoPriorBoxLayers {

    private static final String CODE = "caffe.priorboxparameter.";

    private OpenVinoPriorBoxLayers() {}

    static void addTo(LayerTable<OpenVinoLayerCall> all) {
        all.one("PriorBox", OpenVinoPriorBoxLayers::byRatios);
        all.one("PriorBoxClustered", OpenVinoPriorBoxLayers::byPairs);
        all.one("DetectionOutput", OpenVinoPriorBoxLayers::detections);
    }

    private static Value byRatios(OpenVinoLayerCall call) {
        OpenVinoAttributes attributes = call.attributes();
        for (String name : List.of("fixed_size", "fixed_ratio", "density")) {
            if (!attributes.reals(name).isEmpty()) {
                throw attributes.unsupported(name);
            }
        }
        for (String name : List.of("scale_all_sizes", "min_max_aspect_ratios_order")) {
            if (!attributes.flag(name, true)) {
                throw attributes.unsupported(name);
            }
        }
        attributes.require("min_size");
        List<Double> least = attributes.reals("min_size");
        List<Double> most = attributes.reals("max_size");
        if (least.isEmpty() || !(most.isEmpty() || most.size() == least.size())) {
            throw call.malformed("there are " + least.size() + " least and " + most.size() + " largest sizes");
        }
        List<Double> ratios = attributes.reals("aspect_ratio");
        if (ratios.stream().anyMatch(ratio -> !(ratio > 0))) {
            throw call.malformed("its ratios " + ratios + " are not all above 0");
        }
        double step = attributes.real("step", 0);
        double offset = attributes.real("offset");
        PriorBoxes boxes = new PriorBoxes(
                PriorBoxes.boxes(least, most, PriorBoxes.ratios(ratios, attributes.flag("flip", false))),
                step == 0 ? 0.5 : offset, // without a step, centres are in the middle of their cells
                attributes.flag("clip", false),
                variances(call));
        return priors(call, boxes, step, step);
    }

    private static Value byPairs(OpenVinoLayerCall call) {
        OpenVinoAttributes attributes = call.attributes();
        attributes.require("width", "height");
        List<Double> widths = attributes.reals("width");
        List<Double> heights = attributes.reals("height");
        if (widths.isEmpty() || widths.size() != heights.size()) {
            throw call.malformed("there are " + widths.size() + " widths and " + heights.size() + " heights");
        }
        double both = attributes.real("step", 0);
        double across = attributes.real("step_w", 0);
        double down = attributes.real("step_h", 0);
        PriorBoxes boxes = new PriorBoxes(
                PriorBoxes.boxes(widths, heights),
                attributes.real("offset"),
                attributes.flag("clip", true),
                variances(call));
        return priors(call, boxes, down == 0 ? both : down, across == 0 ? both : across);
    }

    private static List<Double> variances(OpenVinoLayerCall call) {
        List<Double> given = call.attributes().reals("variance");
        if (given.size() > 1 && given.size() != 4) {
            throw call.malformed("there must be 1 or 4 variances, but there are " + given.size());
        }
        return PriorBoxes.variances(given);
    }

    /** Two rows, of boxes and of their variances, for a vector of rows and columns of the map and one of the picture's. */
    private static Value priors(OpenVinoLayerCall call, PriorBoxes boxes, double down, double across) {
        call.requireInputs(2, 2);
        for (Value sizes : call.inputs()) {
            if (sizes.rank() != 1) {
                throw call.malformed("its inputs must be vectors of two sizes, but one is " + sizes.shape());
            }
        }
        if ((down == 0) != (across == 0)) {
            throw call.attributes().unsupported(down == 0 ? "step_w" : "step_h");
        }
        PriorBoxes.Grid grid = new PriorBoxes.Grid(call.input(0), Dim.unknown(), Dim.unknown());
        Value picture = PriorBoxes.real(call, call.input(1));
        Value steps = down == 0 ? PriorBoxes.steps(call, grid, picture) : PriorBoxes.pair(call, "steps", down, across);
        Value all = boxes.add(call, grid, steps, picture);
        return call.last("Squeeze", List.of(all), new Params().put("axis", new long[] {0}));
    }

    private static Value detections(OpenVinoLayerCall call) {
        call.requireInputs(3, 3);
        OpenVinoAttributes attributes = call.attributes();
        attributes.ignore("objectness_score"); // it counts for two more inputs
        attributes.ignore("input_height", "input_width"); // they count for boxes in pixels
        if (attributes.flag("decrease_label_id", false)) {
            throw attributes.unsupported("decrease_label_id");
        }
        if (!attributes.flag("normalized", false)) {
            throw attributes.unsupported("normalized");
        }
        Value priors = call.input(2);
        if (priors.rank() != 3) {
            throw call.malformed("its boxes must be one row and one of variances, but are " + priors.shape());
        }
        long count = call.size(priors, 2, "boxes") / 4;
        long classes = call.opset() < 8
                ? attributes.integer("num_classes")
                : call.size(call.input(1), 1, "scores") / Math.max(1, count);
        String code = attributes.choice("code_type", CODE + "corner", CODE + "corner", CODE + "center_size");
        long[] most = attributes.integers("keep_top_k", -1);
        if (most.length == 0) {
            throw attributes.unsupported("keep_top_k");
        }
        boolean isShared = attributes.flag("share_location", true);
        long numbers = call.size(call.input(0), 1, "numbers");
        if (numbers != count * (isShared ? 1 : classes) * 4) {
            throw call.malformed(
                    "it has " + numbers + " numbers for " + count + " boxes, with share_location=" + isShared);
        }
        Params detector = new Params()
                .put("num_classes", classes)
                .put("share_location", isShared)
                .put("background_label_id", attributes.integer("background_label_id", 0))
                .put("variance_encoded_in_target", attributes.flag("variance_encoded_in_target", false))
                .put("keep_top_k", limit(most[0]))
                .put("top_k", limit(attributes.integer("top_k", -1)))
                .put("code_type", code.substring(CODE.length()).toUpperCase(Locale.ROOT))
                .put("clip", attributes.flag("clip_before_nms", false))
                .put("confidence_threshold", attributes.real("confidence_threshold", 0))
                .put("nms_threshold", attributes.real("nms_threshold"));
        Value found = call.add("DetectionOutput", call.inputs(), detector);
        call.main(found);
        return ended(call, found, attributes.flag("clip_after_nms", false));
    }

    /** Every negative number means all. */
    private static long limit(long most) {
        return Math.max(-1, most);
    }

    /** The rows, of which the first that was not found has image -1 and is 0 otherwise, as all behind it are. */
    private static Value ended(OpenVinoLayerCall call, Value found, boolean clip) {
        Value rows = padded(call, found);
        Value none = call.like(rows, "none", 0);
        Value isFound = call.add("GreaterOrEqual", part(call, rows, 3, 0, 1), none);
        Value kept = call.add("Where", isFound, rows, none);
        Params type = new Params().put("to", rows.type().dtype().label());
        Value ones = call.add("Cast", type, isFound);
        Tensor one = Tensor.allocate(rows.type().dtype(), 1, 1, 1, 1);
        one.setDouble(0, 1);
        Value before =
                call.add("Concat", new Params().put("axis", 2L), call.constant("one", one), part(call, ones, 2, 0, -1));
        Value end = call.add("Sub", before, ones);
        Value images = call.add("Sub", part(call, kept, 3, 0, 1), end);
        Value corners = part(call, kept, 3, 3, 7);
        if (clip) {
            corners = call.add("Clip", new Params().put("min", 0.0).put("max", 1.0), corners);
        }
        List<Value> columns = List.of(images, part(call, kept, 3, 1, 3), corners);
        Value all = call.add("Concat", columns, new Params().put("axis", 3L));
        call.requireDeclared(all.shape());
        return call.cast(all, call.declaredType(0));
    }

    /** As many rows as are declared: some are for the background, which has none. */
    private static Value padded(OpenVinoLayerCall call, Value rows) {
        Shape declared = call.declared(0);
        boolean known = declared.rank() == 4 && declared.dim(2).isKnown() && rows.sizeOr0(2) > 0;
        long missing = known ? declared.size(2) - rows.sizeOr0(2) : 0;
        return missing <= 0
                ? rows
                : call.add(
                        "Pad",
                        new Params()
                                .put("pads", new long[] {0, 0, 0, 0, 0, 0, missing, 0})
                                .put("constant_value", -1.0),
                        rows);
    }

    private static Value part(OpenVinoLayerCall call, Value x, long axis, long from, long end) {
        return call.add(
                "Slice",
                new Params()
                        .put("starts", new long[] {from})
                        .put("ends", new long[] {end})
                        .put("axes", new long[] {axis}),
                x);
    }
}
