package org.clinfer.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.text.Printable;

/** Rows of text in columns as wide as their widest cell; the last column is not padded. */
public final class TextTable {

    private static final String GAP = "  ";

    /** The width to which columns shrink. */
    private static final int NARROW = 18;

    private final List<List<String>> rows = new ArrayList<>();

    /** The lines below each row that has some. */
    private final Map<Integer, List<String>> notes = new HashMap<>();

    /** Adds a row; rows may have different lengths. Cells are shown on one line, whatever they hold. */
    public TextTable row(String... cells) {
        rows.add(Arrays.stream(cells).map(Printable::of).toList());
        return this;
    }

    /** Adds a line below the last row, which goes over all columns. */
    public TextTable note(String line) {
        notes.computeIfAbsent(rows.size() - 1, none -> new ArrayList<>()).add(Printable.of(line));
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
        for (int at = 0; at < rows.size(); at++) {
            List<String> row = rows.get(at);
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                String cell = row.get(column);
                line.append(cell);
                if (column + 1 < row.size()) {
                    line.append(" ".repeat(widths.get(column) - cell.length())).append(GAP);
                }
            }
            lines.add(line.toString().stripTrailing());
            lines.addAll(notes(at));
        }
        return lines;
    }

    /**
     * The lines, none longer than {@code width}: long cells go on below, and where the columns have no room even so, the
     * table goes on below itself, each part with the first column.
     *
     * @param width in characters, at least 40
     */
    public List<String> lines(int width) {
        List<Integer> widths = widths();
        List<String> lines = new ArrayList<>();
        if (total(widths) <= width) {
            lines().forEach(line -> lines.addAll(WrappedText.lines(line, width)));
            return lines;
        }
        int from = 1;
        while (from < widths.size() || lines.isEmpty()) {
            List<Integer> part = new ArrayList<>(widths.isEmpty() ? List.of() : List.of(0));
            int room = width - (part.isEmpty() ? 0 : least(widths.get(0)));
            while (from < widths.size() && (part.size() == 1 || least(widths.get(from)) + GAP.length() <= room)) {
                room -= least(widths.get(from)) + GAP.length();
                part.add(from++);
            }
            if (!lines.isEmpty()) {
                lines.add("");
            }
            List<Integer> shrunk = shrunk(part.stream().map(widths::get).toList(), width);
            for (int row = 0; row < rows.size(); row++) {
                lines.addAll(wrapped(rows.get(row), part, shrunk));
                if (from == widths.size()) {
                    notes(row).forEach(note -> lines.addAll(WrappedText.lines(note, width)));
                }
            }
        }
        return lines;
    }

    private List<String> notes(int row) {
        return notes.getOrDefault(row, List.of());
    }

    /** The least width to which a column of that width is brought. */
    private static int least(int width) {
        return Math.min(width, NARROW);
    }

    private static int total(List<Integer> widths) {
        return widths.stream().mapToInt(Integer::intValue).sum() + GAP.length() * Math.max(0, widths.size() - 1);
    }

    /** The widths, of which the largest are made smaller until all have room. */
    private static List<Integer> shrunk(List<Integer> widths, int width) {
        List<Integer> shrunk = new ArrayList<>(widths);
        int over = total(shrunk) - width;
        while (over > 0) {
            int widest = 0;
            for (int column = 1; column < shrunk.size(); column++) {
                widest = shrunk.get(column) > shrunk.get(widest) ? column : widest;
            }
            shrunk.set(widest, shrunk.get(widest) - 1);
            over--;
        }
        return shrunk;
    }

    /** One row in as many lines as its longest cell takes. */
    private static List<String> wrapped(List<String> row, List<Integer> columns, List<Integer> widths) {
        List<List<String>> cells = new ArrayList<>();
        int height = 0;
        for (int i = 0; i < columns.size(); i++) {
            String cell = columns.get(i) < row.size() ? row.get(columns.get(i)) : "";
            cells.add(WrappedText.lines(cell, widths.get(i), ""));
            height = Math.max(height, cells.get(i).size());
        }
        List<String> lines = new ArrayList<>();
        for (int at = 0; at < height; at++) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < cells.size(); i++) {
                String part = at < cells.get(i).size() ? cells.get(i).get(at) : "";
                line.append(part)
                        .append(" ".repeat(widths.get(i) - part.length()))
                        .append(GAP);
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
