package org.clinfer.importer.tensorflow;

import java.util.List;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/**
 * The different elements of a vector in the order in which they come first, by sorting: equal ones lie beside each other then,
 * and each group begins with the one that stands first.
 */
final class TfUnique {

    private static final Params FIRST = new Params().put("axis", 0L);

    private final TfCall call;
    private final String one;

    private TfUnique(TfCall call) {
        this.call = call;
        this.one = call.scalar(DType.INT64, 1);
    }

    static void translate(TfCall call, boolean counts) {
        boolean along = call.inputs().size() > 1
                && call.requiredIntegers(1, "axis").length > 0
                && call.axis(call.requiredInteger(1, "axis"), call.rank(call.input(0))) != 0;
        if (along || call.input(0).rank().orElse(1) != 1) {
            throw call.unsupportedUse("slices of several axes");
        }
        new TfUnique(call).write(counts);
    }

    private void write(boolean counts) {
        String x = call.step("Reshape", call.plain(0), call.constant(-1L));
        String size = call.step("Shape", x);
        String order = ascending(x, size);
        String begins = begins(gathered(x, order), numbers(size));
        String starts = TfSearchTranslators.positions(call, begins);
        String ids = call.step("Sub", call.step("CumSum", List.of(call.cast(begins, DType.INT64)), FIRST), one);
        String firsts = gathered(order, starts);
        String found = call.step("Shape", starts);
        String appearance = ascending(firsts, found);
        String places = scattered(found, appearance, numbers(found));
        String groups = gathered(places, scattered(size, order, ids));
        call.give("Gather", List.of(x, gathered(firsts, appearance)), FIRST);
        TfSearchTranslators.outputPlaces(call, 1, groups, "out_idx");
        if (counts) {
            Params behind = new Params().put("starts", new long[] {1}).put("ends", new long[] {Long.MAX_VALUE});
            String ends = call.step("Concat", List.of(call.step("Slice", List.of(starts), behind), size), FIRST);
            String sizes = gathered(call.step("Sub", ends, starts), appearance);
            TfSearchTranslators.outputPlaces(call, 2, sizes, "out_idx");
        }
    }

    private String gathered(String x, String indices) {
        return call.step("Gather", List.of(x, indices), FIRST);
    }

    /** The indices of the elements in ascending order; equal ones keep theirs. */
    private String ascending(String vector, String size) {
        Params smallest = new Params().put("largest", false);
        return call.steps("TopK", List.of(vector, size), smallest, 2).get(1);
    }

    private String numbers(String size) {
        String limit = call.step("Squeeze", size);
        return call.step("Range", call.scalar(DType.INT64, 0), limit, one);
    }

    /** True where a sorted element is another one than that before it. */
    private String begins(String sorted, String numbers) {
        String zero = call.scalar(DType.INT64, 0);
        String before = call.step("Max", call.step("Sub", numbers, one), zero);
        String differs = call.step("Not", call.step("Equal", sorted, gathered(sorted, before)));
        return call.step("Or", differs, call.step("Equal", numbers, zero));
    }

    /** A vector of so many elements with some of them at their indices. */
    private String scattered(String size, String indices, String elements) {
        String none = call.step("Expand", call.scalar(DType.INT64, 0), size);
        return call.step("ScatterElements", List.of(none, indices, elements), FIRST);
    }
}
