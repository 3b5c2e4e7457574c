package org.clinfer.importer.onnx;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.clinfer.graph.Metadata;
import org.clinfer.graph.Metadata.Field;
import org.clinfer.graph.Metadata.Words;
import org.clinfer.graph.Node;
import org.clinfer.importer.ModelFile;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.StringStringEntryProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;

/** The words of an ONNX file about its network, which nothing else depends on. */
public final class OnnxMetadata {

    private OnnxMetadata() {}

    /** @param nodes those that the file's became: the one that gives the first output of the file's node is that node */
    static Metadata of(ModelProto model, List<Node> nodes) {
        GraphProto graph = model.getGraph();
        Map<Field, String> fields = new EnumMap<>(Field.class);
        fields.put(Field.PRODUCER_NAME, model.getProducerName());
        fields.put(Field.PRODUCER_VERSION, model.getProducerVersion());
        fields.put(Field.DOMAIN, model.getDomain());
        fields.put(Field.DOC_STRING, model.getDocString());
        fields.put(Field.GRAPH_DOC_STRING, graph.getDocString());
        fields.put(Field.MODEL_VERSION, model.getModelVersion() == 0 ? "" : Long.toString(model.getModelVersion()));
        fields.values().removeIf(String::isEmpty);
        Map<String, Words> values = new LinkedHashMap<>();
        Stream.of(graph.getInputList(), graph.getValueInfoList(), graph.getOutputList())
                .flatMap(List::stream)
                .forEach(value ->
                        say(values, value.getName(), words(value.getDocString(), value.getMetadataPropsList())));
        return new Metadata(fields, properties(model.getMetadataPropsList()), ofNodes(graph, nodes), values);
    }

    /**
     * The version of each operator set that a model imports, by its domain; that of ONNX itself is {@code ai.onnx}.
     *
     * @throws org.clinfer.graph.GraphException if the file is no ONNX model
     */
    public static Map<String, Long> operatorSets(Path file) {
        Map<String, Long> versions = new LinkedHashMap<>();
        new ModelFile(file, "ONNX model")
                .parse(ModelProto.parser())
                .getOpsetImportList()
                .forEach(
                        set -> versions.put(set.getDomain().isEmpty() ? "ai.onnx" : set.getDomain(), set.getVersion()));
        return versions;
    }

    private static Map<String, Words> ofNodes(GraphProto graph, List<Node> nodes) {
        Map<String, String> givers = new HashMap<>();
        nodes.forEach(node -> node.outputs().forEach(output -> givers.put(output, node.name())));
        Map<String, Words> said = new LinkedHashMap<>();
        for (NodeProto node : graph.getNodeList()) {
            String first = node.getOutputCount() == 0 ? "" : node.getOutput(0);
            String name = givers.getOrDefault(first, node.getName());
            say(said, name, words(node.getDocString(), node.getMetadataPropsList()));
        }
        return said;
    }

    private static void say(Map<String, Words> said, String name, Words words) {
        if (!name.isEmpty() && !words.isEmpty()) {
            said.put(name, words);
        }
    }

    private static Words words(String text, List<StringStringEntryProto> properties) {
        return new Words(Optional.of(text).filter(each -> !each.isEmpty()), properties(properties));
    }

    private static Map<String, String> properties(List<StringStringEntryProto> entries) {
        Map<String, String> properties = new LinkedHashMap<>();
        entries.forEach(property -> properties.put(property.getKey(), property.getValue()));
        return properties;
    }

    /** Writes the words that are about the model and its graph. */
    public static void write(Metadata metadata, ModelProto.Builder model, GraphProto.Builder graph) {
        metadata.field(Field.PRODUCER_NAME).ifPresent(model::setProducerName);
        metadata.field(Field.PRODUCER_VERSION).ifPresent(model::setProducerVersion);
        metadata.field(Field.DOMAIN).ifPresent(model::setDomain);
        metadata.field(Field.MODEL_VERSION).map(Long::parseLong).ifPresent(model::setModelVersion);
        metadata.field(Field.DOC_STRING).ifPresent(model::setDocString);
        metadata.field(Field.GRAPH_DOC_STRING).ifPresent(graph::setDocString);
        model.addAllMetadataProps(entries(metadata.properties()));
        graph.getNodeBuilderList().forEach(node -> describe(metadata, node));
        Stream.of(graph.getInputBuilderList(), graph.getValueInfoBuilderList(), graph.getOutputBuilderList())
                .flatMap(List::stream)
                .forEach(value -> describe(metadata, value));
    }

    private static void describe(Metadata metadata, NodeProto.Builder node) {
        Words words = metadata.nodes().get(node.getName());
        if (words != null) {
            words.text().ifPresent(node::setDocString);
            node.addAllMetadataProps(entries(words.properties()));
        }
    }

    private static void describe(Metadata metadata, ValueInfoProto.Builder value) {
        Words words = metadata.values().get(value.getName());
        if (words != null) {
            words.text().ifPresent(value::setDocString);
            value.addAllMetadataProps(entries(words.properties()));
        }
    }

    private static List<StringStringEntryProto> entries(Map<String, String> properties) {
        return properties.entrySet().stream()
                .map(each -> StringStringEntryProto.newBuilder()
                        .setKey(each.getKey())
                        .setValue(each.getValue())
                        .build())
                .toList();
    }
}
