package org.clinfer.benchdnn;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A row of DeepBench's convolutions: two axes, one group, the same padding at both ends, the output left out. */
final class DeepBenchRow {

    private DeepBenchRow() {}

    static Problem problem(Map<String, String> row) {
        Axis height = axis(number(row, "h"), number(row, "filter_h"), number(row, "pad_h"), number(row, "hstride"));
        Axis width = axis(number(row, "w"), number(row, "filter_w"), number(row, "pad_w"), number(row, "wstride"));
        return new Problem(
                false,
                "deepbench " + row.get("set"),
                "",
                number(row, "n"),
                1,
                number(row, "c"),
                number(row, "k"),
                List.of(height, width));
    }

    private static Axis axis(long input, long kernel, long pad, long stride) {
        return new Axis(input, Math.floorDiv(input + 2 * pad - kernel, stride) + 1, kernel, stride, pad, 1);
    }

    private static long number(Map<String, String> row, String column) {
        return Long.parseLong(Objects.requireNonNull(row.get(column), column));
    }
}
