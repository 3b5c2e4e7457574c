package org.clinfer.generate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The files that follow from the table of functions of two numbers: a header of kernels, and lists of descriptions. */
final class Function2Table {

    private static final Path SOURCE = Path.of("kernels-cl/functions2.json");
    private static final Path HEADER = Path.of("kernels-cl/common/function2_table.h");
    private static final Path FAMILIES = GeneratedFiles.DESCRIPTIONS.resolve("shared_functions_of_two.json");

    private final List<Row> functions;
    private final List<Row> relations;
    private final List<Row> logic;

    /** A function and its number; its fields are explained in the table. */
    private record Row(int number, JsonNode fields) {

        static List<Row> of(JsonNode list) {
            List<Row> rows = new ArrayList<>();
            list.forEach(fields -> rows.add(new Row(rows.size(), fields)));
            return rows;
        }

        String name() {
            return fields.required("name").stringValue();
        }

        String value() {
            return fields.required("value").stringValue();
        }

        boolean has(String field) {
            return fields.has(field);
        }

        String text(String field) {
            return fields.required(field).asString();
        }

        boolean isNumbered() {
            return fields.path("numbered").asBoolean(true);
        }

        String named() {
            return name() + ", " + value();
        }

        String numbered() {
            return number + ", " + named();
        }
    }

    Function2Table() {
        JsonNode table = new JsonMapper().readTree(SOURCE.toFile());
        functions = Row.of(table.required("functions"));
        relations = Row.of(table.required("relations"));
        logic = Row.of(table.required("logic"));
    }

    Map<Path, String> files() {
        return Map.of(HEADER, header(), FAMILIES, families());
    }

    /** The value of a function for reals, over a and b. */
    String value(String function) {
        return functions.stream()
                .filter(row -> row.name().equals(function))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no function of two numbers " + function))
                .value();
    }

    private String header() {
        List<String> lines = new ArrayList<>(List.of(
                "// The functions of two numbers that kernels choose by number or name. Generated from functions2.json.",
                "//",
                "// Gives: FUNCTIONS_OF_TWO           EACH(name, value) for those that kernels have by name;",
                "//        NUMBERED_FUNCTIONS_OF_TWO  EACH(number, name, value) for those that kernels have by number;",
                "//        BLOCKED_FUNCTIONS_OF_TWO   EACH(number, name, value) for those of blocked channels;",
                "//        RELATIONS                  EACH(number, name, value), 0 or 1, in vectors 0 or -1;",
                "//        LOGIC                      EACH(number, name, value) of integers that are 0 or 1.",
                "// A value is an expression over a and b: of the first three reals or 16 floats, which integers have otherwise.",
                "#ifndef CLINFER_FUNCTION2_TABLE_H",
                "#define CLINFER_FUNCTION2_TABLE_H"));
        lines.addAll(TableMacro.each(
                "FUNCTIONS_OF_TWO", functions.stream().filter(row -> !row.has("exponent")), Row::named));
        lines.addAll(TableMacro.each(
                "NUMBERED_FUNCTIONS_OF_TWO", functions.stream().filter(Row::isNumbered), Row::numbered));
        lines.addAll(TableMacro.each(
                "BLOCKED_FUNCTIONS_OF_TWO", functions.stream().filter(row -> row.has("blocked")), Row::numbered));
        lines.addAll(TableMacro.each("RELATIONS", relations.stream(), Row::numbered));
        lines.addAll(TableMacro.each("LOGIC", logic.stream(), Row::numbered));
        lines.addAll(List.of("", "#endif", ""));
        return String.join("\n", lines);
    }

    private String families() {
        List<Row> numbered = functions.stream().filter(Row::isNumbered).toList();
        List<Row> powers = functions.stream().filter(row -> row.has("exponent")).toList();
        List<Row> blocked = functions.stream().filter(row -> row.has("blocked")).toList();
        String exponents = listed(powers, row -> row.text("exponent"));
        return """
                {
                  "doc": "Lists of the functions of two numbers. Generated from kernels-cl/functions2.json.",
                  "families": {
                    "numbered_function": {"type": "int", "name": "kind", "value": "index_of([%s], '$function')"},
                    "numbered_power": {"type": "int", "name": "kind", "value": "has(exponent) && contains([%s], exponent) ? [%s][index_of([%s], exponent)] : -1"},
                    "numbered_relation": {"type": "int", "name": "kind", "value": "index_of([%s], '$relation')"},
                    "numbered_logic": {"type": "int", "name": "kind", "value": "index_of([%s], '$function')"},
                    "blocked_operation": {"arg_name": "operation", "ptype": "LN_PARAM_STRING", "default": "%s", "one_of": [%s]},
                    "operation_kind": {"type": "int", "name": "operation_kind", "value": "[%s][index_of([%s], operation)]"}
                  }
                }
                """.formatted(
                        listed(numbered, row -> "'" + row.name() + "'"),
                        exponents,
                        listed(powers, row -> String.valueOf(row.number())),
                        exponents,
                        listed(relations, row -> "'" + row.name() + "'"),
                        listed(logic, row -> "'" + row.name() + "'"),
                        blocked.get(0).text("blocked"),
                        listed(blocked, row -> '"' + row.text("blocked") + '"'),
                        listed(blocked, row -> String.valueOf(row.number())),
                        listed(blocked, row -> "'" + row.text("blocked") + "'"));
    }

    private static String listed(List<Row> rows, Function<Row, String> value) {
        return rows.stream().map(value).collect(Collectors.joining(", "));
    }
}
