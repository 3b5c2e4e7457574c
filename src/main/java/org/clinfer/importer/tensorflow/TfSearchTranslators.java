package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Map;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Operators that find elements: the largest ones, those that are true, those that differ, places in sorted rows. */
final class TfSearchTranslators {

    private TfSearchTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.ofEntries(
                Map.entry(
                        "TopK",
                        call -> largest(call, new Params().put("k", call.node().integer("k", 0)), "")),
                Map.entry("TopKV2", TfSearchTranslators::largestByInput),
                Map.entry("InTopK", TfSearchTranslators::amongFirst),
                Map.entry("InTopKV2", TfSearchTranslators::amongFirst),
                Map.entry("Where", TfSearchTranslators::places),
                Map.entry("Bucketize", TfSearchTranslators::buckets),
                Map.entry("ListDiff", TfSearchTranslators::difference),
                Map.entry("LowerBound", call -> bound(call, false)),
                Map.entry("UpperBound", call -> bound(call, true)),
                Map.entry("Unique", call -> TfUnique.translate(call, false)),
                Map.entry("UniqueV2", call -> TfUnique.translate(call, false)),
                Map.entry("UniqueWithCounts", call -> TfUnique.translate(call, true)),
                Map.entry("UniqueWithCountsV2", call -> TfUnique.translate(call, true)));
    }

    private static void largestByInput(TfCall call) {
        largest(call, new Params(), call.plain(1));
    }

    private static void largest(TfCall call, Params params, String count) {
        List<String> found = call.steps("TopK", List.of(call.plain(0), count), params, 2);
        DType type = call.node().dtype("index_type").orElse(DType.INT32);
        call.give("Identity", found.get(0));
        call.give(1, "Cast", List.of(found.get(1)), new Params().put("to", type.label()), false);
    }

    /**
     * True for rows whose element at a place has fewer larger ones than a number says; false where no such place is,
     * or where an element of the row is no finite number.
     */
    private static void amongFirst(TfCall call) {
        String rows = call.plain(call.input(0, 2));
        DType type = call.input(0).dtype().orElse(DType.FLOAT32);
        String zero = call.scalar(DType.INT64, 0);
        String places = call.cast(call.plain(call.input(1, 1)), DType.INT64);
        String classes = call.step("Gather", List.of(call.step("Shape", rows), call.constant(1L)), axis(0));
        String isPlace = call.step("And", call.step("LessOrEqual", zero, places), call.step("Less", places, classes));
        String index = call.step("Where", isPlace, places, zero);
        String column = call.step("Unsqueeze", List.of(index), axis(new long[] {1}));
        String element = call.step("GatherElements", List.of(rows, column), axis(1));
        String larger = counted(call, call.step("Greater", rows, element), 1);
        String infinity = call.scalar(type, Double.POSITIVE_INFINITY);
        String finite = call.step("Less", call.step("Abs", rows), infinity);
        String others = counted(call, call.step("Not", finite), 1);
        boolean byInput = call.node().op().equals("InTopKV2");
        String limit = byInput
                ? call.cast(call.plain(2), DType.INT64)
                : call.constant("k", Tensor.scalar(call.node().integer("k", 0)));
        String sound = call.step("And", isPlace, call.step("Equal", others, zero));
        call.give("And", sound, call.step("Less", larger, limit));
    }

    /** A row for each element that is true, or not 0. */
    private static void places(TfCall call) {
        call.give("Transpose", List.of(columns(call, call.plain(0))), new Params().put("perm", new long[] {1, 0}));
    }

    /** The places of the elements that are not 0, a column for each. */
    private static String columns(TfCall call, String x) {
        List<String> found = call.steps("NonZero", List.of(x), new Params(), 2);
        Params first = new Params().put("starts", new long[] {0}).put("axes", new long[] {1});
        return call.step("Slice", List.of(found.get(0), "", found.get(1)), first);
    }

    /** The places of the elements of a vector that are true. */
    static String positions(TfCall call, String truths) {
        return call.step("Reshape", columns(call, truths), call.constant(-1L));
    }

    /** The elements of a vector that are not among those of another one, and their places. */
    private static void difference(TfCall call) {
        String column = call.step("Reshape", call.plain(0), call.constant(-1L, 1L));
        String equal = call.step("Equal", column, call.plain(1));
        String places = positions(call, call.step("Equal", counted(call, equal, 1), call.scalar(DType.INT64, 0)));
        call.give("Gather", List.of(call.plain(0), places), new Params().put("axis", 0L));
        outputPlaces(call, 1, places, "out_idx");
    }

    /** Counts the elements of its row below each value; upper bounds, those that are not above it, which for NaN are all. */
    private static void bound(TfCall call, boolean isUpper) {
        Params middle = new Params().put("axis", new long[] {1});
        Params last = new Params().put("axis", new long[] {2});
        String sorted = call.step("Unsqueeze", List.of(call.plain(0)), middle);
        String values = call.step("Unsqueeze", List.of(call.plain(1)), last);
        String counted = isUpper ? notAbove(call, sorted, values) : call.step("Less", sorted, values);
        outputPlaces(call, 0, counted(call, counted, 2), "out_type");
    }

    private static String notAbove(TfCall call, String bounds, String values) {
        return call.step("Not", call.step("Less", values, bounds));
    }

    /** The number of bounds that are not above each element: all of them for NaN. */
    private static void buckets(TfCall call) {
        TfValue x = call.input(0);
        long[] last = {call.rank(x)};
        float[] bounds = call.node().reals("boundaries");
        DType type = x.dtype().filter(DType::isFloating).orElse(DType.FLOAT32);
        String column = call.step("Unsqueeze", List.of(call.cast(call.plain(x), type)), axis(last));
        String known =
                call.constant("boundaries", Tensor.of(bounds, bounds.length).to(type));
        String count = counted(call, notAbove(call, known, column), last[0]);
        call.give("Cast", List.of(count), new Params().put("to", DType.INT32.label()));
    }

    private static Params axis(long axis) {
        return new Params().put("axis", axis);
    }

    private static Params axis(long[] axes) {
        return new Params().put("axis", axes);
    }

    /** The number of those that are true along an axis. */
    private static String counted(TfCall call, String truths, long axis) {
        Params along = new Params().put("axis", new long[] {axis}).put("keep_dims", false);
        return call.step("ReduceSum", List.of(call.cast(truths, DType.INT64)), along);
    }

    /** Gives places in the integers that the node says. */
    static void outputPlaces(TfCall call, int port, String places, String attribute) {
        DType type = call.node().dtype(attribute).orElse(DType.INT32);
        call.give(port, "Cast", List.of(places), new Params().put("to", type.label()), false);
    }
}
