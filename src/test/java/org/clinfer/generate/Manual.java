package org.clinfer.generate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.clinfer.describe.FieldText;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.OpDescription;
import org.clinfer.describe.PrivDescription;
import org.clinfer.describe.TypeSupport;
import org.clinfer.describe.VariantDescription;
import org.clinfer.expr.Check;
import org.clinfer.tensor.DType;

/** Writes the operator manual. */
final class Manual {

    private final OpCatalog catalog;
    private final Set<String> onCpu;
    private final List<String> lines = new ArrayList<>();

    /** @param onCpu the operators that the CPU has */
    Manual(OpCatalog catalog, Set<String> onCpu) {
        this.catalog = catalog;
        this.onCpu = onCpu;
    }

    String text() {
        List<OpDescription> operators = catalog.operators().stream()
                .filter(op -> !op.isOfLayout())
                .sorted(Comparator.comparing(OpDescription::optype))
                .toList();
        lines.add("# Operators");
        lines.add("");
        lines.add("Generated from the descriptions in `src/main/resources/org/clinfer/operators` by");
        lines.add("`" + GeneratedFiles.COMMAND + "`; change those, not this file.");
        lines.add("");
        lines.add(
                "Expressions are those of the descriptions: `x.dims`, `x.ndim`, `x.len` and `x.dtype` are a tensor's sizes,");
        lines.add(
                "number of dimensions, number of elements and element type. Groups of types: *integer* is int8 to int64 and uint8");
        lines.add(
                "to uint32; *floating* is float16, bfloat16, float32, float64; *numeric* is both; *any* adds uint64 and bool.");
        lines.add("");
        lines.add("## Operators by types");
        lines.add("");
        overview(operators);
        operators.forEach(this::operator);
        return String.join("\n", lines) + "\n";
    }

    private void overview(List<OpDescription> operators) {
        lines.add(
                "The type is that of the main tensor, named with each operator below. What is not `both` has its reason");
        lines.add("there.");
        lines.add("");
        for (TypeSupport.Place place : TypeSupport.Place.values()) {
            lines.add("- `" + place.shown() + "`: " + place.meaning());
        }
        lines.add("");
        List<String> header = new ArrayList<>(List.of("operator"));
        TypeSupport.TYPES.forEach(type -> header.add(type.label()));
        MarkdownTable table = new MarkdownTable(header);
        for (OpDescription op : operators) {
            if (isComputed(op)) {
                List<String> row = new ArrayList<>(List.of("[" + op.optype() + "](#" + anchor(op) + ")"));
                support(op)
                        .cells()
                        .values()
                        .forEach(cell -> row.add(cell.place().shown()));
                table.row(row);
            }
        }
        lines.addAll(table.lines());
    }

    private static String anchor(OpDescription op) {
        return op.optype().toLowerCase(Locale.ROOT);
    }

    private boolean isComputed(OpDescription op) {
        String computed = catalog.lowered(op).optype();
        return onCpu.contains(computed) || !catalog.variants(computed).isEmpty();
    }

    private TypeSupport support(OpDescription op) {
        return TypeSupport.of(catalog, op, onCpu);
    }

    private void operator(OpDescription op) {
        lines.add("");
        lines.add("## " + op.optype());
        lines.add("");
        lines.add(MarkdownTable.plain(FieldDocs.sentence(op.doc())));
        if (!op.inputs().isEmpty()) {
            inputs(op);
        }
        if (!op.outputs().isEmpty()) {
            outputs(op);
        }
        if (!op.params().isEmpty()) {
            params(op);
        }
        derived(op);
        if (!op.checks().isEmpty()) {
            heading("Checks");
            FieldText.checks(op.checks()).forEach(check -> lines.add("- " + check));
        }
        if (isComputed(op)) {
            places(op);
        }
    }

    private void heading(String text) {
        lines.add("");
        lines.add("**" + text + "**");
        lines.add("");
    }

