package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Map;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** Boxes that overlap none with a higher score, and how many they are. */
final class TfSuppressionTranslators {

    private static final Params FIRST = new Params().put("axis", 0L);

    private TfSuppressionTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.of(
                "CombinedNonMaxSuppression", TfCombinedSuppression::translate,
                "NonMaxSuppression", TfSuppressionTranslators::byAttribute,
                "NonMaxSuppressionV2", call -> chosen(call, call.plain(3), "", false),
                "NonMaxSuppressionV3", call -> chosen(call, call.plain(3), call.plain(4), false),
                "NonMaxSuppressionV4", TfSuppressionTranslators::counted,
                "NonMaxSuppressionV5", TfSuppressionTranslators::scored);
    }

    private static void byAttribute(TfCall call) {
        double overlap = call.node().real("iou_threshold", 0.5f);
        chosen(call, call.scalar(DType.FLOAT32, overlap), "", false);
    }

    private static void counted(TfCall call) {
        Chosen chosen = chosen(call, call.plain(3), call.plain(4), padded(call));
        count(call, 1, chosen);
    }

    private static void scored(TfCall call) {
        double sigma = call.constant(5)
                .filter(known -> known.elements() == 1)
                .orElseThrow(() -> call.unsupportedUse("a computed soft_nms_sigma"))
                .getDouble(0);
        if (sigma != 0) {
            new TfSoftSuppression(call).translate(padded(call));
            return;
        }
        Chosen chosen = chosen(call, call.plain(3), call.plain(4), padded(call));
        String scores = call.step("Gather", List.of(call.plain(1), chosen.boxes()), FIRST);
        if (padded(call)) {
            String none = call.scalar(call.dtype(call.input(1)), 0);
            call.give(1, "Where", List.of(chosen.there(), scores, none), new Params(), false);
        } else {
            call.give(1, "Identity", List.of(scores), new Params(), false);
        }
        count(call, 2, chosen);
    }

    private static boolean padded(TfCall call) {
        return call.node().flag("pad_to_max_output_size", false);
    }

    private static void count(TfCall call, int port, Chosen chosen) {
        giveCount(call, port, chosen.count());
    }

    /** Gives a number of boxes, from a vector of one element. */
    static void giveCount(TfCall call, int port, String count) {
        String scalar = call.step("Squeeze", count);
        call.give(port, "Cast", List.of(scalar), new Params().put("to", DType.INT32.label()), false);
    }

    /**
     * The boxes that are chosen.
     *
     * @param boxes their numbers; 0 where there is none
     * @param there whether there is one
     * @param count how many there are, a vector of one element
     */
    private record Chosen(String boxes, String there, String count) {}

    /** Gives the numbers of the boxes as the first output, with as many zeros behind them as the node may have more. */
    private static Chosen chosen(TfCall call, String overlap, String least, boolean padded) {
        Params front = new Params().put("axis", new long[] {0});
        String boxes = call.step("Unsqueeze", List.of(call.plain(call.input(0, 2))), front);
        String scores = call.step(
                "Unsqueeze", List.of(call.plain(call.input(1, 1))), new Params().put("axis", new long[] {0, 1}));
        String most = call.plain(2);
        List<String> found =
                call.steps("NonMaxSuppression", List.of(boxes, scores, most, overlap, least), new Params(), 2);
        String rows = found.get(0);
        if (!padded) {
            Params first = new Params().put("starts", new long[] {0}).put("axes", new long[] {0});
            rows = call.step("Slice", List.of(rows, "", found.get(1)), first);
        }
        Params last = new Params().put("axis", 1L);
        String numbers = call.step("Gather", List.of(rows, call.scalar(DType.INT64, 2)), last);
        if (padded) {
            numbers = filled(call, numbers, most);
        }
        String none = call.scalar(DType.INT64, 0);
        String there = padded ? call.step("GreaterOrEqual", numbers, none) : "";
        String known = padded ? call.step("Max", numbers, none) : numbers;
        call.give(0, "Cast", List.of(known), new Params().put("to", DType.INT32.label()), false);
        return new Chosen(known, there, found.get(1));
    }

    /** With -1 behind, up to as many as there may be. */
    private static String filled(TfCall call, String numbers, String most) {
        String one = call.constant(1L);
        String all = call.step("Reshape", call.cast(most, DType.INT64), one);
        String more = call.step("Sub", all, call.step("Shape", numbers));
        String widths = call.step("Concat", List.of(call.constant(0L), more), FIRST);
        return call.step("Pad", List.of(numbers, widths), new Params().put("constant_value", -1.0));
    }
}
