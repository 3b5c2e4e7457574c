package org.clinfer.benchdnn;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A row of the normalised list, which says everything of each axis.
 *
 * @param marked whether its column {@code consistent} says "check"
 */
record NormalisedRow(Problem problem, boolean marked) {

    static NormalisedRow of(Map<String, String> row) {
        List<long[]> columns = Stream.of("input", "output", "kernel", "stride", "pad_begin", "dilation")
                .map(column -> sizes(cell(row, column)))
                .toList();
        List<Axis> axes = new ArrayList<>();
        for (int i = 0; i < number(row, "ndim"); i++) {
            int axis = i;
            long[] cells = columns.stream().mapToLong(sizes -> sizes[axis]).toArray();
            axes.add(new Axis(cells[0], cells[1], cells[2], cells[3], cells[4], cells[5]));
        }
        Problem problem = new Problem(
                cell(row, "op").equals("deconv"),
                cell(row, "list"),
                cell(row, "name"),
                number(row, "mb"),
                number(row, "groups"),
                number(row, "ic"),
                number(row, "oc"),
                axes);
        return new NormalisedRow(
                problem,
                switch (cell(row, "consistent")) {
                    case "yes" -> false;
                    case "check" -> true;
                    default -> throw new IllegalArgumentException("neither yes nor check: " + row);
                });
    }

    private static long[] sizes(String cell) {
        return Stream.of(cell.split("x", -1)).mapToLong(Long::parseLong).toArray();
    }

    private static long number(Map<String, String> row, String column) {
        return Long.parseLong(cell(row, column));
    }

    private static String cell(Map<String, String> row, String column) {
        return Objects.requireNonNull(row.get(column), column);
    }
}
