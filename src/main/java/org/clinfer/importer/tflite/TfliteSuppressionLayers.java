package org.clinfer.importer.tflite;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Boxes that overlap none with a higher score, with zeros in the places of those that there may be more, and how many. */
final class TfliteSuppressionLayers {

    private static final int MOST = 1 << 16;

    private TfliteSuppressionLayers() {}

    static void addTo(LayerTable<TfliteCall> all) {
        all.several("NON_MAX_SUPPRESSION_V4", call -> chosen(call, false));
        all.several("NON_MAX_SUPPRESSION_V5", call -> chosen(call, true));
    }

    private static double number(TfliteCall call, int input, String what) {
        Tensor tensor = call.constant(input).orElseThrow(() -> call.unsupportedUse("a computed " + what));
        if (tensor.elements() != 1) {
            throw call.malformed("its " + what + " must be one number");
        }
        return tensor.getDouble(0);
    }

    private static List<Value> chosen(TfliteCall call, boolean scored) {
        int inputs = scored ? 6 : 5;
        call.requireInputs(inputs, inputs);
        if (scored && number(call, 5, "width") != 0) {
            throw call.unsupportedUse("scores that fall with the overlap");
        }
        Value boxes = call.plain(call.stored(0, 2));
        Value scores = call.plain(call.stored(1, 1));
        long most = call.requiredInteger(2, "number of boxes");
        if (!boxes.shape().isKnown() || !scores.shape().isKnown() || most < 1 || most > MOST) {
            throw call.unsupportedUse(most + " of boxes " + boxes.shape());
        }
        Params limits = new Params()
                .put("max_output_boxes_per_class", most)
                .put("iou_threshold", number(call, 3, "threshold"))
                .put("score_threshold", number(call, 4, "threshold"));
        Value own = call.add("Unsqueeze", new Params().put("axis", new long[] {0}), boxes);
        Value each = call.add("Unsqueeze", new Params().put("axis", new long[] {0, 1}), scores);
        List<Value> found = call.addAll("NonMaxSuppression", List.of(own, each), limits, 2);
        Value numbers =
                call.add("Gather", new Params().put("axis", 1L), found.get(0), call.scalar("box", DType.INT64, 2));
        Params missing = new Params()
                .put("pad_with", new long[] {0, most - numbers.sizeOr0(0)})
                .put("constant_value", -1.0);
        Value all = call.add("Pad", missing, numbers);
        Value none = call.scalar("none", DType.INT64, 0);
        Value known = call.add("Max", all, none);
        List<Value> results = new ArrayList<>(List.of(whole(call, known)));
        if (scored) {
            Value there = call.add("GreaterOrEqual", all, none);
            Value of = call.add("Gather", new Params().put("axis", 0L), scores, known);
            results.add(call.add("Where", there, of, call.number("nothing", 0)));
        }
        results.add(whole(call, call.add("Squeeze", found.get(1))));
        return results;
    }

    private static Value whole(TfliteCall call, Value value) {
        return call.add("Cast", new Params().put("to", DType.INT32.label()), value);
    }
}
