package org.clinfer.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.clinfer.check.CheckReport.NodeReport;
import org.clinfer.check.Verdict;
import org.clinfer.errors.Printable;

/**
 * JUnit's XML, for build servers: a suite for each report, a test case for each node. A verdict that makes the answer
 * a no is a failure, another that is not on-device counts as skipped.
 */
final class JunitReport implements ReportWriter {

    private static final String SUITE = "  ";
    private static final String CASE = "    ";
    private static final String INSIDE = "      ";

    @Override
    public String write(List<Subject> subjects, ReportOptions options) {
        List<String> lines = new ArrayList<>();
        lines.add("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
        List<NodeReport> all =
                subjects.stream().flatMap(subject -> subject.nodes().stream()).toList();
        lines.add("<testsuites name=\"clinfer check\"" + counts(all, options) + ">");
        for (Subject subject : subjects) {
            lines.add(SUITE + "<testsuite" + attribute("name", subject.title()) + counts(subject.nodes(), options)
                    + attribute("file", subject.file()) + ">");
            lines.add(CASE + "<properties>");
            lines.add(property("device", subject.report().device()));
            lines.add(property("profile", subject.report().profile()));
            subject.report().inputs().forEach((name, type) -> lines.add(property("input " + name, type.toString())));
            Findings.summary(subject.report()).forEach(line -> lines.add(property("summary", line)));
            lines.add(CASE + "</properties>");
            subject.nodes().forEach(node -> testCase(subject, node, options, lines));
            lines.add(SUITE + "</testsuite>");
        }
        lines.add("</testsuites>");
        return String.join("\n", lines);
    }

    private static String counts(List<NodeReport> nodes, ReportOptions options) {
        long failures = nodes.stream().filter(node -> isFailure(node, options)).count();
        long passed = nodes.stream()
                .filter(node -> node.verdict() == Verdict.ON_DEVICE)
                .count();
        return " tests=\"" + nodes.size() + "\" failures=\"" + failures + "\" errors=\"0\" skipped=\""
                + (nodes.size() - failures - passed) + "\" time=\"0\"";
    }

    private static boolean isFailure(NodeReport node, ReportOptions options) {
        return options.failing().contains(node.verdict());
    }

    private static void testCase(Subject subject, NodeReport node, ReportOptions options, List<String> lines) {
        // Build servers take what stands before the last dot for a package.
        String suite = plain(subject.column()) + "." + plain(subject.model());
        String start = CASE + "<testcase" + attribute("classname", suite)
                + attribute("name", node.node() + " (" + node.op() + ")") + attribute("file", subject.file())
                + " time=\"0\"";
        if (node.verdict() == Verdict.ON_DEVICE) {
            lines.add(start + "/>");
            return;
        }
        String message = node.verdict().label() + ": " + Findings.first(node);
        String everything = Findings.lines(node).stream().map(Printable::of).collect(Collectors.joining("\n"));
        lines.add(start + ">");
        if (isFailure(node, options)) {
            lines.add(INSIDE + "<failure" + attribute("message", message)
                    + attribute("type", node.verdict().label()) + ">" + escaped(everything) + "</failure>");
        } else {
            lines.add(INSIDE + "<skipped" + attribute("message", message) + "/>");
            lines.add(INSIDE + "<system-out>" + escaped(everything) + "</system-out>");
        }
        lines.add(CASE + "</testcase>");
    }

    private static String plain(String name) {
        return name.replace('.', '_').replace('/', '_');
    }

    private static String property(String name, String value) {
        return INSIDE + "<property" + attribute("name", name) + attribute("value", value) + "/>";
    }

    private static String attribute(String name, String value) {
        return " " + name + "=\"" + escaped(Printable.of(value)) + "\"";
    }

    /** Text of XML 1.0; the characters that it cannot have are written as escapes of Java. */
    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        text.codePoints().forEach(character -> {
            switch (character) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\n' -> escaped.append('\n');
                default -> {
                    if (isXml(character)) {
                        escaped.appendCodePoint(character);
                    } else {
                        escaped.append(String.format("\\u%04x", character));
                    }
                }
            }
        });
        return escaped.toString();
    }

    private static boolean isXml(int character) {
        boolean isControl = character < 0x20 || (character >= 0x7F && character < 0xA0);
        boolean isSurrogate = character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
        return !isControl && !isSurrogate && character != 0xFFFE && character != 0xFFFF;
    }
}
