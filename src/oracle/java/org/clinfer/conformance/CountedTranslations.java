package org.clinfer.conformance;

import java.util.List;
import java.util.Map;
import org.clinfer.conformance.Inexpressible.Reason;

/** Operators whose results ONNX cuts to their number: they are filled up again with -1. */
final class CountedTranslations {

    private CountedTranslations() {}

    static Map<String, Translation> all() {
        return Map.of(
                "NonMaxSuppression", CountedTranslations::nonMaxSuppression, "NonZero", CountedTranslations::nonZero);
    }

    private static List<String> nonMaxSuppression(OracleCall call, OnnxGraph graph) {
        Call params = call.params();
        long asked =
                params.hasInput(2) ? (long) params.input(2).flat(0) : params.integer("max_output_boxes_per_class", 0);
        long[] dims = call.dims(1);
        if (Array.elements(dims) == 0 || Array.elements(call.dims(0)) == 0) {
            throw new Inexpressible(Reason.NOTHING_TO_CHOOSE);
        }
        String chosen = graph.step(
                        "NonMaxSuppression",
                        call.input(0),
                        call.input(1),
                        params.hasInput(2) ? call.input(2) : graph.ints(asked),
                        params.has("iou_threshold") ? graph.reals(params.real("iou_threshold", 0)) : call.input(3),
                        params.has("score_threshold") ? graph.reals(params.real("score_threshold", 0)) : call.input(4))
                .with("center_point_box", params.flag("center_point_box", false))
                .out();
        long most = Math.max(0, Math.min(asked, dims[2]));
        return filled(graph, chosen, 0, graph.ints(dims[0] * dims[1] * most), graph.ints(3));
    }

    private static List<String> nonZero(OracleCall call, OnnxGraph graph) {
        if (call.dims(0).length == 0) {
            throw new Inexpressible(Reason.RANK_REFUSED);
        }
        String places = graph.step("NonZero", call.input(0)).out();
        return filled(graph, places, 1, graph.ints(Array.elements(call.dims(0))), graph.ints(call.dims(0).length));
    }

    /** What is found with -1 behind it along an axis up to so many, and how many were found. */
    private static List<String> filled(OnnxGraph graph, String found, long axis, String most, String other) {
        String count = graph.step("Gather", graph.step("Shape", found).out(), graph.ints(axis))
                .with("axis", 0L)
                .out();
        String rest = graph.step("Sub", most, count).out();
        String shape = graph.step("Concat", axis == 0 ? rest : other, axis == 0 ? other : rest)
                .with("axis", 0L)
                .out();
        String nothing = graph.step("Expand", graph.ints(-1), shape).out();
        String all = graph.step("Concat", found, nothing).with("axis", axis).out();
        return List.of(all, count);
    }
}
