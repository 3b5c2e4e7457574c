package org.clinfer.cli;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.describe.TypeSupport;
import org.clinfer.report.TextTable;
import org.clinfer.tensor.DType;

/** Operators by types: where each runs, and why not everywhere. */
final class OperatorTable {

    /** The least width in which every type has a column. */
    private static final int WIDE = 180;

    /** Types that differ in their width alone. */
    private static final List<List<DType>> KINDS = List.of(
            List.of(DType.INT8, DType.INT16, DType.INT32, DType.INT64),
            List.of(DType.UINT8, DType.UINT16, DType.UINT32, DType.UINT64),
            List.of(DType.FLOAT16, DType.FLOAT32, DType.FLOAT64),
            List.of(DType.BFLOAT16),
            List.of(DType.BOOL));

    private final List<OperatorText> computed;
    private final List<OperatorText> others;

    /** The operators in the order of the lines. */
    OperatorTable(List<OperatorText> operators) {
        computed = operators.stream().filter(OperatorTable::isComputed).toList();
        others = operators.stream().filter(text -> !isComputed(text)).toList();
    }

    private static boolean isComputed(OperatorText text) {
        return text.cpu() || !text.variants().isEmpty();
    }

    void print(Screen screen) {
        screen.print(screen.width() < WIDE ? inWords() : byTypes());
        others.forEach(text -> screen.print(text.operator().optype() + ": " + firstSentence(text) + composition(text)));
        screen.print("");
        for (TypeSupport.Place place : TypeSupport.Place.values()) {
            screen.print(place.shown() + " = " + place.meaning());
        }
        screen.print("");
        screen.print("Why a type does not run everywhere:");
        reasons().forEach(screen::print);
    }

    private TextTable byTypes() {
        TextTable table = new TextTable();
        List<String> header = new ArrayList<>(List.of("OPERATOR"));
        TypeSupport.TYPES.forEach(type -> header.add(type.label()));
        header.add("WHAT IT DOES");
        table.row(header.toArray(String[]::new));
        for (OperatorText text : computed) {
            List<String> row = new ArrayList<>(List.of(text.operator().optype()));
            text.support().cells().values().forEach(cell -> row.add(cell.place().shown()));
            row.add(firstSentence(text));
            table.row(row.toArray(String[]::new));
        }
        return table;
    }

    private TextTable inWords() {
        TextTable table = new TextTable().row("OPERATOR", "RUNS", "WHAT IT DOES");
        computed.forEach(text -> table.row(text.operator().optype(), places(text), firstSentence(text)));
        return table;
    }

    /** The first line of 'clinfer ops NAME'. */
    private static String firstSentence(OperatorText text) {
        String doc = text.operator().doc();
        int end = doc.indexOf(". ");
        return end < 0 ? doc : doc.substring(0, end);
    }

    /** The types of each place: {@code both int8..64 float16..32; cpu bool}. */
    private static String places(OperatorText text) {
        Map<TypeSupport.Place, List<DType>> byPlace = new EnumMap<>(TypeSupport.Place.class);
        text.support()
                .cells()
                .forEach((type, cell) -> byPlace.computeIfAbsent(cell.place(), none -> new ArrayList<>())
                        .add(type));
        byPlace.remove(TypeSupport.Place.NONE);
        List<String> words = new ArrayList<>();
        byPlace.forEach((place, types) -> words.add(place.shown() + " " + ranges(types)));
        return String.join("; ", words);
    }

    /** Types in short: {@code int8..64 float16..32 bool}. */
    private static String ranges(List<DType> types) {
        List<String> words = new ArrayList<>();
        for (List<DType> kind : KINDS) {
            int from = 0;
            while (from < kind.size()) {
                int to = from;
                while (to < kind.size() && types.contains(kind.get(to))) {
                    to++;
                }
                if (to > from) {
                    words.add(range(kind.get(from), kind.get(to - 1)));
                }
                from = to + 1;
            }
        }
        return String.join(" ", words);
    }

    private static String range(DType first, DType last) {
        return first == last
                ? first.label()
                : first.label() + ".." + last.label().replaceAll("[a-z]", "");
    }

    private static String composition(OperatorText text) {
        return text.parts().isEmpty() ? "" : " (composed of " + String.join(", ", text.parts()) + ")";
    }

    /** Each reason once, with the operators and types it is about. */
    private List<String> reasons() {
        Map<String, Map<String, List<String>>> byReason = new LinkedHashMap<>();
        for (OperatorText text : computed) {
            Map<String, List<DType>> types = new LinkedHashMap<>();
            text.support().cells().forEach((type, cell) -> {
                if (!cell.reason().isEmpty()) {
                    types.computeIfAbsent(cell.reason(), reason -> new ArrayList<>())
                            .add(type);
                }
            });
            types.forEach((reason, about) -> byReason.computeIfAbsent(reason, none -> new LinkedHashMap<>())
                    .computeIfAbsent(ranges(about), none -> new ArrayList<>())
                    .add(text.operator().optype()));
        }
        List<String> lines = new ArrayList<>();
        byReason.forEach((reason, about) -> about.forEach(
                (types, operators) -> lines.add(types + ": " + reason + ": " + String.join(" ", operators))));
        return lines;
    }
}
