package org.clinfer.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.describe.TypeSupport;
import org.clinfer.report.TextTable;
import org.clinfer.tensor.DType;

/** Operators by types: where each runs, and why not everywhere. */
final class OperatorTable {

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

    List<String> lines() {
        TextTable table = new TextTable();
        List<String> header = new ArrayList<>(List.of("OPERATOR"));
        TypeSupport.TYPES.forEach(type -> header.add(type.label()));
        header.add("WHAT IT DOES");
        table.row(header.toArray(String[]::new));
        for (OperatorText text : computed) {
            List<String> row = new ArrayList<>(List.of(text.operator().optype()));
            text.support().cells().values().forEach(cell -> row.add(cell.place().shown()));
            row.add(text.operator().doc());
            table.row(row.toArray(String[]::new));
        }
        List<String> lines = new ArrayList<>(table.lines());
        others.forEach(text ->
                lines.add(text.operator().optype() + ": " + text.operator().doc() + composition(text)));
        lines.add("");
        for (TypeSupport.Place place : TypeSupport.Place.values()) {
            lines.add(place.shown() + " = " + place.meaning());
        }
        lines.add("");
        lines.add("Why a type does not run everywhere:");
        lines.addAll(reasons());
        return lines;
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
                    .computeIfAbsent(TypeSupport.labels(about), none -> new ArrayList<>())
                    .add(text.operator().optype()));
        }
        List<String> lines = new ArrayList<>();
        byReason.forEach((reason, about) -> about.forEach(
                (types, operators) -> lines.add(types + ": " + reason + ": " + String.join(" ", operators))));
        return lines;
    }
}
