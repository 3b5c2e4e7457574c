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
    private final TfVectors vectors;
    private final String one;

    private TfUnique(TfCall call) {
        this.call = call;
        this.vectors = new TfVectors(call);
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
        String order = vectors.ascending(x, size);
        String begins = begins(vectors.gathered(x, order), vectors.numbers(size));
        String starts = TfSearchTranslators.positions(call, begins);
        String ids = call.step("Sub", call.step("CumSum", List.of(call.cast(begins, DType.INT64)), FIRST), one);
        String firsts = vectors.gathered(order, starts);
        String found = call.step("Shape", starts);
        String appearance = vectors.ascending(firsts, found);
        String places = vectors.scattered(found, appearance, vectors.numbers(found));
        String groups = vectors.gathered(places, vectors.scattered(size, order, ids));
        call.give("Gather", List.of(x, vectors.gathered(firsts, appearance)), FIRST);
        TfSearchTranslators.outputPlaces(call, 1, groups, "out_idx");
        if (counts) {
            Params behind = new Params().put("starts", new long[] {1}).put("ends", new long[] {Long.MAX_VALUE});
            String ends = vectors.joined(call.step("Slice", List.of(starts), behind), size);
            String sizes = vectors.gathered(call.step("Sub", ends, starts), appearance);
            TfSearchTranslators.outputPlaces(call, 2, sizes, "out_idx");
        }
    }

    /** True where a sorted element is another one than that before it. */
    private String begins(String sorted, String numbers) {
        String zero = call.scalar(DType.INT64, 0);
        String before = call.step("Max", call.step("Sub", numbers, one), zero);
        String differs = call.step("Not", call.step("Equal", sorted, vectors.gathered(sorted, before)));
        return call.step("Or", differs, call.step("Equal", numbers, zero));
    }
}
