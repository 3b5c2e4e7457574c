package org.clinfer.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.Writer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.clinfer.check.CheckReport.NodeReport;
import org.clinfer.check.Finding;
import org.clinfer.check.Finding.BrokenRule;
import org.clinfer.check.RuleId;
import org.clinfer.check.Verdict;

/**
 * SARIF 2.1.0, for code scanning: a run for each report, a result for each reason why a node is not on the device.
 *
 * @see <a href="https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html">Static Analysis Results Interchange
 *     Format (SARIF) Version 2.1.0</a>
 */
final class SarifReport implements ReportWriter {

    private static final String UNRESERVED = "-._~/";

    /** GitHub refuses a file with more. */
    private static final int MOST_RUNS = 20;

    @Override
    public void write(List<Subject> subjects, ReportOptions options, Writer to) throws IOException {
        Map<String, Object> log = new LinkedHashMap<>();
        log.put(
                "$schema",
                "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json");
        log.put("version", "2.1.0");
        log.put("runs", runs(subjects, options));
        JsonReport.writeIndented(log, to);
    }

    /** A run for each report; one for all where there are more than code scanning takes in a file. */
    private static List<Object> runs(List<Subject> subjects, ReportOptions options) {
        if (subjects.size() > MOST_RUNS) {
            return List.of(run(subjects, "", options, Map.of("reports", subjects.size())));
        }
        return subjects.stream()
                .<Object>map(subject -> run(
                        List.of(subject), subject.model() + "/" + subject.column() + "/", options, properties(subject)))
                .toList();
    }

    private static Map<String, Object> properties(Subject subject) {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("device", subject.report().device());
        properties.put("profile", subject.report().profile());
        subject.report().basis().ifPresent(basis -> properties.put("basis", JsonReport.basis(basis)));
        properties.put("open_inputs", Findings.openInputs(subject.report()));
        properties.put("sized_inputs", Findings.sizedInputs(subject.report()));
        properties.put(
                "findings",
                subject.report().findings().stream().map(JsonReport::finding).toList());
        return properties;
    }

    /** @param id what tells the run from the others */
    private static Map<String, Object> run(
            List<Subject> subjects, String id, ReportOptions options, Map<String, Object> properties) {
        Rules rules = new Rules();
        reasons(subjects).forEach(reason -> rules.index(reason.finding, reason.level()));
        Map<String, Object> driver = new LinkedHashMap<>();
        driver.put("name", "Clinfer");
        if (!options.version().isEmpty()) {
            driver.put("version", options.version());
        }
        driver.put("rules", rules.descriptors());
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("tool", Map.of("driver", driver));
        // What stands before the last slash tells the runs of one kind from those of others.
        run.put("automationDetails", Map.of("id", "clinfer-check/" + id));
        run.put("results", (Iterable<Object>) () ->
                reasons(subjects).<Object>map(reason -> result(reason, rules)).iterator());
        run.put("properties", properties);
        return run;
    }

    /** A reason why a node is not on the device. */
    private record Reason(Subject subject, NodeReport node, Finding finding) {

        String level() {
            boolean isDecided = finding.broken().map(BrokenRule::isDecided).orElse(true);
            return isDecided ? SarifReport.level(node.verdict()) : "note";
        }
    }

    private static Stream<Reason> reasons(List<Subject> subjects) {
        return subjects.stream()
                .flatMap(subject -> subject.nodes().stream()
                        .filter(node -> node.verdict() != Verdict.ON_DEVICE && !node.isPart())
                        .flatMap(node -> findings(node).stream().map(finding -> new Reason(subject, node, finding))));
    }

    /** The findings on the node; where nothing is, its verdict. */
    private static List<Finding> findings(NodeReport node) {
        return node.findings().isEmpty()
                ? List.of(
                        new Finding(new RuleId("clinfer/" + node.verdict().label()), Findings.sentence(node.verdict())))
                : node.findings();
    }

    private static Map<String, Object> result(Reason reason, Rules rules) {
        Subject subject = reason.subject;
        NodeReport node = reason.node;
        Finding finding = reason.finding;
        String level = reason.level();
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("ruleId", finding.rule().text());
        result.put("ruleIndex", rules.index(finding, level));
        result.put("level", level);
        result.put("message", Map.of("text", message(text(subject, node, finding))));
        result.put("locations", List.of(location(subject, node)));
        result.put(
                "partialFingerprints",
                Map.of(
                        "clinferNodeRule/v1",
                        fingerprint(
                                subject.model(),
                                subject.column(),
                                node.node(),
                                finding.rule().text())));
        Map<String, Object> properties = new LinkedHashMap<>(JsonReport.finding(finding));
        properties.keySet().removeAll(List.of("rule", "message"));
        properties.put("verdict", node.verdict().label());
        properties.put("operator", node.op());
        properties.put("device", subject.report().device());
        result.put("properties", properties);
        return result;
    }

