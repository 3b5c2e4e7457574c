package org.clinfer.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.clinfer.cli.io.TextTable;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.OutputDescription;
import org.clinfer.describe.ParamDescription;
import org.clinfer.expr.Expr;
import org.clinfer.tensor.DType;

/**
 * An operator's description as lines for people and as a document for programs.
 *
 * @param cpu whether the CPU runs it
 * @param variants its OpenCL variants, in the order in which they are tried
 */
record OperatorText(OpDescription operator, boolean cpu, List<String> variants) {

    OperatorText {
        variants = List.copyOf(variants);
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(operator.optype() + ": " + operator.doc());
        lines.add("runs on: CPU " + (cpu ? "yes" : "no") + ", OpenCL "
                + (variants.isEmpty() ? "no" : String.join(", ", variants)));
        lines.add("inputs:");
        TextTable inputs = new TextTable();
        operator.inputs().forEach(input -> inputs.row("  " + input.name(), rules(input), input.doc()));
        lines.addAll(inputs.lines());
        lines.add("outputs:");
        TextTable outputs = new TextTable();
        operator.outputs()
                .forEach(output -> outputs.row(
                        "  " + output.name(), "dtype " + output.dtype().source(), "dims " + dims(output)));
        lines.addAll(outputs.lines());
        if (!operator.params().isEmpty()) {
            lines.add("parameters:");
            TextTable params = new TextTable();
            operator.params()
                    .forEach(param -> params.row("  " + param.name(), param.expected(), rules(param), param.doc()));
            lines.addAll(params.lines());
        }
        if (!operator.checks().isEmpty()) {
            lines.add("checks:");
            operator.checks()
                    .forEach(check -> lines.add("  " + check.condition().source() + "  (" + check.message() + ")"));
        }
        return lines;
    }

    private static String rules(InputDescription input) {
        List<String> rules = new ArrayList<>();
        if (input.optional()) {
            rules.add("optional");
        }
        if (input.variadic()) {
            rules.add("one or more");
        }
        if (!input.dtypes().isEmpty()) {
            rules.add(input.dtypes().stream().map(DType::label).collect(Collectors.joining("|")));
        }
        if (!input.sameType().isEmpty()) {
            rules.add("type of " + input.sameType());
        }
        if (!input.sameShape().isEmpty()) {
            rules.add("shape of " + input.sameShape());
        }
        input.ndim().ifPresent(ndim -> rules.add(ndim.source() + " dimensions"));
        input.len().ifPresent(len -> rules.add(len.source() + " elements"));
        input.isStatic().ifPresent(constant -> rules.add(constant ? "constant" : "not constant"));
        return String.join(", ", rules);
    }

    private static String rules(ParamDescription param) {
        List<String> rules = new ArrayList<>();
        rules.add(param.byDefault().map(value -> "default " + value.source()).orElse("required"));
        if (!param.oneOf().isEmpty()) {
            rules.add("one of " + String.join("|", param.oneOf()));
        }
        param.len().ifPresent(len -> rules.add(len.source() + " elements"));
        param.bounds()
                .forEach(bound -> rules.add(
                        bound.relation().symbol() + " " + bound.limit().source()));
        if (!param.fromInput().isEmpty()) {
            rules.add("or input " + param.fromInput());
        }
        return String.join(", ", rules);
    }

    private static String dims(OutputDescription output) {
        String dims = output.dims().stream().map(Expr::source).collect(Collectors.joining(", "));
        return output.dimsAreList() ? dims : "[" + dims + "]";
    }

    Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("operator", operator.optype());
        document.put("doc", operator.doc());
        document.put("cpu", cpu);
        document.put("opencl", variants);
        document.put(
                "inputs", operator.inputs().stream().map(OperatorText::document).toList());
        document.put(
                "outputs",
                operator.outputs().stream().map(OperatorText::document).toList());
        document.put(
                "parameters",
                operator.params().stream().map(OperatorText::document).toList());
        return document;
    }

    private static Map<String, Object> document(InputDescription input) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", input.name());
        document.put("types", input.dtypes().stream().map(DType::label).toList());
        document.put("optional", input.optional());
        document.put("variadic", input.variadic());
        document.put("rules", rules(input));
        document.put("doc", input.doc());
        return document;
    }

    private static Map<String, Object> document(OutputDescription output) {
        return Map.of("name", output.name(), "dtype", output.dtype().source(), "dims", dims(output));
    }

    private static Map<String, Object> document(ParamDescription param) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", param.name());
        document.put("type", param.expected());
        document.put("rules", rules(param));
        document.put("one_of", param.oneOf());
        document.put("doc", param.doc());
        return document;
    }
}
