package org.clinfer.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.graph.Graph;
import org.clinfer.graph.Node;
import org.clinfer.importer.Importers;
import org.clinfer.importer.ModelImporter;
import org.clinfer.importer.onnx.OnnxImporter;
import org.clinfer.importer.onnx.OnnxMetadata;
import org.clinfer.report.TextTable;
import org.clinfer.runtime.NetworkChecker;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a model file, as {@code show} prints it.
 *
 * @param format the format's name
 * @param operatorSets versions by domain, of ONNX
 * @param metadata the words of the file about the network
 * @param properties further words, by names of the maker's own
 * @param operators how often each operator occurs, the graphs of conditions and loops included; most frequent first
 * @param parameters elements of all constants
 * @param bytes of all constants
 */
record ModelSummary(
        String name,
        String format,
        Map<String, Long> operatorSets,
        Map<String, String> metadata,
        Map<String, String> properties,
        List<Value> inputs,
        List<Value> defaults,
        List<Value> outputs,
        long nodes,
        Map<String, Long> operators,
        long parameters,
        long bytes) {

    private static final int LONGEST = 120;

    /** Old models have every weight among their inputs. */
    private static final int MOST_VALUES = 20;

    /**
     * An input or an output.
     *
     * @param dtype data type; absent where it is not known before a run, as {@code shape}
     * @param shape sizes; the name of one that is open
     * @param usualShape the sizes if nothing else is said, where some are open; absent where the file has none
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Value(
            String name,
            @Nullable String dtype,
            @Nullable List<Object> shape,
            @Nullable List<Object> usualShape) {

        static Value of(String name, Optional<TensorType> type, Optional<Shape> usual) {
            return new Value(
                    name,
                    type.map(known -> known.dtype().label()).orElse(null),
                    type.map(known -> sizes(known.shape())).orElse(null),
                    usual.map(Value::sizes).orElse(null));
        }

        private static List<Object> sizes(Shape shape) {
            return shape.dims().stream()
                    .<Object>map(dim -> dim instanceof Dim.Known size ? size.size() : dim.toString())
                    .toList();
        }

        private String type() {
            if (shape == null) {
                return "not known before a run";
            }
            return text(shape) + ":" + dtype + (usualShape == null ? "" : ", usually " + text(usualShape));
        }

        private static String text(List<Object> sizes) {
            return sizes.isEmpty()
                    ? "scalar"
                    : sizes.stream().map(String::valueOf).collect(Collectors.joining("x"));
        }
    }

    /** Reads a model. */
    static ModelSummary of(Path file, List<Path> operatorFolders) {
        NetworkChecker checker = NetworkChecker.builtIn().withOperators(operatorFolders);
        Graph graph = CheckCommand.read(file, checker);
        try {
            Optional<ModelImporter> importer = Importers.of(checker.operators()).find(file);
            List<Value> outputs = new ArrayList<>();
            checker.outputTypes(graph).forEach((name, type) -> outputs.add(Value.of(name, type, Optional.empty())));
            Map<String, String> metadata = new LinkedHashMap<>();
            graph.metadata().fields().forEach((field, text) -> metadata.put(field.label(), text));
            return new ModelSummary(
                    graph.name(),
                    importer.map(ModelImporter::format).orElse(""),
                    importer.filter(OnnxImporter.class::isInstance).isPresent()
                            ? OnnxMetadata.operatorSets(file)
                            : Map.of(),
                    metadata,
                    graph.metadata().properties(),
                    values(graph.inputs()),
                    values(graph.defaults()),
                    outputs,
                    nodes(graph).count(),
                    operators(graph),
                    constants(graph).mapToLong(Tensor::elements).sum(),
                    constants(graph).mapToLong(tensor -> tensor.type().bytes()).sum());
        } finally {
            graph.closeConstants();
        }
    }

    private static List<Value> values(List<Graph.Input> inputs) {
        return inputs.stream()
                .map(input -> Value.of(input.name(), Optional.of(input.type()), input.usual()))
                .toList();
    }

    private static Stream<Node> nodes(Graph graph) {
        return graph.nodes().stream()
                .flatMap(node -> Stream.concat(
                        Stream.of(node), node.bodies().values().stream().flatMap(ModelSummary::nodes)));
    }

    private static Stream<Tensor> constants(Graph graph) {
        return Stream.concat(
                graph.constants().values().stream(),
                graph.nodes().stream()
                        .flatMap(node -> node.bodies().values().stream())
                        .flatMap(ModelSummary::constants));
    }

    private static Map<String, Long> operators(Graph graph) {
        Map<String, Long> counts = new TreeMap<>();
        nodes(graph).forEach(node -> counts.merge(node.op(), 1L, Long::sum));
        Map<String, Long> sorted = new LinkedHashMap<>();
        counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
        return sorted;
    }

    /** The summary for people, one fact a line. */
    List<String> lines() {
        TextTable head = new TextTable().row("model", name).row("format", format);
        operatorSets.forEach((domain, version) -> head.row("operator set", domain + " " + version));
        metadata.forEach((field, text) -> head.row(field, TextTable.shortened(text, LONGEST)));
        properties.forEach((key, text) -> head.row("property", key + " = " + TextTable.shortened(text, LONGEST)));
        List<String> lines = new ArrayList<>(head.lines());
        table("inputs", inputs, lines);
        table("inputs that may be left out", defaults, lines);
        table("outputs", outputs, lines);
        lines.add("parameters: " + parameters + " in " + bytes + " bytes");
        lines.add("operators: " + nodes + " nodes");
        TextTable table = new TextTable();
        operators.forEach((operator, count) -> table.row("  " + operator, Long.toString(count)));
        lines.addAll(table.lines());
        return lines;
    }

    private static void table(String title, List<Value> values, List<String> lines) {
        if (!values.isEmpty()) {
            lines.add(title + ":");
            TextTable table = new TextTable();
            values.stream().limit(MOST_VALUES).forEach(value -> table.row("  " + value.name, value.type()));
            lines.addAll(table.lines());
            if (values.size() > MOST_VALUES) {
                lines.add("  and " + (values.size() - MOST_VALUES) + " more (--json has all)");
            }
        }
    }
}
