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
                .map(cell -> cell.isEmpty() ? " " : " " + cell.replace("|", "\\|") + " ")
                .collect(Collectors.joining("|", "|", "|")));
    }

    List<String> lines() {
        return lines;
    }

    /** Prose without what a reader of Markdown could take for a tag. */
    static String plain(String text) {
        return text.replaceAll("<(?=[A-Za-z/!])", "\\\\<");
    }
}
