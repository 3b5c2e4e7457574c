package org.clinfer.generate;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The files that follow from the table of functions of one number: a header of kernels, lists of descriptions, an enum. */
final class FunctionTable {

    private static final Path SOURCE = Path.of("kernels-cl/functions.json");
    private static final Path HEADER = Path.of("kernels-cl/common/function_table.h");
    private static final Path FAMILIES = GeneratedFiles.DESCRIPTIONS.resolve("shared_functions_of_one.json");
    private static final Path ENUM = Path.of("src/generated/java/org/clinfer/graph/ActivationFunction.java");

    private final List<Row> rows = new ArrayList<>();

    /** A function; its fields are explained in the table. */
    private record Row(JsonNode fields) {

        String name() {
            return fields.required("name").stringValue();
        }

        String text(String field, String otherwise) {
            return has(field) ? fields.required(field).asString() : otherwise;
        }

        boolean has(String field) {
            return fields.has(field);
        }

        String function() {
            return text("function", name().toLowerCase(Locale.ROOT));
        }

        String operator() {
            return text("operator", JavaNames.type(name().toLowerCase(Locale.ROOT)));
        }

        String scalar() {
            return text("scalar", function() + "(x, alpha, beta)");
        }

        boolean isBounded() {
            return has("low");
        }

        boolean isInEpilogue() {
            return has("epilogue");
        }

        boolean isActivation() {
            return isInEpilogue() || has("gate");
        }

        boolean takesInEpilogue(String parameter) {
            return fields.path("epilogue").valueStream().anyMatch(taken -> parameter.equals(taken.stringValue()));
        }

        Optional<String> vector() {
            String bounded = isBounded() ? "clip16(x, " + text("low", "") + ", " + text("high", "") + ")" : "";
            return Optional.of(text("vector", bounded)).filter(value -> !value.isEmpty());
        }

        /** Whether unary operators have it, in vectors. */
        boolean isUnaryVector() {
            return vector().isPresent() && (isBounded() || !has("scalar"));
        }

        /** Whether it follows sums and is not made of straight pieces. */
        boolean isSmooth() {
            return isInEpilogue() && has("real");
        }
    }

    FunctionTable() {
        new JsonMapper().readTree(SOURCE.toFile()).required("functions").forEach(fields -> rows.add(new Row(fields)));
    }

    Map<Path, String> files() {
        return Map.of(HEADER, header(), FAMILIES, families(), ENUM, javaEnum());
    }

    private List<Row> those(Predicate<Row> wanted) {
        return rows.stream().filter(wanted).toList();
    }

    private String header() {
        List<String> lines = new ArrayList<>(List.of(
                "// The functions of one number that kernels choose by number or name. Generated from functions.json.",
                "//",
                "// Gives: FUNCTION_NAME         the number of a function, which descriptions have for it, too;",
                "//        ACTIVATED_NAME        its value in kernels of any type, where it follows sums; by common/functions.h;",
                "//        VECTOR_NAME           its value for 16 floats; by common/vector_functions.h;",
                "//        UNARY_VECTORS         EACH(NAME) for those that unary operators have in vectors;",
                "//        BOUNDED_FUNCTIONS     EACH(NAME, low, high) for those that only keep x between bounds;",
                "//        STRAIGHT_ACTIVATIONS  EACH(NAME) for those that follow sums and are made of straight pieces, but NONE;",
                "//        SMOOTH_ACTIVATIONS    EACH(NAME) for the others that follow sums.",
                "// The arguments of values are names, not expressions.",
                "#ifndef CLINFER_FUNCTION_TABLE_H",
                "#define CLINFER_FUNCTION_TABLE_H",
                ""));
        for (int number = 0; number < rows.size(); number++) {
            lines.add("#define FUNCTION_" + rows.get(number).name() + " " + number);
        }
        lines.add("");
        those(Row::isInEpilogue).forEach(row -> lines.add(value("ACTIVATED_", row, row.scalar())));
        lines.add("");
        rows.forEach(row -> row.vector().ifPresent(value -> lines.add(value("VECTOR_", row, value))));
        lines.addAll(TableMacro.each("UNARY_VECTORS", rows.stream().filter(Row::isUnaryVector), Row::name));
        lines.addAll(TableMacro.each(
                "BOUNDED_FUNCTIONS",
                rows.stream().filter(Row::isBounded),
                row -> row.name() + ", " + row.text("low", "") + ", " + row.text("high", "")));
        lines.addAll(TableMacro.each(
                "STRAIGHT_ACTIVATIONS",
                rows.stream().filter(row -> row.isInEpilogue() && !row.isSmooth() && !"NONE".equals(row.name())),
                Row::name));
        lines.addAll(TableMacro.each("SMOOTH_ACTIVATIONS", rows.stream().filter(Row::isSmooth), Row::name));
        lines.addAll(List.of("", "#endif", ""));
        return String.join("\n", lines);
    }

