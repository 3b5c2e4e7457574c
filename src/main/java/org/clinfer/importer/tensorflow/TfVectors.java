package org.clinfer.importer.tensorflow;

import java.util.List;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** Steps of a node that sort, number and pick rows. Sizes are vectors of one element; places and numbers are int64. */
final class TfVectors {

    private static final Params FIRST = new Params().put("axis", 0L);

    private final TfCall call;

    TfVectors(TfCall call) {
        this.call = call;
    }

    /** The rows at indices. */
    String gathered(String x, String indices) {
        return call.step("Gather", List.of(x, indices), FIRST);
    }

    /** One after the other along the first axis. */
    String joined(String... parts) {
        return call.step("Concat", List.of(parts), FIRST);
    }

    /** The indices of the elements in ascending order; equal ones keep theirs. */
    String ascending(String vector, String size) {
        Params smallest = new Params().put("largest", false);
        return call.steps("TopK", List.of(vector, size), smallest, 2).get(1);
    }

    /** The numbers from 0 to below a size. */
    String numbers(String size) {
        String limit = call.step("Squeeze", size);
        return call.step("Range", call.scalar(DType.INT64, 0), limit, call.scalar(DType.INT64, 1));
    }

    /** A vector of so many elements with some of them at their indices. */
    String scattered(String size, String indices, String elements) {
        String none = call.step("Expand", call.scalar(DType.INT64, 0), size);
        return call.step("ScatterElements", List.of(none, indices, elements), FIRST);
    }

    /** A tensor of zeros to whose rows others are added. */
    String sums(String sizes, DType type, String places, String rows) {
        String none = call.step("Expand", call.scalar(type, 0), sizes);
        String where = call.step("Unsqueeze", List.of(places), new Params().put("axis", new long[] {1}));
        return call.step("ScatterND", List.of(none, where, rows), new Params().put("reduction", "add"));
    }
}
