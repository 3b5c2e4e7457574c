package org.clinfer.report;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.clinfer.check.CheckReport.NodeReport;
import org.clinfer.check.Finding;
import org.clinfer.check.Verdict;
import org.clinfer.text.Printable;

/** Lines for people: short first, everything when asked to explain. */
final class TextReport implements ReportWriter {

    private static final int NODE_WIDTH = 48;
    private static final int LINE_WIDTH = 120;
    private static final int GAP = 2;

    @Override
    public void write(List<Subject> subjects, ReportOptions options, Writer to) throws IOException {
        List<String> lines = new ArrayList<>();
        int width = options.width();
        Matrix.of(subjects).ifPresent(matrix -> lines.addAll(matrix(matrix, Math.min(width, LINE_WIDTH))));
        for (Subject subject : subjects) {
            if (!lines.isEmpty()) {
                lines.add("");
            }
            lines.addAll(WrappedText.lines(Printable.message(subject.title()), width));
            Findings.summary(subject.report()).forEach(line -> lines.addAll(WrappedText.lines("  " + line, width)));
            lines.addAll(options.explain() ? everything(subject, width) : whatIsNotOnTheDevice(subject, width));
        }
        to.write(String.join(System.lineSeparator(), lines).stripTrailing());
    }

    private static List<String> matrix(Matrix matrix, int width) {
        List<String> lines = new ArrayList<>();
        for (List<Integer> block : matrix.blocks(width, GAP, TextReport::name)) {
            TextTable table = new TextTable();
            List<String> head = new ArrayList<>(List.of(matrix.corner()));
            block.forEach(column -> head.add(name(matrix.columns().get(column))));
            table.row(head.toArray(String[]::new));
            for (Matrix.Row row : matrix.rows()) {
                List<String> cells = new ArrayList<>(List.of(name(row.name())));
                block.forEach(column -> cells.add(shown(row.cells().get(column))));
                table.row(cells.toArray(String[]::new));
            }
            if (!lines.isEmpty()) {
                lines.add("");
            }
            lines.addAll(table.lines());
        }
        lines.addAll(WrappedText.lines(
                "Nodes on the device / all nodes; the worst of the others: " + VerdictLetter.legend(), width));
        return lines;
    }

    private static String shown(String cell) {
        return cell.isEmpty() ? "-" : cell;
    }

    private static String name(String name) {
        return TextTable.shortened(name, NODE_WIDTH);
    }

    /** A line for each reason; nodes that differ in their names alone share them. */
    private static List<String> whatIsNotOnTheDevice(Subject subject, int width) {
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
        return table.lines(width);
    }

    private static String reason(Finding finding) {
        return Printable.message(finding.message()) + " ["
                + Printable.shortened(finding.rule().toString()) + "]";
    }

    private static List<String> everything(Subject subject, int width) {
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
            if (node.verdict() != Verdict.ON_DEVICE || !node.findings().isEmpty()) {
                Stream.concat(Findings.lines(node).stream(), work(node))
                        .forEach(line -> table.note("    " + Printable.message(line)));
            }
        }
        return table.lines(width);
    }

    /** The cost of keeping the node off the device. */
    private static Stream<String> work(NodeReport node) {
        return node.work().multiplyAdds().stream()
                .filter(count -> count > 0)
                .mapToObj(count -> "takes " + Amount.count(count) + " multiply-adds");
    }
}