    private static String value(String prefix, Row row, String value) {
        return "#define " + prefix + row.name() + "(x, slope, alpha, beta) (" + value + ")";
    }

    private String families() {
        List<Row> epilogue = those(Row::isInEpilogue);
        List<Row> gates = those(row -> row.has("gate"));
        String alpha = choices("activation", those(row -> row.takesInEpilogue("alpha") && row.has("alpha")), "alpha");
        return """
                {
                  "doc": "Lists of the functions of one number. Generated from kernels-cl/functions.json.",
                  "families": {
                    "activation": {"arg_name": "activation", "ptype": "LN_PARAM_STRING", "default": "NONE", "one_of": [%s], "doc": "applied to the sum: %s; %s to floating types alone"},
                    "activation_alpha": {"arg_name": "alpha", "ptype": "LN_PARAM_NUMBER", "realtype": "double", "default": "%s0.0"},
                    "activation_kind": {"type": "int", "name": "activation_kind", "value": "index_of([%s], activation)"},
                    "activation_takes_type": {"check": "!contains([%s], activation) || contains(['float16', 'bfloat16', 'float32', 'float64'], y_type), \\"this activation takes floating types alone\\""},
                    "gates": {"arg_name": "activations", "ptype": "LN_PARAM_ARRAY_STRING", "check": "all(activations, f -> contains([%s], f)), \\"activations are %s\\"", "doc": "$of: %s"},
                    "gate_alpha": {"arg_name": "activation_alpha", "ptype": "LN_PARAM_ARRAY_NUMBER", "realtype": "double", "default": "map(activations, f -> %s1.0)", "doc": "alpha of each activation; those without pass it over"},
                    "gate_beta": {"arg_name": "activation_beta", "ptype": "LN_PARAM_ARRAY_NUMBER", "realtype": "double", "default": "map(activations, f -> %s1.0)", "doc": "beta of each activation"},
                    "function_kind": {"type": "int", "name": "function_kind", "value": "index_of([%s], $function)"}
                  }
                }
                """.formatted(
                        listed(epilogue, "\"", Row::name),
                        formulas(epilogue, Row::name),
                        listed(those(Row::isSmooth), "", Row::name),
                        alpha,
                        listed(epilogue, "'", Row::name),
                        listed(those(Row::isSmooth), "'", Row::name),
                        listed(gates, "'", Row::operator),
                        listed(gates, "", Row::operator),
                        formulas(gates, Row::operator),
                        choices("f", gates, "alpha"),
                        choices("f", gates, "beta"),
                        listed(rows, "'", Row::function));
    }

    private static String listed(List<Row> rows, String quote, Function<Row, String> name) {
        return rows.stream().map(row -> quote + name.apply(row) + quote).collect(Collectors.joining(", "));
    }

