package org.clinfer.importer.tflite;

import com.google.flatbuffers.FlexBuffers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.text.Printable;

/**
 * Boxes of detectors: {@code TFLite_Detection_PostProcess}, which decodes boxes by anchors and keeps those with the highest
 * scores that overlap no better one, whatever their classes. It gives the boxes, their classes, their scores and their number.
 */
final class TfliteDetectionLayers {

    private static final int ANCHORS = 2;
    private static final int MOST = 1 << 16;

    /** Of them all but the last three, which say nothing about the boxes of one class each, are read. */
    private static final Set<String> NAMES = Set.of(
            "max_detections",
            "num_classes",
            "nms_score_threshold",
            "nms_iou_threshold",
            "y_scale",
            "x_scale",
            "h_scale",
            "w_scale",
            "use_regular_nms",
            "max_classes_per_detection",
            "detections_per_class",
            "_output_quantized",
            "_support_output_type_float_in_quantized_op");

    private TfliteDetectionLayers() {}

    static void addTo(LayerTable<TfliteCall> all) {
        all.several("TFLite_Detection_PostProcess", TfliteDetectionLayers::detections);
    }

    /** The options of the operator, which are a map by names. */
    private record Options(
            long detections,
            long classes,
            double scoreThreshold,
            double overlap,
            double scaleY,
            double scaleX,
            double scaleHeight,
            double scaleWidth) {

        static Options of(TfliteCall call) {
            ByteBuffer bytes = call.operator().custom().orElseThrow(() -> call.malformed("it has no options"));
            try {
                return of(call, FlexBuffers.getRoot(bytes).asMap());
            } catch (IndexOutOfBoundsException | IllegalArgumentException | FlexBuffers.FlexBufferException damaged) {
                throw call.malformed("its options are damaged");
            }
        }

        private static Options of(TfliteCall call, FlexBuffers.Map map) {
            FlexBuffers.KeyVector names = map.keys();
            for (int i = 0; i < names.size(); i++) {
                String name = names.get(i).toString();
                if (!NAMES.contains(name)) {
                    throw call.unsupportedUse("option " + Printable.shortened(name));
                }
            }
            Options options = new Options(
                    map.get("max_detections").asInt(),
                    map.get("num_classes").asInt(),
                    map.get("nms_score_threshold").asFloat(),
                    map.get("nms_iou_threshold").asFloat(),
                    map.get("y_scale").asFloat(),
                    map.get("x_scale").asFloat(),
                    map.get("h_scale").asFloat(),
                    map.get("w_scale").asFloat());
            if (map.get("use_regular_nms").asBoolean()) {
                throw call.unsupportedUse("use_regular_nms");
            }
            if (map.get("max_classes_per_detection").asInt() != 1) {
                throw call.unsupportedUse("several classes for each box");
            }
            options.requireSound(call);
            return options;
        }

        private void requireSound(TfliteCall call) {
            boolean scaled = scaleY > 0 && scaleX > 0 && scaleHeight > 0 && scaleWidth > 0;
            boolean fits = detections >= 1 && detections <= MOST && classes >= 1 && classes <= MOST;
            if (!scaled || !fits || !(overlap >= 0 && overlap <= 1)) {
                throw call.malformed("its options are " + this);
            }
        }
    }

    private static List<Value> detections(TfliteCall call) {
        call.requireInputs(3, 3);
        Options options = Options.of(call);
        Value encoded = call.plain(call.real(0));
        Value scores = call.plain(call.real(1));
        boolean known = encoded.rank() == 3
                && scores.rank() == 3
                && encoded.sizeOr0(0) == 1
                && scores.sizeOr0(2) > options.classes() - 1
                && scores.shape().isKnown();
        if (!known) {
            throw call.unsupportedUse("boxes " + encoded.shape() + " and scores " + scores.shape());
        }
        Value boxes = decoded(call, encoded, options);
        Value own = part(call, scores, 2, scores.sizeOr0(2) - options.classes(), scores.sizeOr0(2));
        Params last = new Params().put("axis", new long[] {2}).put("keep_dims", false);
        Value best = call.add("ReduceMax", last, own);
        Value classes = call.add("ArgMax", new Params().put("axis", 2L).put("keepdims", false), own);
        Value each = call.add("Unsqueeze", new Params().put("axis", new long[] {1}), best);
        Params limits = new Params()
                .put("max_output_boxes_per_class", options.detections())
                .put("iou_threshold", options.overlap())
                .put("score_threshold", options.scoreThreshold());
        List<Value> chosen = call.addAll("NonMaxSuppression", List.of(boxes, each), limits, 2);
        return results(call, options.detections(), chosen, List.of(boxes, classes, best));
    }

