package org.clinfer.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.clinfer.check.CheckReport;
import org.clinfer.check.CheckReport.NodeReport;
import org.clinfer.check.CheckReport.Value;
import org.clinfer.check.Finding;
import org.clinfer.check.NetworkCost;
import org.clinfer.check.NetworkCost.NodeCost;
import org.clinfer.check.Verdict;
import org.clinfer.graph.SourceRef;
import org.clinfer.report.layout.Drawing;
import org.clinfer.report.layout.LayeredLayout;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * The data that the page shows. A model that was checked for several devices is there once, with its drawing, and so is
 * every finding; a report has verdicts and indices of findings.
 */
final class PageData {

    private static final int LEAST_WIDTH = 104;
    private static final int MOST_WIDTH = 232;
    /** The width of what stands beside the name: the letter of the verdict and the margins. */
    private static final int BESIDE_NAME = 52;

    private static final double OP_CHARACTER = 8.0;
    private static final double NAME_CHARACTER = 6.8;
    /** From here on most characters are as wide as two Latin ones. */
    private static final int WIDE = 0x2E80;

    /** The part that is the same for every device. */
    private record Model(String name, String file, Map<String, TensorType> inputs, List<Node> nodes) {

        static Model of(Subject subject) {
            return new Model(
                    subject.model(),
                    subject.file(),
                    subject.report().inputs(),
                    subject.nodes().stream().map(Node::of).toList());
        }
    }

    /** @param isConstant whether its result is known beforehand; like weights, it is not drawn */
    private record Node(
            String name,
            String op,
            SourceRef source,
            List<Value> inputs,
            List<Value> outputs,
            CheckReport.Work work,
            boolean isConstant) {

        static Node of(NodeReport node) {
            return new Node(
                    node.node(),
                    node.op(),
                    node.source(),
                    node.inputs(),
                    node.outputs(),
                    node.work(),
                    Findings.isConstant(node));
        }
    }

    private final Map<Model, Integer> models = new LinkedHashMap<>();
    private final Map<Finding, Integer> findings = new LinkedHashMap<>();
    private final List<Object> reports = new ArrayList<>();

    /** The place of a device among those that its model was checked for. */
    private record Place(int rank, Standing standing) {}

    private final IdentityHashMap<CheckReport, Place> places = new IdentityHashMap<>();

    private PageData() {}

    /** As records, maps, lists, texts and numbers. */
    static Map<String, Object> of(List<Subject> subjects, ReportOptions options) {
        PageData page = new PageData();
        subjects.stream()
                .collect(Collectors.groupingBy(Subject::model))
                .values()
                .forEach(page::rank);
        subjects.forEach(page::add);
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("version", options.version());
        data.put("verdicts", Stream.of(Verdict.values()).map(PageData::verdict).toList());
        data.put(
                "weights",
                VerdictLetter.byWeight().stream().map(VerdictLetter::of).collect(Collectors.joining()));
        data.put("models", page.models.keySet().stream().map(PageData::model).toList());
        data.put("reports", page.reports);
        data.put("order", Standing.of(subjects).stream().map(Standing::column).toList());
        data.put(
                "findings",
                page.findings.keySet().stream().map(JsonReport::finding).toList());
        return data;
    }

    private static Map<String, String> verdict(Verdict verdict) {
        Map<String, String> data = new LinkedHashMap<>();
        data.put("label", verdict.label());
        data.put("letter", VerdictLetter.of(verdict));
        return data;
    }

    /** @param ofOneModel its reports */
    private void rank(List<Subject> ofOneModel) {
        List<Standing> standings = Standing.of(ofOneModel);
        for (Subject subject : ofOneModel) {
            for (int rank = 0; rank < standings.size(); rank++) {
                if (standings.get(rank).column().equals(subject.column())) {
                    places.put(subject.report(), new Place(rank, standings.get(rank)));
                }
            }
        }
    }

