package org.clinfer.importer.tensorflow;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Rows of the same number put together. */
final class TfSegmentTranslators {

    private static final Params FIRST = new Params().put("axis", 0L);

    private TfSegmentTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.ofEntries(
                Map.entry("UnsortedSegmentSum", call -> unsorted(call, "add")),
                Map.entry("UnsortedSegmentProd", call -> unsorted(call, "mul")),
                Map.entry("UnsortedSegmentMax", call -> unsorted(call, "max")),
                Map.entry("UnsortedSegmentMin", call -> unsorted(call, "min")),
                Map.entry("SegmentSum", call -> sorted(call, "add")),
                Map.entry("SegmentProd", call -> sorted(call, "mul")),
                Map.entry("SegmentMax", call -> sorted(call, "max")),
                Map.entry("SegmentMin", call -> sorted(call, "min")),
                Map.entry("SegmentMean", TfSegmentTranslators::mean),
                Map.entry("SparseSegmentSum", call -> picked(call, "")),
                Map.entry("SparseSegmentMean", call -> picked(call, "Identity")),
                Map.entry("SparseSegmentSqrtN", call -> picked(call, "Sqrt")),
                Map.entry("SparseSegmentSumWithNumSegments", call -> picked(call, "")),
                Map.entry("SparseSegmentMeanWithNumSegments", call -> picked(call, "Identity")),
                Map.entry("SparseSegmentSqrtNWithNumSegments", call -> picked(call, "Sqrt")));
    }

    /** Rows with negative numbers go to a row behind the others, where nobody looks. */
    private static void unsorted(TfCall call, String reduction) {
        int axes = call.rank(call.input(1));
        String data = call.plain(0);
        String count = given(call, 2);
        String numbers = call.step("Reshape", call.cast(call.plain(1), DType.INT64), call.constant(-1L));
        String isOut = call.step("Less", numbers, call.scalar(DType.INT64, 0));
        String places = call.step("Where", isOut, count, numbers);
        String more = call.step("Add", count, call.scalar(DType.INT64, 1));
        boolean hasRows = call.rank(call.input(0)) > axes;
        String sizes = more;
        String rows = call.constant(-1L);
        if (hasRows) {
            String row = behind(call, call.step("Shape", data), axes);
            sizes = call.step("Concat", List.of(more, row), FIRST);
            rows = call.step("Concat", List.of(rows, row), FIRST);
        }
        String all = scattered(call, reduction, sizes, places, call.step("Reshape", data, rows));
        Params first = new Params().put("starts", new long[] {0}).put("axes", new long[] {0});
        call.give("Slice", List.of(all, "", count), first);
    }

    /** The numbers are in ascending order, so the last one tells how many segments there are; one without rows is 0. */
    private static void sorted(TfCall call, String reduction) {
        String places = call.cast(call.plain(call.input(1, 1)), DType.INT64);
        String count = count(call, places);
        String all = scattered(call, reduction, sizes(call, count), places, call.plain(0));
        if (reduction.equals("add") || reduction.equals("mul")) {
            call.give("Identity", all);
            return;
        }
        String isEmpty = call.step("Equal", rows(call, count, places), call.scalar(DType.FLOAT32, 0));
        call.give("Where", isEmpty, call.scalar(call.dtype(call.input(0)), 0), all);
    }

    private static void mean(TfCall call) {
        String places = call.cast(call.plain(call.input(1, 1)), DType.INT64);
        String count = count(call, places);
        String sums = scattered(call, "add", sizes(call, count), places, call.plain(0));
        String divisor = call.step("Max", rows(call, count, places), call.scalar(DType.FLOAT32, 1));
        call.give("Div", sums, call.cast(divisor, call.dtype(call.input(0))));
    }

    /**
     * Sums of rows that indices pick. A fourth input is the number of segments.
     *
     * @param divisor the function of the number of rows by which each sum is divided; empty for none
     */
    private static void picked(TfCall call, String divisor) {
        String rows = call.step("Gather", List.of(call.plain(0), call.plain(call.input(1, 1))), FIRST);
        String places = call.cast(call.plain(call.input(2, 1)), DType.INT64);
        String count = call.inputs().size() > 3 ? given(call, 3) : count(call, places);
        String sums = scattered(call, "add", sizes(call, count), places, rows);
        if (divisor.isEmpty()) {
            call.give("Identity", sums);
            return;
        }
        String counts = call.step("Max", rows(call, count, places), call.scalar(DType.FLOAT32, 1));
        call.give("Div", sums, call.cast(call.step(divisor, counts), call.dtype(call.input(0))));
    }

    /** The elements of a vector from one on. */
    private static String behind(TfCall call, String vector, long start) {
        Params end = new Params()
                .put("starts", new long[] {start})
                .put("ends", new long[] {Long.MAX_VALUE})
                .put("axes", new long[] {0});
        return call.step("Slice", List.of(vector), end);
    }

    /** The number of segments that an input says. */
    private static String given(TfCall call, int input) {
        return call.step("Reshape", call.cast(call.plain(input), DType.INT64), call.constant(1L));
    }

    private static String count(TfCall call, String places) {
        return call.step("Add", behind(call, places, -1), call.scalar(DType.INT64, 1));
    }

    private static String sizes(TfCall call, String count) {
        if (call.rank(call.input(0)) == 1) {
            return count;
        }
        String row = behind(call, call.step("Shape", call.plain(0)), 1);
        return call.step("Concat", List.of(count, row), FIRST);
    }

    /** The number of rows of each segment, which fits elements of the data. */
    private static String rows(TfCall call, String count, String places) {
        String one = call.step("Expand", call.scalar(DType.FLOAT32, 1), call.step("Shape", places));
        String counts = scattered(call, "add", count, places, one);
        long[] shape = new long[call.rank(call.input(0))];
        Arrays.fill(shape, 1);
        shape[0] = -1;
        return call.step("Reshape", counts, call.constant(shape));
    }

    private static String scattered(TfCall call, String reduction, String sizes, String places, String rows) {
        DType type = call.graph().type(rows).dtype().orElseGet(() -> call.dtype(call.input(0)));
        String base = call.step("Expand", call.constant("start", start(call, type, reduction)), sizes);
        String where = call.step("Unsqueeze", List.of(places), new Params().put("axis", new long[] {1}));
        return call.step("ScatterND", List.of(base, where, rows), new Params().put("reduction", reduction));
    }

    /** The result of a reduction of nothing. */
    private static Tensor start(TfCall call, DType type, String reduction) {
        Tensor start = Tensor.allocate(type);
        boolean isLeast = reduction.equals("max");
        switch (reduction) {
            case "add" -> {}
            case "mul" -> start.setDouble(0, 1);
            default -> {
                switch (type) {
                    case FLOAT32 -> start.setDouble(0, isLeast ? -Float.MAX_VALUE : Float.MAX_VALUE);
                    case FLOAT64 -> start.setDouble(0, isLeast ? -Double.MAX_VALUE : Double.MAX_VALUE);
                    case INT32 -> start.setLong(0, isLeast ? Integer.MIN_VALUE : Integer.MAX_VALUE);
                    case INT64 -> start.setLong(0, isLeast ? Long.MIN_VALUE : Long.MAX_VALUE);
                    default -> throw call.unsupportedUse("data of " + type.label());
                }
            }
        }
        return start;
    }
}
