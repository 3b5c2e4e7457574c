package org.clinfer.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.clinfer.errors.Printable;

/** Rows of text in columns as wide as their widest cell; the last column is not padded. */
public final class TextTable {

    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    /** Adds a row; rows may have different lengths. Cells are shown on one line, whatever they hold. */
    public TextTable row(String... cells) {
        rows.add(Arrays.stream(cells).map(Printable::of).toList());
        return this;
    }

    /**
     * A name as a cell shows it: on one line, and if it has more than {@code width} characters, its beginning and end
     * around an ellipsis.
     */
    public static String shortened(String name, int width) {
        String text = Printable.of(name);
        if (text.length() <= width) {
            return text;
        }
        int end = (width - 1) / 2;
        return text.substring(0, whole(text, width - 1 - end)) + "…" + text.substring(whole(text, text.length() - end));
    }

    /** A place near {@code index} where the text may be cut without parting a pair of surrogates. */
    private static int whole(String text, int index) {
        return Character.isLowSurrogate(text.charAt(index)) && Character.isHighSurrogate(text.charAt(index - 1))
                ? index - 1
                : index;
    }

    /** The lines, without trailing blanks. */
    public List<String> lines() {
        List<Integer> widths = widths();
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                String cell = row.get(column);
                line.append(cell);
                if (column + 1 < row.size()) {
                    line.append(" ".repeat(widths.get(column) - cell.length())).append(GAP);
                }
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    private List<Integer> widths() {
        List<Integer> widths = new ArrayList<>();
        for (List<String> row : rows) {
            for (int column = 0; column < row.size(); column++) {
                int width = row.get(column).length();
                if (column == widths.size()) {
                    widths.add(width);
                } else if (width > widths.get(column)) {
                    widths.set(column, width);
                }
            }
        }
        return widths;
    }
}