    private void add(Subject subject) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("model", models.computeIfAbsent(Model.of(subject), model -> models.size()));
        report.put("device", subject.report().device());
        report.put("profile", subject.report().profile());
        report.put("title", subject.device());
        report.put("column", subject.column());
        Place place = Objects.requireNonNull(places.get(subject.report()));
        report.put("rank", place.rank);
        report.put("share", place.standing.shareText());
        report.put("time", place.standing.timeText());
        report.put("summary", Findings.summary(subject.report()));
        report.put(
                "verdicts",
                subject.nodes().stream()
                        .map(node -> VerdictLetter.of(node.verdict()))
                        .collect(Collectors.joining()));
        report.put(
                "parts",
                IntStream.range(0, subject.nodes().size())
                        .filter(index -> subject.nodes().get(index).isPart())
                        .boxed()
                        .toList());
        report.put("variants", subject.nodes().stream().map(Findings::variant).toList());
        report.put(
                "findings",
                subject.nodes().stream()
                        .map(node -> node.findings().stream().map(this::index).toList())
                        .toList());
        if (subject.report().cost().total().isPresent()) {
            report.put(
                    "millis",
                    subject.nodes().stream().map(node -> millis(subject, node)).toList());
        }
        reports.add(report);
    }

    /** The estimated time of a node where it runs; null where it is not known. */
    private static @Nullable Double millis(Subject subject, NodeReport node) {
        OptionalDouble time = subject.report()
                .cost()
                .of(node.node())
                .map(cost -> time(cost, node))
                .orElse(OptionalDouble.empty());
        return time.isPresent() ? time.getAsDouble() : null;
    }

    private static OptionalDouble time(NodeCost cost, NodeReport node) {
        return switch (node.verdict()) {
            case ON_DEVICE ->
                cost.device().stream().mapToDouble(NetworkCost.Estimate::millis).findFirst();
            case FALLS_BACK -> cost.hostMillis();
            default -> OptionalDouble.empty();
        };
    }

    private int index(Finding finding) {
        return findings.computeIfAbsent(finding, each -> findings.size());
    }

    private static Map<String, Object> model(Model model) {
        List<String> inputs = List.copyOf(model.inputs().keySet());
        // Indices of what is drawn: inputs from 0, nodes from the number of inputs.
        List<Integer> drawn = new ArrayList<>();
        List<Integer> widths = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            drawn.add(i);
            widths.add(width("Input", inputs.get(i)));
        }
        for (int i = 0; i < model.nodes().size(); i++) {
            Node node = model.nodes().get(i);
            if (!node.isConstant()) {
                drawn.add(inputs.size() + i);
                widths.add(width(node.op(), node.name()));
            }
        }
        Drawing drawing = LayeredLayout.of(widths, edges(model, drawn));
        List<Object> boxes = new ArrayList<>();
        for (int i = 0; i < drawn.size(); i++) {
            Drawing.Box box = drawing.boxes().get(i);
            boxes.add(List.of(drawn.get(i), box.x(), box.y(), box.width()));
        }
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("name", model.name());
        data.put("file", model.file());
        data.put(
                "inputs",
                model.inputs().entrySet().stream()
                        .map(input -> List.of(input.getKey(), input.getValue().toString()))
                        .toList());
        data.put("nodes", model.nodes().stream().map(PageData::node).toList());
        data.put("width", drawing.width());
        data.put("height", drawing.height());
        data.put("nodeHeight", LayeredLayout.NODE_HEIGHT);
        data.put("boxes", boxes);
        data.put(
                "routes",
                drawing.routes().stream().map(route -> route(route, drawn)).toList());
        return data;
    }

    /** From what gives a value to what reads it, by their positions in {@code drawn}. */
    private static List<LayeredLayout.Edge> edges(Model model, List<Integer> drawn) {
        Map<String, Integer> giver = new HashMap<>();
        for (String input : model.inputs().keySet()) {
            giver.put(input, giver.size());
        }
        List<LayeredLayout.Edge> edges = new ArrayList<>();
        for (int position = model.inputs().size(); position < drawn.size(); position++) {
            Node node = model.nodes().get(drawn.get(position) - model.inputs().size());
            for (Value value : node.inputs()) {
                Integer from = giver.get(value.name());
                if (from != null) {
                    edges.add(new LayeredLayout.Edge(from, position));
                }
            }
            for (Value value : node.outputs()) {
                if (!value.name().isEmpty()) {
                    giver.put(value.name(), position);
                }
            }
        }
        return edges;
    }

    private static int width(String op, String name) {
        double wanted = Math.max(characters(op) * OP_CHARACTER, characters(name) * NAME_CHARACTER) + BESIDE_NAME;
        return (int) Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, wanted));
    }

    private static long characters(String text) {
        return text.codePoints()
                .limit(MOST_WIDTH)
                .map(character -> character < WIDE ? 1 : 2)
                .sum();
    }

    private static Map<String, Object> node(Node node) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("name", node.name());
        data.put("op", node.op());
        data.put("constant", node.isConstant());
        data.put("source", node.source().toString());
        data.put("inputs", node.inputs().stream().map(PageData::value).toList());
        data.put("outputs", node.outputs().stream().map(PageData::value).toList());
        node.work().multiplyAdds().ifPresent(count -> {
            data.put("multiplyAdds", Amount.count(count));
            data.put("cost", count);
        });
        if (node.work().weightBytes() > 0) {
            data.put("weights", Amount.bytes(node.work().weightBytes()));
        }
        return data;
    }

    private static List<String> value(Value value) {
        return List.of(value.name(), value.type().map(TensorType::toString).orElse(""));
    }

    private static List<Object> route(Drawing.Route route, List<Integer> drawn) {
        List<Integer> points = new ArrayList<>();
        route.points().forEach(point -> {
            points.add(point.x());
            points.add(point.y());
        });
        return List.of(drawn.get(route.from()), drawn.get(route.to()), points);
    }
}
