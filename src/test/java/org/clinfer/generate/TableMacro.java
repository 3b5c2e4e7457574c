package org.clinfer.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** A macro of a kernel header that calls another one, EACH, for every row of a table. */
final class TableMacro {

    private TableMacro() {}

    /** The lines of the macro, with an empty one before. */
    static <R> List<String> each(String macro, Stream<R> rows, Function<R, String> arguments) {
        List<String> calls =
                rows.map(row -> "    EACH(" + arguments.apply(row) + ")").toList();
        List<String> lines = new ArrayList<>(List.of("", "#define " + macro + "(EACH) \\"));
        for (int i = 0; i < calls.size(); i++) {
            lines.add(calls.get(i) + (i + 1 < calls.size() ? " \\" : ""));
        }
        return lines;
    }
}
