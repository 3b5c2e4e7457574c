package org.clinfer.generate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The files that follow from the table of reductions: a header of kernels, and a list of descriptions. */
final class ReductionTable {

    private static final Path SOURCE = Path.of("kernels-cl/reductions.json");
    private static final Path HEADER = Path.of("kernels-cl/common/reduction_table.h");
    private static final Path FAMILIES = GeneratedFiles.DESCRIPTIONS.resolve("shared_reductions.json");

    private final Function2Table functions;
    private final JsonNode folds;
    private final List<Reduction> reductions = new ArrayList<>();

    /** A reduction and its number; its fields are explained in the table. */
    private record Reduction(int number, JsonNode fields) {

        String name() {
            return fields.required("name").stringValue();
        }

        boolean isReal() {
            return fields.path("real").asBoolean(false);
        }

        String real() {
            return call(fields.path("finish").asString("t"));
        }

        String integer() {
            return call(fields.path("integer_finish").asString("t"));
        }

        private String call(String finish) {
            return "%d, %s, %s, %s"
                    .formatted(number, name(), fields.required("fold").stringValue(), finish);
        }
    }

    /** @param functions those that combine elements */
    ReductionTable(Function2Table functions) {
        this.functions = functions;
        JsonNode table = new JsonMapper().readTree(SOURCE.toFile());
        folds = table.required("folds");
        table.required("reductions").forEach(fields -> reductions.add(new Reduction(reductions.size(), fields)));
    }

    Map<Path, String> files() {
        return Map.of(HEADER, header(), FAMILIES, families());
    }

    private String header() {
        List<String> lines = new ArrayList<>(List.of(
                "// The reductions that kernels choose by number or name. Generated from reductions.json and functions2.json.",
                "//",
                "// Gives: FOLDS, INTEGER_FOLDS  EACH(name, start, term, combine, value): of reals or 16 floats, and of integers. term is",
                "//                   over the element v; value, of reals alone, is what combine, a function of functions2.h, has for a, b;",
                "//        REDUCTIONS, INTEGER_REDUCTIONS  EACH(number, name, fold, finish): of reals or 16 floats, and of integers.",
                "//                   finish is over the total t of n elements.",
                "#ifndef CLINFER_REDUCTION_TABLE_H",
                "#define CLINFER_REDUCTION_TABLE_H"));
        lines.addAll(TableMacro.each("FOLDS", folds.valueStream(), this::realFold));
        lines.addAll(TableMacro.each("INTEGER_FOLDS", folds.valueStream(), ReductionTable::integerFold));
        lines.addAll(TableMacro.each("REDUCTIONS", reductions.stream(), Reduction::real));
        lines.addAll(TableMacro.each(
                "INTEGER_REDUCTIONS", reductions.stream().filter(row -> !row.isReal()), Reduction::integer));
        lines.addAll(List.of("", "#endif", ""));
        return String.join("\n", lines);
    }

    private String realFold(JsonNode fold) {
        return fold(
                        fold,
                        fold.required("start").stringValue(),
                        fold.path("term").asString("v")) + ", "
                + functions.value(fold.required("combine").stringValue());
    }

    private static String integerFold(JsonNode fold) {
        String start = fold.required("start").stringValue();
        return fold(
                fold,
                fold.path("integer_start").asString(start),
                fold.path("integer_term").asString("v"));
    }

    private static String fold(JsonNode fold, String start, String term) {
        return "%s, %s, %s, %s"
                .formatted(
                        fold.required("name").stringValue(),
                        start,
                        term,
                        fold.required("combine").stringValue());
    }

    private String families() {
        return """
                {
                  "doc": "The numbers of reductions. Generated from kernels-cl/reductions.json.",
                  "families": {
                    "numbered_reduction": {"type": "int", "name": "kind", "value": "index_of([%s], '$function')"}
                  }
                }
                """.formatted(
                        reductions.stream().map(row -> "'" + row.name() + "'").collect(Collectors.joining(", ")));
    }
}
