package org.clinfer.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Finding;
import org.clinfer.check.Verdict;
import org.clinfer.cli.io.TextTable;
import org.clinfer.tensor.TensorType;

/** The capability report as lines for people and as a document for programs. */
final class CheckText {

    private static final int NODE_WIDTH = 48;

    private CheckText() {}

    static List<String> lines(List<CheckReport> reports) {
        List<String> lines = new ArrayList<>();
        for (CheckReport report : reports) {
            if (!lines.isEmpty()) {
                lines.add("");
            }
            lines.addAll(lines(report));
        }
        return lines;
    }

    private static List<String> lines(CheckReport report) {
        List<String> lines = new ArrayList<>();
        lines.add(report.model() + " on " + report.device());
        TextTable table = new TextTable().row("VERDICT", "NODE", "OPERATOR", "OUTPUTS", "VARIANT");
        for (CheckReport.NodeReport node : report.nodes()) {
            table.row(
                    node.verdict().label(),
                    TextTable.shortened(node.node(), NODE_WIDTH),
                    node.op(),
                    types(node.outputs()),
                    node.variant());
        }
        List<String> rows = table.lines();
        lines.add(rows.get(0));
        for (int i = 0; i < report.nodes().size(); i++) {
            CheckReport.NodeReport node = report.nodes().get(i);
            lines.add(rows.get(i + 1));
            if (node.verdict() != Verdict.ON_DEVICE || !node.findings().isEmpty()) {
                node.findings().forEach(finding -> lines.addAll(lines(finding)));
                passing(node.findings()).forEach(change -> lines.add("      would pass with " + change));
                lines.add("    in " + node.source());
            }
        }
        lines.add(summary(report.counts()));
        if (report.counts().getOrDefault(Verdict.UNKNOWN, 0L) > 0) {
            lines.add("Give the sizes that are not known: " + inputs(report.inputs()));
        }
        return lines;
    }

    private static List<String> lines(Finding finding) {
        List<String> lines = new ArrayList<>(List.of("    " + finding.rule() + ": " + finding.message()));
        finding.broken().ifPresent(broken -> {
            List<String> parts = new ArrayList<>();
            if (!broken.limit().isEmpty()) {
                String unit = broken.unit().isEmpty() ? "" : " " + broken.unit();
                parts.add("limit " + broken.limit() + unit + ", actual " + broken.actual() + unit
                        + (broken.margin().isEmpty() ? "" : ", off by " + broken.margin()));
            }
            if (!broken.places().isEmpty()) {
                parts.add("set by " + String.join(", ", broken.places()));
            }
            parts.add("source: " + broken.source());
            if (!broken.reading().isEmpty()) {
                parts.add("only as the " + broken.reading() + " is read");
            }
            lines.add("      " + String.join("; ", parts));
        });
        return lines;
    }

    /** Each change once, however many rules are broken. */
    private static List<String> passing(List<Finding> findings) {
        return findings.stream()
                .flatMap(finding -> finding.broken().stream())
                .flatMap(broken -> broken.passing().stream())
                .map(change -> change.what() + " " + change.from() + " -> " + change.to())
                .distinct()
                .toList();
    }

    /** Outputs without their names. */
    private static String types(List<CheckReport.Value> outputs) {
        return outputs.stream()
                .map(output -> output.type().map(TensorType::toString).orElse("?"))
                .collect(Collectors.joining(", "));
    }

    /** How the command line would name the inputs' types. */
    private static String inputs(Map<String, TensorType> types) {
        return types.entrySet().stream()
                .map(input -> "--input " + input.getKey() + "=" + input.getValue())
                .collect(Collectors.joining(" "));
    }

    private static String summary(Map<Verdict, Long> counts) {
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey().label())
                .collect(Collectors.joining(", "));
    }

    static Map<String, Object> document(List<CheckReport> reports) {
        return Map.of("reports", reports.stream().map(CheckText::document).toList());
    }

    private static Map<String, Object> document(CheckReport report) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("model", report.model());
        document.put("device", report.device());
        Map<String, String> inputs = new LinkedHashMap<>();
        report.inputs().forEach((name, type) -> inputs.put(name, type.toString()));
        document.put("inputs", inputs);
        Map<String, Long> counts = new LinkedHashMap<>();
        report.counts().forEach((verdict, count) -> counts.put(verdict.label(), count));
        document.put("counts", counts);
        document.put("nodes", report.nodes().stream().map(CheckText::document).toList());
        return document;
    }

    private static Map<String, Object> document(CheckReport.NodeReport node) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("node", node.node());
        document.put("operator", node.op());
        document.put("source", node.source().toString());
        document.put("verdict", node.verdict().label());
        document.put("variant", node.variant());
        document.put("outputs", node.outputs().stream().map(Object::toString).toList());
        document.put(
                "findings", node.findings().stream().map(CheckText::document).toList());
        return document;
    }

    private static Map<String, Object> document(Finding finding) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("rule", finding.rule());
        document.put("message", finding.message());
        finding.broken().ifPresent(broken -> {
            document.put("decided", broken.isDecided());
            document.put("expression", broken.expression());
            document.put("actual", broken.actual());
            document.put("limit", broken.limit());
            document.put("margin", broken.margin());
            document.put("unit", broken.unit());
            document.put("places", broken.places());
            document.put("source", broken.source());
            document.put("reading", broken.reading());
            document.put("passing", broken.passing());
        });
        return document;
    }
}
