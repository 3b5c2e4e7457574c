package org.clinfer.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.describe.FieldText;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.OutputDescription;
import org.clinfer.describe.ParamDescription;
import org.clinfer.describe.PartDescription;
import org.clinfer.describe.TypeSupport;
import org.clinfer.describe.VariantDescription;
import org.clinfer.expr.Check;
import org.clinfer.report.TextTable;
import org.clinfer.tensor.DType;

/**
 * An operator's description as lines for people and as a document for programs.
 *
 * @param cpu whether the CPU runs it
 * @param variants its OpenCL variants, in the order in which they are tried
 * @param compositions the ways in which it is composed of others
 * @param support where each of its types runs
 */
record OperatorText(
        OpDescription operator,
        boolean cpu,
        List<VariantDescription> variants,
        List<VariantDescription> compositions,
        TypeSupport support) {

    OperatorText {
        variants = List.copyOf(variants);
        compositions = List.copyOf(compositions);
    }

    List<String> lines(int width) {
        List<String> lines = new ArrayList<>();
        lines.add(operator.optype() + ": " + operator.doc());
        if (!operator.inputs().isEmpty()) {
            lines.add("inputs:");
        }
        TextTable inputs = new TextTable();
        operator.inputs().forEach(input -> inputs.row("  " + input.name(), rules(input), input.doc()));
        lines.addAll(inputs.lines(width));
        if (!operator.outputs().isEmpty()) {
            lines.add("outputs:");
        }
        TextTable outputs = new TextTable();
        operator.outputs()
                .forEach(output -> outputs.row(
                        "  " + output.name(),
                        "dtype " + plain(FieldText.type(output)),
                        "dims " + plain(FieldText.dims(output)),
                        output.doc()));
        lines.addAll(outputs.lines(width));
        if (!operator.params().isEmpty()) {
            lines.add("parameters:");
            TextTable params = new TextTable();
            operator.params()
                    .forEach(param -> params.row("  " + param.name(), param.expected(), rules(param), param.doc()));
            lines.addAll(params.lines(width));
        }
        if (!operator.checks().isEmpty()) {
            lines.add("checks:");
            FieldText.checks(operator.checks()).forEach(check -> lines.add("  " + plain(check)));
        }
        lines.addAll(places(width));
        compositions.forEach(composed -> lines.add("composed of: " + String.join(", ", parts(composed))));
        return lines;
    }

    /** The operators of which the first composition consists; none if there is no composition. */
    List<String> parts() {
        return compositions.isEmpty() ? List.of() : parts(compositions.get(0));
    }

    private static List<String> parts(VariantDescription composed) {
        return composed.body() instanceof VariantDescription.Parts parts
                ? parts.ops().stream()
                        .filter(part -> !part.isConstant())
                        .map(PartDescription::optype)
                        .toList()
                : List.of();
    }

    /** The places where each type runs, and the types of each variant. */
    private List<String> places(int width) {
        if (!cpu && variants.isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        lines.add("runs on, by the type of " + support.argument() + ":");
        TextTable table = new TextTable();
        support.cells()
                .forEach((type, cell) -> table.row("  " + type, cell.place().meaning(), cell.reason()));
        lines.addAll(table.lines(width));
        if (!variants.isEmpty()) {
            lines.add("OpenCL variants, in the order in which they are tried:");
            TextTable tried = new TextTable();
            variants.forEach(variant ->
                    tried.row("  " + variant.variant(), FieldText.types(support.types(variant)), conditions(variant)));
            lines.addAll(tried.lines(width));
        }
        return lines;
    }

    private static String conditions(VariantDescription variant) {
        if (!variant.alternativeTo().isEmpty()) {
            return "as " + variant.alternativeTo() + ", for tuning to choose";
        }
        List<String> messages = variant.checks().stream().map(Check::message).toList();
        return messages.isEmpty() ? "" : "refuses, saying: " + String.join("; ", messages);
    }

    private static String rules(InputDescription input) {
        List<String> rules = new ArrayList<>(List.of(FieldText.types(input)));
        rules.addAll(FieldText.rules(input));
        return plain(String.join(", ", rules));
    }

    private static String rules(ParamDescription param) {
        List<String> rules = new ArrayList<>();
        rules.add((param.byDefault().isPresent() ? "default " : "") + FieldText.byDefault(param));
        rules.addAll(FieldText.rules(param));
        return plain(String.join(", ", rules));
    }

    private static String plain(String text) {
        return text.replace("`", "");
    }

    Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("operator", operator.optype());
        document.put("doc", operator.doc());
        document.put("cpu", cpu);
        document.put(
                "opencl", variants.stream().map(VariantDescription::variant).toList());
        document.put("composed_of", parts());
        document.put("type_of", support.argument());
        document.put("types", typeDocuments());
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

    private Map<String, Object> typeDocuments() {
        Map<String, Object> documents = new LinkedHashMap<>();
        support.cells().forEach((type, cell) -> {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("runs", cell.place().shown());
            document.put("reason", cell.reason());
            document.put(
                    "variants",
                    variants.stream()
                            .filter(variant -> support.types(variant).contains(type))
                            .map(VariantDescription::variant)
                            .toList());
            documents.put(type.label(), document);
        });
        return documents;
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
        return Map.of(
                "name",
                output.name(),
                "dtype",
                plain(FieldText.type(output)),
                "dims",
                plain(FieldText.dims(output)),
                "doc",
                output.doc());
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
