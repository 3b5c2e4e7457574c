package org.clinfer.generate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** A table of a Markdown file. */
final class MarkdownTable {

    private final List<String> lines = new ArrayList<>();

    MarkdownTable(List<String> header) {
        row(header);
        row(Collections.nCopies(header.size(), "---"));
    }

    /** Adds a row; bars inside its cells are escaped. */
    void row(List<String> cells) {
        lines.add(cells.stream()
                .map(cell -> cell.replace("|", "\\|"))
                .collect(Collectors.joining(" | ", "| ", " |"))
                .replace("|  |", "| |"));
    }

    List<String> lines() {
        return lines;
    }

    /** Prose with the characters of markup escaped outside backquotes. */
    static String plain(String text) {
        String[] parts = text.split("`", -1);
        for (int i = 0; i < parts.length; i += 2) {
            parts[i] = parts[i].replace("<", "\\<").replace(">", "\\>").replace("*", "\\*").replace("_", "\\_");
        }
        return String.join("`", parts);
    }
}
