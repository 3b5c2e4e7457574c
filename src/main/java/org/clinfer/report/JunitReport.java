package org.clinfer.report;

import java.io.IOException;
import java.io.Writer;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.clinfer.check.CheckReport.NodeReport;
import org.clinfer.check.Verdict;
import org.clinfer.text.Printable;

/**
 * JUnit's XML, for build servers: a suite for each report, a test case for each node. A verdict that makes the answer
 * a no is a failure, another that is not on-device counts as skipped. The elements and attributes are those that every
 * published schema has: Ant's, that of Jenkins' xUnit plugin, and Surefire's for the test cases.
 */
final class JunitReport implements ReportWriter {

    private static final String SUITE = "  ";
    private static final String CASE = "    ";
    private static final String INSIDE = "      ";

    /** Some build servers refuse names of more than 255 characters or cut them off; a number may follow. */
    private static final int LONGEST_NAME = 240;

    /** Ant's schema has times without a zone; this one is UTC. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss").withZone(ZoneOffset.UTC);

    @Override
    public void write(List<Subject> subjects, ReportOptions options, Writer to) throws IOException {
        to.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
        Set<String> classes = new HashSet<>();
        Set<String> suites = new HashSet<>();
        for (int i = 0; i < subjects.size(); i++) {
            Subject subject = subjects.get(i);
            // Build servers take what stands before the last dot for a package.
            String name = unique(plain(subject.column()) + "." + plain(subject.model()), classes);
            to.write(SUITE + "<testsuite" + attribute("package", plain(subject.column())) + attribute("id", "" + i)
                    + attribute("name", unique(subject.title(), suites))
                    + attribute("timestamp", TIME.format(options.time()))
                    + attribute("hostname", "localhost") + counts(subject.nodes(), options) + ">\n");
            properties(subject, to);
            Set<String> cases = new HashSet<>();
            for (NodeReport node : subject.nodes()) {
                testCase(
                        attribute("name", unique(node.node() + " (" + node.op() + ")", cases))
                                + attribute("classname", name) + " time=\"0\"",
                        node,
                        options,
                        to);
            }
            to.write(CASE + "<system-out>" + escaped(summary(subject)) + "</system-out>\n");
            to.write(CASE + "<system-err/>\n" + SUITE + "</testsuite>\n");
        }
        to.write("</testsuites>");
    }

    private static void properties(Subject subject, Writer to) throws IOException {
        to.write(CASE + "<properties>\n");
        to.write(property("file", subject.file()));
        to.write(property("device", subject.report().device()));
        to.write(property("profile", subject.report().profile()));
        for (var input : subject.report().inputs().entrySet()) {
            to.write(property("input " + input.getKey(), input.getValue().toString()));
        }
        to.write(CASE + "</properties>\n");
    }

    private static String summary(Subject subject) {
        return Findings.summary(subject.report()).stream().map(Printable::of).collect(Collectors.joining("\n"));
    }

    /** A name of a length that build servers take, with a number where it is there already: they count equal names once. */
    private static String unique(String name, Set<String> taken) {
        String shown = Printable.of(name).strip();
        String start = shown.length() <= LONGEST_NAME
                ? shown
                : shown.substring(0, shown.offsetByCodePoints(0, shown.codePointCount(0, LONGEST_NAME))) + "…";
        String own = start;
        for (int i = 2; !taken.add(own); i++) {
            own = start + " #" + i;
        }
        return own;
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
        return !node.isAdded() && options.failing().contains(node.verdict());
    }

    /** @param attributes of the test case */
    private static void testCase(String attributes, NodeReport node, ReportOptions options, Writer to)
            throws IOException {
        to.write(CASE + "<testcase" + attributes);
        if (node.verdict() == Verdict.ON_DEVICE) {
            to.write("/>\n");
            return;
        }
        String message = node.verdict().label() + ": " + Findings.first(node);
        String everything = Findings.lines(node).stream().map(Printable::of).collect(Collectors.joining("\n"));
        String element = isFailure(node, options) ? "failure" : "skipped";
        String type =
                isFailure(node, options) ? attribute("type", node.verdict().label()) : "";
        to.write(">\n" + INSIDE + "<" + element + attribute("message", message) + type + ">" + escaped(everything)
                + "</" + element + ">\n" + CASE + "</testcase>\n");
    }

    private static String plain(String name) {
        return name.replace('.', '_').replace('/', '_');
    }

    private static String property(String name, String value) {
        return INSIDE + "<property" + attribute("name", name) + attribute("value", value) + "/>\n";
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
