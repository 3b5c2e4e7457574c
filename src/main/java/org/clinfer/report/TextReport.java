package org.clinfer.report;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.clinfer.check.CheckReport.NodeReport;
import org.clinfer.check.Finding;
import org.clinfer.check.Verdict;
import org.clinfer.errors.Printable;

/** Lines for people: short first, everything when asked to explain. */
final class TextReport implements ReportWriter {

    private static final int NODE_WIDTH = 48;
    private static final int LINE_WIDTH = 120;
    private static final int GAP = 2;

    @Override
    public void write(List<Subject> subjects, ReportOptions options, Writer to) throws IOException {
        List<String> lines = new ArrayList<>();
        Matrix.of(subjects).ifPresent(matrix -> lines.addAll(matrix(matrix)));
        for (Subject subject : subjects) {
            if (!lines.isEmpty()) {
                lines.add("");
            }
            lines.add(Printable.message(subject.title()));
            Findings.summary(subject.report()).forEach(line -> lines.add("  " + line));
            lines.addAll(options.explain() ? everything(subject) : whatIsNotOnTheDevice(subject));
            List<String> open = Findings.openInputs(subject.report());
            if (!open.isEmpty()) {
                lines.add("Sizes that are not known can be given: " + Printable.message(String.join(" ", open)));
            }
        }
        to.write(String.join(System.lineSeparator(), lines).stripTrailing());
    }

    private static List<String> matrix(Matrix matrix) {
        List<String> lines = new ArrayList<>();
        for (List<Integer> block : matrix.blocks(LINE_WIDTH, GAP, TextReport::name)) {
            TextTable table = new TextTable();
            List<String> head = new ArrayList<>(List.of(matrix.corner()));
            block.forEach(column -> head.add(name(matrix.columns().get(column))));
            table.row(head.toArray(String[]::new));
            for (Matrix.Row row : matrix.rows()) {
                List<String> cells = new ArrayList<>(List.of(name(row.name())));
                block.forEach(column -> cells.add(
                        row.cells().get(column).map(Matrix.Cell::toString).orElse("-")));
                table.row(cells.toArray(String[]::new));
            }
            if (!lines.isEmpty()) {
                lines.add("");
            }
            lines.addAll(table.lines());
        }
        lines.add("Nodes on the device / all nodes; the worst of the others: " + VerdictLetter.legend());
        return lines;
    }

    private static String name(String name) {
        return TextTable.shortened(name, NODE_WIDTH);
    }

    /** A line for each reason; nodes that differ in their names alone share them. */
    private static List<String> whatIsNotOnTheDevice(Subject subject) {
        List<AlikeNodes> groups = AlikeNodes.of(subject.nodes());
        if (groups.isEmpty()) {
            return List.of();
        }
        TextTable table = new TextTable().row("VERDICT", "NODE", "OPERATOR", "REASON");
        for (AlikeNodes alike : groups) {
            List<String> reasons =
                    alike.findings().stream().map(TextReport::reason).toList();
            table.row(
                    alike.verdict().label(),
                    name(alike.nodes().get(0)) + alike.more(),
                    name(alike.op()),
                    reasons.isEmpty() ? Findings.sentence(alike.verdict()) : reasons.get(0));
            reasons.stream().skip(1).forEach(reason -> table.row("", "", "", reason));
        }
        return table.lines();
    }

    private static String reason(Finding finding) {
        return Printable.message(finding.message()) + " ["
                + Printable.shortened(finding.rule().toString()) + "]";
    }

    private static List<String> everything(Subject subject) {
        boolean hasCost = CostLines.isKnown(subject.report());
        TextTable table = hasCost
                ? new TextTable().row("VERDICT", "NODE", "OPERATOR", "OUTPUTS", "COST", "VARIANT")
                : new TextTable().row("VERDICT", "NODE", "OPERATOR", "OUTPUTS", "VARIANT");
        for (NodeReport node : subject.nodes()) {
            List<String> cells = new ArrayList<>(List.of(
                    node.verdict().label(),
                    name(node.node()),
                    name(node.op()),
                    name(String.join(", ", Findings.outputTypes(node)))));
            if (hasCost) {
                cells.add(CostLines.of(subject.report(), node));
            }
            cells.add(name(Findings.variant(node)));
            table.row(cells.toArray(String[]::new));
        }
        List<String> rows = table.lines();
        List<String> lines = new ArrayList<>(rows.subList(0, 1));
        for (int i = 0; i < subject.nodes().size(); i++) {
            NodeReport node = subject.nodes().get(i);
            lines.add(rows.get(i + 1));
            if (node.verdict() != Verdict.ON_DEVICE || !node.findings().isEmpty()) {
                lines.addAll(Stream.concat(Findings.lines(node).stream(), work(node))
                        .map(line -> "    " + Printable.message(line))
                        .toList());
            }
        }
        return lines;
    }

    /** The cost of keeping the node off the device. */
    private static Stream<String> work(NodeReport node) {
        return node.work().multiplyAdds().stream()
                .filter(count -> count > 0)
                .mapToObj(count -> "takes " + Amount.count(count) + " multiply-adds");
    }
}
