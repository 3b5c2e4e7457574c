package org.clinfer.report;

import java.io.IOException;
import java.io.Writer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Finding;
import org.clinfer.check.NetworkCost;
import org.clinfer.graph.SourceRef;
import org.clinfer.profile.Evidence;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The document for programs, as {@code check-report.schema.json} describes it. */
final class JsonReport implements ReportWriter {

    static final String FORMAT = "clinfer-check";
    static final int VERSION = 1;

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build();

    @Override
    public void write(List<Subject> subjects, ReportOptions options, Writer to) throws IOException {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("format", FORMAT);
        document.put("version", VERSION);
        Map<String, String> tool = new LinkedHashMap<>();
        tool.put("name", "clinfer");
        tool.put("version", options.version());
        document.put("tool", tool);
        document.put("reports", eachAsWritten(subjects, JsonReport::report));
        writeIndented(document, to);
    }

    /** Documents that are made only when they are written: there may be as many nodes as networks times devices have. */
    static <T> Iterable<Object> eachAsWritten(List<T> items, Function<T, ? extends Object> document) {
        return () -> items.stream().<Object>map(document).iterator();
    }

    static void writeIndented(Object document, Writer to) throws IOException {
        write(MAPPER, document, to);
    }

    /** Writes the document; what the writer throws comes out as it is. */
    static void write(JsonMapper mapper, Object document, Writer to) throws IOException {
        try {
            mapper.writeValue(to, document);
        } catch (JacksonException wrong) {
            for (Throwable cause = wrong; cause != null; cause = cause.getCause()) {
                if (cause instanceof IOException failure) {
                    throw failure;
                }
            }
            throw wrong;
        }
    }

    private static Map<String, Object> report(Subject subject) {
        CheckReport report = subject.report();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("model", report.model());
        document.put("file", subject.file());
        document.put("device", report.device());
        document.put("profile", report.profile());
        Map<String, String> inputs = new LinkedHashMap<>();
        report.inputs().forEach((name, type) -> inputs.put(name, type.toString()));
        document.put("inputs", inputs);
        document.put("open_inputs", Findings.openInputs(report));
        document.put("sized_inputs", Findings.sizedInputs(report));
        Map<String, Long> counts = new LinkedHashMap<>();
        report.counts().forEach((verdict, count) -> counts.put(verdict.label(), count));
        document.put("counts", counts);
        report.basis().ifPresent(basis -> document.put("basis", basis(basis)));
        document.put("summary", summary(report.summary()));
        document.put(
                "added_transposes",
                report.nodes().stream()
                        .filter(node -> Findings.isAdded(node) && node.op().equals("Transpose"))
                        .count());
        document.put(
                "findings", report.findings().stream().map(JsonReport::finding).toList());
        document.put("cost", JsonCost.network(report.cost()));
        document.put("nodes", eachAsWritten(report.nodes(), node -> node(node, report.cost())));
        return document;
    }

    static Map<String, Object> basis(CheckReport.Basis basis) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("profile_file", basis.profileFile());
        document.put("profile_sha256", basis.profileHash());
        document.put("rules_file", basis.rulesFile());
        document.put("rules_sha256", basis.rulesHash());
        document.put("reading", basis.reading().label());
        basis.float32As().ifPresent(dtype -> document.put("float32_as", dtype.label()));
        basis.countedAs().ifPresent(dtype -> document.put("counted_as", dtype.label()));
        document.put(
                "passing_types", basis.passingTypes().stream().map(DType::label).toList());
        document.put("as_written", basis.asWritten());
        Map<String, Integer> conversions = new LinkedHashMap<>();
        basis.conversions().forEach((step, count) -> conversions.put(step.word(), count));
        document.put("conversions", conversions);
        return document;
    }

    static Map<String, @Nullable Object> summary(CheckReport.Summary summary) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("nodes", summary.nodes());
        document.put("nodes_on_device", summary.nodesOnDevice());
        document.put("multiply_adds_on_device", known(summary.multiplyAddsOnDevice()));
        document.put("multiply_adds", known(summary.multiplyAdds()));
        document.put("partitions", summary.partitions());
        document.put("crossing_bytes", known(summary.crossingBytes()));
        document.put("weight_bytes", summary.weightBytes());
        document.put("peak_activation_bytes", known(summary.peakActivationBytes()));
        document.put("memory_bytes", known(summary.memoryBytes()));
        return document;
    }

    private static Map<String, Object> node(CheckReport.NodeReport node, NetworkCost cost) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("node", node.node());
        document.put("operator", node.op());
        document.put("source", source(node.source()));
        document.put("verdict", node.verdict().label());
        document.put("variant", node.variant());
        node.converted().ifPresent(converted -> document.put("converted", converted(converted)));
        if (node.isAdded()) {
            document.put("added", true);
        }
        document.put("inputs", node.inputs().stream().map(JsonReport::value).toList());
        document.put("outputs", node.outputs().stream().map(JsonReport::value).toList());
        document.put("work", work(node.work()));
        cost.of(node.node()).ifPresent(own -> document.put("cost", JsonCost.node(own)));
        document.put(
                "findings", node.findings().stream().map(JsonReport::finding).toList());
        return document;
    }

    private static Map<String, String> converted(CheckReport.Converted converted) {
        Map<String, String> document = new LinkedHashMap<>();
        document.put("step", converted.step().word());
        document.put("into", converted.into());
        return document;
    }

    private static Map<String, String> source(SourceRef source) {
        Map<String, String> document = new LinkedHashMap<>();
        document.put("file", source.file());
        document.put("element", source.element());
        return document;
    }

    private static Map<String, @Nullable Object> value(CheckReport.Value value) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("name", value.name());
        document.put("type", value.type().map(TensorType::toString).orElse(null));
        return document;
    }

    private static Map<String, @Nullable Object> work(CheckReport.Work work) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("multiply_adds", known(work.multiplyAdds()));
        document.put("weight_bytes", work.weightBytes());
        return document;
    }

    static Map<String, Object> finding(Finding finding) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("rule", finding.rule().text());
        document.put("message", finding.message());
        finding.broken().ifPresent(broken -> {
            document.put("decided", broken.isDecided());
            document.put("expression", broken.expression());
            document.put("workings", broken.workings());
            document.put("actual", broken.actual());
            document.put("limit", broken.limit());
            document.put("margin", broken.margin());
            document.put("unit", broken.unit());
            document.put("places", broken.places());
            document.put("source", broken.source());
            broken.evidence().ifPresent(evidence -> document.put("evidence", evidence(evidence)));
            document.put("reading", broken.reading());
            document.put("passing", broken.passing());
        });
        return document;
    }

    private static Map<String, String> evidence(Evidence evidence) {
        Map<String, String> document = new LinkedHashMap<>();
        document.put("kind", evidence.kind().label());
        evidence.sdk().ifPresent(sdk -> document.put("sdk", sdk));
        evidence.read().ifPresent(read -> document.put("read", read));
        return document;
    }

    static @Nullable Long known(OptionalLong number) {
        return number.isPresent() ? number.getAsLong() : null;
    }
}
