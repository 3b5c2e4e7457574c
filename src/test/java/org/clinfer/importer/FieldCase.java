package org.clinfer.importer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A layer of a format with fields that it is given, and other ones.
 *
 * @param type the layer's type
 * @param cells what else its format says of a case, such as the sizes of its inputs
 * @param given fields with values
 * @param others fields with other values, each tried on its own
 */
public record FieldCase(String type, List<String> cells, List<String> given, List<String> others) {

    private static final Path FOLDER = Path.of("test-data/fields");

    /** A case without other fields. */
    public FieldCase(String type, String... cells) {
        this(type, List.of(cells), List.of(), List.of());
    }

    /**
     * The cases of a table: a line with types, cells and given fields between bars, and indented lines with other fields.
     * A line that ends in a comma goes on in the next one.
     */
    static List<FieldCase> read(String table) throws IOException {
        List<String> heads = new ArrayList<>();
        List<List<String>> others = new ArrayList<>();
        String begun = "";
        for (String line : Files.readAllLines(FOLDER.resolve(table + ".txt"))) {
            if (line.startsWith("#")) {
                continue;
            }
            if (line.startsWith(" ")) {
                others.get(others.size() - 1).addAll(entries(line, ";"));
            } else if (line.endsWith(",")) {
                begun += line;
            } else {
                heads.add(begun + line);
                others.add(new ArrayList<>());
                begun = "";
            }
        }
        return IntStream.range(0, heads.size())
                .boxed()
                .flatMap(i -> of(heads.get(i), List.copyOf(others.get(i))).stream())
                .toList();
    }

    /** A case for each of the types. */
    private static List<FieldCase> of(String head, List<String> others) {
        List<String> columns =
                Stream.of(head.split("\\|", -1)).map(String::strip).toList();
        int last = columns.size() - 1;
        return entries(columns.get(0), ",").stream()
                .map(type -> new FieldCase(type, columns.subList(1, last), entries(columns.get(last), ";"), others))
                .toList();
    }

    private static List<String> entries(String list, String between) {
        return list.isBlank()
                ? List.of()
                : Stream.of(list.split(between, -1)).map(String::strip).toList();
    }

    /** What stands in a cell, with blanks between. */
    public List<String> parts(int cell) {
        return cells.get(cell).isEmpty() ? List.of() : List.of(cells.get(cell).split(" ", -1));
    }

    /** The number that stands in a cell. */
    public int number(int cell) {
        return Integer.parseInt(cells.get(cell));
    }
}