    private void inputs(OpDescription op) {
        heading("Inputs");
        MarkdownTable table = new MarkdownTable(List.of("name", "types", "rules", "what it is"));
        op.inputs()
                .forEach(input -> table.row(List.of(
                        "`" + input.name() + "`",
                        FieldText.types(input),
                        String.join("; ", FieldText.rules(input)),
                        MarkdownTable.plain(input.doc()))));
        lines.addAll(table.lines());
    }

    private void outputs(OpDescription op) {
        heading("Outputs");
        MarkdownTable table = new MarkdownTable(List.of("name", "type", "dims", "what it is"));
        op.outputs()
                .forEach(output -> table.row(List.of(
                        "`" + output.name() + "`" + (output.variadic() ? ", one or more" : ""),
                        FieldText.type(output),
                        FieldText.dims(output),
                        MarkdownTable.plain(output.doc()
                                + (output.owner().isEmpty()
                                        ? ""
                                        : (output.doc().isEmpty() ? "" : "; ") + "the memory of `" + output.owner()
                                                + "`")))));
        lines.addAll(table.lines());
    }

    private void params(OpDescription op) {
        heading("Parameters");
        MarkdownTable table = new MarkdownTable(List.of("name", "type", "default", "rules", "what it does"));
        op.params()
                .forEach(param -> table.row(List.of(
                        "`" + param.name() + "`",
                        param.expected(),
                        FieldText.byDefault(param),
                        String.join("; ", FieldText.rules(param)),
                        MarkdownTable.plain(param.doc()))));
        lines.addAll(table.lines());
    }

    /** The scratch values that the outputs, the checks, or others of these are computed from. */
    private void derived(OpDescription op) {
        Set<String> used = new TreeSet<>();
        op.outputs().forEach(output -> output.dims().forEach(dim -> used.addAll(dim.names())));
        op.outputs().forEach(output -> used.addAll(output.dtype().names()));
        op.checks().forEach(check -> used.addAll(check.condition().names()));
        List<String> items = new ArrayList<>();
        for (int i = op.privs().size() - 1; i >= 0; i--) {
            PrivDescription priv = op.privs().get(i);
            if (used.contains(priv.name())) {
                used.addAll(priv.value().names());
                items.add(0, "- `" + priv.name() + " = " + priv.value().source() + "`");
            }
        }
        if (!items.isEmpty()) {
            heading("Where");
            lines.addAll(items);
        }
    }

    private void places(OpDescription op) {
        TypeSupport support = support(op);
        heading("Where it runs, by the type of `" + support.argument() + "`");
        byPlace(support).forEach(lines::add);
        List<VariantDescription> variants = catalog.variants(op.optype());
        if (variants.isEmpty()) {
            return;
        }
        heading("OpenCL variants, in the order in which they are tried");
        MarkdownTable table = new MarkdownTable(List.of("variant", "devices", "types", "refuses, saying"));
        for (VariantDescription variant : variants) {
            List<String> conditions = variant.alternativeTo().isEmpty()
                    ? variant.checks().stream()
                            .map(Check::message)
                            .filter(message -> !message.isEmpty())
                            .toList()
                    : List.of("as " + variant.alternativeTo() + ", for tuning to choose");
            table.row(List.of(
                    variant.variant(),
                    variant.deviceKind().orElse("any"),
                    FieldText.types(support.types(variant)),
                    MarkdownTable.plain(String.join("; ", conditions))));
        }
        lines.addAll(table.lines());
    }

    /** One item for each place and reason, with its types. */
    private static List<String> byPlace(TypeSupport support) {
        List<String> items = new ArrayList<>();
        support.cells().values().stream().distinct().forEach(cell -> {
            List<DType> types = TypeSupport.TYPES.stream()
                    .filter(type -> support.cell(type).equals(cell))
                    .toList();
            items.add("- " + FieldText.types(types) + ": "
                    + cell.place().meaning()
                    + (cell.reason().isEmpty() ? "" : ", because " + MarkdownTable.plain(cell.reason())));
        });
        return items;
    }
}
