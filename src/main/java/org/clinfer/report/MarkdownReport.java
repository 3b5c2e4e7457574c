package org.clinfer.report;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.check.CheckReport.NodeReport;
import org.clinfer.check.Finding;
import org.clinfer.text.Printable;

/** GitHub's Markdown, for comments on changes and for summaries of builds. */
final class MarkdownReport implements ReportWriter {

    /** The characters that have a meaning inside a line. */
    private static final String SPECIAL = "\\`*_[]<>~&$";

    /** Has no width, and keeps what stands on both sides of it from being read as one. */
    private static final String JOINER = "\u2060";

    private static final int NAME_WIDTH = 80;

    @Override
    public void write(List<Subject> subjects, ReportOptions options, Writer to) throws IOException {
        List<String> lines = new ArrayList<>(List.of("# Capability report"));
        Matrix.of(subjects).ifPresent(matrix -> lines.addAll(matrix(matrix)));
        for (Subject subject : subjects) {
            lines.addAll(List.of("", "## " + code(subject.name()) + " on " + text(subject.device()), ""));
            Findings.summary(subject.report()).forEach(line -> lines.add("- " + text(line)));
            lines.addAll(options.explain() ? everything(subject) : whatIsNotOnTheDevice(subject));
        }
        to.write(String.join("\n", lines).stripTrailing());
    }

    private static List<String> matrix(Matrix matrix) {
        String corner = matrix.corner().charAt(0) + matrix.corner().substring(1).toLowerCase(Locale.ROOT);
        List<String> lines = new ArrayList<>(List.of(""));
        lines.add(row(Stream.concat(Stream.of(corner), matrix.columns().stream().map(MarkdownReport::code))));
        lines.add("|---|" + "--:|".repeat(matrix.columns().size()));
        for (Matrix.Row row : matrix.rows()) {
            Stream<String> cells = row.cells().stream().map(cell -> cell.isEmpty() ? "–" : cell);
            lines.add(row(Stream.concat(Stream.of(row.isTotal() ? row.name() : code(row.name())), cells)));
        }
        lines.add("");
        lines.add("Nodes on the device / all nodes; the worst of the others: " + VerdictLetter.legend() + ".");
        return lines;
    }

    private static List<String> whatIsNotOnTheDevice(Subject subject) {
        List<AlikeNodes> groups = AlikeNodes.of(subject.nodes());
        if (groups.isEmpty()) {
            return List.of();
        }
        List<String> lines = head("Verdict", "Node", "Operator", "Reason");
        for (AlikeNodes alike : groups) {
            String reasons =
                    alike.findings().stream().map(MarkdownReport::reason).collect(Collectors.joining("<br>"));
            lines.add(row(Stream.of(
                    alike.verdict().label(), code(alike.nodes().get(0)) + alike.more(), code(alike.op()), reasons)));
        }
        return lines;
    }

    private static List<String> everything(Subject subject) {
        boolean hasCost = CostLines.isKnown(subject.report());
        List<String> lines = hasCost
                ? head("Verdict", "Node", "Operator", "Outputs", "Cost", "Reason")
                : head("Verdict", "Node", "Operator", "Outputs", "Reason");
        for (NodeReport node : subject.nodes()) {
            Stream<String> reasons = node.findings().stream()
                    .flatMap(finding -> Stream.concat(
                            Stream.of(reason(finding)),
                            finding.broken().map(Findings::details).stream().map(MarkdownReport::text)));
            Stream<String> passing = Findings.passing(node).stream().map(change -> text("would pass with " + change));
            List<String> cells = new ArrayList<>(List.of(
                    node.verdict().label(),
                    code(node.node()),
                    code(node.op()),
                    code(String.join(", ", Findings.outputTypes(node)))));
            if (hasCost) {
                cells.add(text(CostLines.of(subject.report(), node)));
            }
            Stream<String> variant = Stream.of(Findings.variant(node))
                    .filter(text -> !text.isEmpty())
                    .map(MarkdownReport::text);
            cells.add(Stream.concat(variant, Stream.concat(reasons, passing)).collect(Collectors.joining("<br>")));
            lines.add(row(cells.stream()));
        }
        return lines;
    }

    private static List<String> head(String... columns) {
        return new ArrayList<>(List.of("", row(Stream.of(columns)), "|" + "---|".repeat(columns.length)));
    }

    /** A bar would end a cell, in code as well. */
    private static String row(Stream<String> cells) {
        return cells.map(cell -> cell.replace("|", "\\|")).collect(Collectors.joining(" | ", "| ", " |"));
    }

    private static String reason(Finding finding) {
        return text(finding.message()) + " " + code(finding.rule().text());
    }

    /** Prose in which nothing has a meaning, and which neither calls anybody nor becomes a link. */
    private static String text(String text) {
        StringBuilder escaped = new StringBuilder();
        String plain = Printable.of(text).replace("@", "@" + JOINER).replace("www.", "www" + JOINER + ".");
        for (int i = 0; i < plain.length(); i++) {
            if (SPECIAL.indexOf(plain.charAt(i)) >= 0 || plain.startsWith("://", i)) {
                escaped.append('\\');
            }
            escaped.append(plain.charAt(i));
        }
        return escaped.toString();
    }

    /** A name as it is, between more backquotes than it has in a row. */
    private static String code(String name) {
        String plain = TextTable.shortened(name, NAME_WIDTH);
        if (plain.isBlank()) {
            return plain.isEmpty() ? "" : "` `";
        }
        int longest = 0;
        int run = 0;
        for (int i = 0; i < plain.length(); i++) {
            run = plain.charAt(i) == '`' ? run + 1 : 0;
            longest = Math.max(longest, run);
        }
        String fence = "`".repeat(longest + 1);
        String gap = plain.startsWith("`") || plain.endsWith("`") ? " " : "";
        return fence + gap + plain + gap + fence;
    }
}