    /** The results of the boxes that were chosen, and zeros in the place of those that there may be more. */
    private static List<Value> results(TfliteCall call, long count, List<Value> chosen, List<Value> all) {
        Value numbers =
                call.add("Squeeze", new Params().put("axis", new long[] {1}), part(call, chosen.get(0), 1, 2, 3));
        Value zero = call.scalar("none", DType.INT64, 0);
        Value isChosen = call.add("GreaterOrEqual", numbers, zero);
        Value rows = call.add("Max", numbers, zero);
        Value column = call.add("Unsqueeze", new Params().put("axis", new long[] {1}), isChosen);
        Value classes = call.add("Cast", new Params().put("to", "float32"), all.get(1));
        return List.of(
                picked(call, count, all.get(0), rows, column),
                picked(call, count, classes, rows, isChosen),
                picked(call, count, all.get(2), rows, isChosen),
                call.add("Cast", new Params().put("to", "float32"), chosen.get(1)));
    }

    /** As many rows as there may be boxes; there are no more of them than anchors. */
    private static Value picked(TfliteCall call, long count, Value of, Value rows, Value isChosen) {
        Value there = call.add("Gather", new Params().put("axis", 1L), of, rows);
        Value found = call.add("Where", isChosen, there, call.scalar("nothing", DType.FLOAT32, 0));
        long missing = count - rows.sizeOr0(0);
        long[] widths = new long[2 * found.rank()];
        widths[3] = missing;
        return missing == 0 ? found : call.add("Pad", new Params().put("pad_with", widths), found);
    }

    private static Value part(TfliteCall call, Value x, long axis, long from, long to) {
        Params params = new Params()
                .put("starts", new long[] {from})
                .put("ends", new long[] {to})
                .put("axes", new long[] {axis});
        return call.add("Slice", params, x);
    }

    /** Corners of boxes of which a centre relative to the anchor's and logarithms of relative sizes are given. */
    private static Value decoded(TfliteCall call, Value encoded, Options options) {
        Value anchors = call.plain(call.real(ANCHORS));
        if (anchors.rank() != 2) {
            throw call.malformed("its anchors have " + anchors.rank() + " axes");
        }
        Value[] y = range(call, encoded, anchors, 0, options.scaleY(), options.scaleHeight());
        Value[] x = range(call, encoded, anchors, 1, options.scaleX(), options.scaleWidth());
        return call.add("Concat", List.of(y[0], x[0], y[1], x[1]), new Params().put("axis", 2L));
    }

    /** The lower and the upper end along one of the axes of a picture. */
    private static Value[] range(
            TfliteCall call, Value encoded, Value anchors, int axis, double centreScale, double sizeScale) {
        Value anchorCentre = part(call, anchors, 1, axis, axis + 1L);
        Value anchorSize = part(call, anchors, 1, axis + 2L, axis + 3L);
        Value shift =
                call.add("Div", part(call, encoded, 2, axis, axis + 1L), call.number("centre_scale", centreScale));
        Value centre = call.add("Add", call.add("Mul", shift, anchorSize), anchorCentre);
        Value growth =
                call.add("Div", part(call, encoded, 2, axis + 2L, axis + 3L), call.number("size_scale", sizeScale));
        Value size = call.add("Mul", call.add("Exp", growth), anchorSize);
        Value half = call.add("Mul", size, call.number("half", 0.5));
        return new Value[] {call.add("Sub", centre, half), call.add("Add", centre, half)};
    }
}
