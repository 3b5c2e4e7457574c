package org.clinfer.generate;

import java.util.ArrayList;
import java.util.List;

/** Expressions of any length in lines that need no scrolling. */
final class CodeLines {

    private static final int WIDTH = 96;
    private static final String INDENT = "    ";

    private CodeLines() {}

    /**
     * The lines of an expression, broken before a logical operator where there is one, else behind a comma, else anywhere;
     * the first begins with a text that is kept as it is.
     */
    static List<String> of(String before, String expression) {
        List<String> lines = new ArrayList<>();
        String rest = before + expression.replaceAll(" +", " ").strip();
        while (rest.length() > WIDTH) {
            int end = place(rest);
            if (end <= INDENT.length()) {
                break;
            }
            lines.add(rest.substring(0, end));
            rest = INDENT + rest.substring(end + 1);
        }
        lines.add(rest);
        return lines;
    }

    /** The last good blank that still fits. */
    private static int place(String line) {
        int best = 0;
        for (String sign : List.of(" && ", " || ", " ? ", " : ")) {
            best = Math.max(best, line.lastIndexOf(sign, WIDTH));
        }
        if (best > WIDTH / 3) {
            return best;
        }
        int comma = line.lastIndexOf(", ", WIDTH - 1);
        return comma > WIDTH / 3 ? comma + 1 : line.lastIndexOf(' ', WIDTH);
    }
}