    private static String formulas(List<Row> rows, Function<Row, String> name) {
        return rows.stream()
                .filter(row -> !row.name().equals("NONE"))
                .map(row -> name.apply(row) + " is " + row.text("formula", ""))
                .collect(Collectors.joining("; "));
    }

    /** The beginning of an expression: the default values of a parameter, by the name of the function. */
    private static String choices(String name, List<Row> rows, String parameter) {
        return rows.stream()
                .filter(row -> row.has(parameter))
                .map(row -> name + " == '" + (name.equals("f") ? row.operator() : row.name()) + "' ? "
                        + row.text(parameter, "") + " : ")
                .collect(Collectors.joining());
    }

    private String javaEnum() {
        JavaFile file = new JavaFile("org.clinfer.graph");
        file.use("java.util.Arrays");
        file.use("java.util.Optional");
        file.doc(List.of("The activations that may follow sums or be in the gates of recurrent operators."), List.of());
        file.line(FactorySource.GENERATED);
        file.open("public enum ActivationFunction");
        List<Row> activations = those(Row::isActivation);
        for (int i = 0; i < activations.size(); i++) {
            Row row = activations.get(i);
            file.doc(List.of("`" + row.text("formula", "") + "`."), List.of());
            file.line(row.name() + "(\"" + row.operator() + "\", " + row.isInEpilogue() + ")"
                    + (i + 1 < activations.size() ? "," : ";"));
        }
        file.blank();
        List.of("private final String operator;", "private final boolean isAfterSums;")
                .forEach(file::line);
        file.blank();
        file.method("ActivationFunction", List.of("String operator", "boolean isAfterSums"));
        List.of("this.operator = operator;", "this.isAfterSums = isAfterSums;").forEach(file::line);
        file.close();
        file.blank();
        file.doc(
                List.of("The name of the activation."),
                List.of("@return its name in gates, and that of the operator that computes it, if there is one"));
        file.method("public String operator", List.of());
        file.line("return operator;");
        file.close();
        file.blank();
        file.doc(
                List.of("The use after sums."),
                List.of("@return whether it may follow the sums of an operator such as FusedConv"));
        file.method("public boolean isAfterSums", List.of());
        file.line("return isAfterSums;");
        file.close();
        file.blank();
        bounds(file, activations);
        file.doc(
                List.of("Finds an activation by its name."),
                List.of("@param operator the name in gates", "@return empty where there is none of this name"));
        file.method("public static Optional<ActivationFunction> of", List.of("String operator"));
        file.line("return Arrays.stream(values())");
        file.line("        .filter(activation -> activation.operator.equals(operator))");
        file.line("        .findFirst();");
        file.close();
        file.blank();
        file.doc(
                List.of("The lowest and the highest value of an activation."),
                List.of("@param low the lowest", "@param high the highest"));
        file.line("public record Bounds(double low, double high) {}");
        file.close();
        return file.text();
    }

    private static void bounds(JavaFile file, List<Row> activations) {
        file.doc(
                List.of("The bounds between which it keeps its values, where it does nothing else."),
                List.of(
                        "@param alpha its first parameter, where it has one",
                        "@param beta its second parameter, where it has one",
                        "@return empty where it does anything else"));
        file.method("public Optional<Bounds> bounds", List.of("double alpha", "double beta"));
        file.open("return switch (this)");
        activations.stream()
                .filter(Row::isBounded)
                .forEach(row -> file.line("case " + row.name() + " -> Optional.of(new Bounds("
                        + javaNumber(row.text("low", "")) + ", " + javaNumber(row.text("high", "")) + "));"));
        file.line("default -> Optional.empty();");
        file.closeStatement();
        file.close();
        file.blank();
    }

    /** A number of OpenCL C, or the name of a parameter, in Java. */
    private static String javaNumber(String value) {
        return value.equals("INFINITY") ? "Double.POSITIVE_INFINITY" : value.replaceAll("f$", "");
    }
}