    private static String level(Verdict verdict) {
        return switch (verdict) {
            case UNSUPPORTED, INVALID -> "error";
            case FALLS_BACK -> "warning";
            case UNKNOWN -> "note";
            case ON_DEVICE -> "none";
        };
    }

    private static String text(Subject subject, NodeReport node, Finding finding) {
        StringBuilder text = new StringBuilder(node.node() + " (" + node.op() + ") on " + subject.device() + ": ");
        text.append(finding.message());
        finding.broken()
                .map(Findings::details)
                .filter(details -> !details.isEmpty())
                .ifPresent(details -> text.append("; " + details));
        List<String> passing = Findings.passing(node);
        if (finding.broken().isPresent() && !passing.isEmpty()) {
            text.append("; would pass with ").append(String.join(", or ", passing));
        }
        return text.toString();
    }

    /** A message without placeholders and links: sections 3.11.5 and 3.11.6. */
    private static String message(String text) {
        String braces = text.replace("{", "{{").replace("}", "}}");
        return braces.contains("](")
                ? braces.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
                : braces;
    }

    private static Map<String, Object> location(Subject subject, NodeReport node) {
        Map<String, Object> location = new LinkedHashMap<>();
        if (!subject.file().isEmpty()) {
            Map<String, Object> physical = new LinkedHashMap<>();
            physical.put("artifactLocation", Map.of("uri", uri(subject.file())));
            // A model has no lines, but code scanning shows nothing without one.
            physical.put("region", Map.of("startLine", 1));
            location.put("physicalLocation", physical);
        }
        Map<String, Object> logical = new LinkedHashMap<>();
        logical.put("name", node.node());
        logical.put("fullyQualifiedName", subject.model() + "/" + node.node());
        logical.put("kind", "node");
        location.put("logicalLocations", List.of(logical));
        location.put("message", Map.of("text", message(node.source().toString())));
        return location;
    }

    /** The path as a relative reference, or as a file URI where it is absolute. */
    static String uri(String path) {
        StringBuilder uri = new StringBuilder(path.startsWith("/") ? "file://" : "");
        for (byte each : path.getBytes(UTF_8)) {
            char character = (char) (each & 0xFF);
            boolean isPlain =
                    (character < 0x80 && Character.isLetterOrDigit(character)) || UNRESERVED.indexOf(character) >= 0;
            uri.append(isPlain ? Character.toString(character) : String.format("%%%02X", each & 0xFF));
        }
        return uri.toString();
    }

    private static String fingerprint(String... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String part : parts) {
                digest.update(part.getBytes(UTF_8));
                digest.update((byte) 0);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    /** The rules that occur, in the order in which they first do. */
    private static final class Rules {

        private final Map<RuleId, Integer> indices = new LinkedHashMap<>();
        private final List<Object> descriptors = new ArrayList<>();

        int index(Finding finding, String level) {
            Integer known = indices.get(finding.rule());
            if (known != null) {
                return known;
            }
            indices.put(finding.rule(), descriptors.size());
            Map<String, Object> descriptor = new LinkedHashMap<>();
            descriptor.put("id", finding.rule().text());
            descriptor.put("shortDescription", Map.of("text", message(withoutValues(finding))));
            String source = finding.broken().map(BrokenRule::source).orElse("");
            if (!source.isEmpty()) {
                descriptor.put("help", Map.of("text", message("Source: " + source)));
            }
            descriptor.put("defaultConfiguration", Map.of("level", level));
            descriptors.add(descriptor);
            return descriptors.size() - 1;
        }

        /** The message of a rule of a profile without the values of the node. */
        private static String withoutValues(Finding finding) {
            String values = finding.broken()
                    .map(broken -> " (" + broken.expression() + ")")
                    .orElse("");
            return !values.isEmpty() && finding.message().endsWith(values)
                    ? finding.message().substring(0, finding.message().length() - values.length())
                    : finding.message();
        }

        List<Object> descriptors() {
            return descriptors;
        }
    }
}
