package org.clinfer.importer.onnx;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.clinfer.graph.Metadata;
import org.clinfer.graph.Metadata.Field;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.StringStringEntryProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;

/** The words of an ONNX file about its network, which nothing else depends on. */
public final class OnnxMetadata {

    private OnnxMetadata() {}

    static Metadata of(ModelProto model) {
        GraphProto graph = model.getGraph();
        Map<Field, String> fields = new EnumMap<>(Field.class);
        fields.put(Field.PRODUCER_NAME, model.getProducerName());
        fields.put(Field.PRODUCER_VERSION, model.getProducerVersion());
        fields.put(Field.DOMAIN, model.getDomain());
        fields.put(Field.DOC_STRING, model.getDocString());
        fields.put(Field.GRAPH_DOC_STRING, graph.getDocString());
        fields.put(Field.MODEL_VERSION, model.getModelVersion() == 0 ? "" : Long.toString(model.getModelVersion()));
        fields.values().removeIf(String::isEmpty);
        Map<String, String> properties = new LinkedHashMap<>();
        for (StringStringEntryProto property : model.getMetadataPropsList()) {
            properties.put(property.getKey(), property.getValue());
        }
        Map<String, String> nodes = new LinkedHashMap<>();
        graph.getNodeList().stream()
                .filter(node ->
                        !node.getName().isEmpty() && !node.getDocString().isEmpty())
                .forEach(node -> nodes.put(node.getName(), node.getDocString()));
        Map<String, String> values = new LinkedHashMap<>();
        Stream.of(graph.getInputList(), graph.getValueInfoList(), graph.getOutputList())
                .flatMap(List::stream)
                .filter(value -> !value.getDocString().isEmpty())
                .forEach(value -> values.put(value.getName(), value.getDocString()));
        return new Metadata(fields, properties, nodes, values);
    }

    /** Writes the words that are about the model and its graph. */
    public static void write(Metadata metadata, ModelProto.Builder model, GraphProto.Builder graph) {
        metadata.field(Field.PRODUCER_NAME).ifPresent(model::setProducerName);
        metadata.field(Field.PRODUCER_VERSION).ifPresent(model::setProducerVersion);
        metadata.field(Field.DOMAIN).ifPresent(model::setDomain);
        metadata.field(Field.MODEL_VERSION).map(Long::parseLong).ifPresent(model::setModelVersion);
        metadata.field(Field.DOC_STRING).ifPresent(model::setDocString);
        metadata.field(Field.GRAPH_DOC_STRING).ifPresent(graph::setDocString);
        metadata.properties()
                .forEach((key, value) ->
                        model.addMetadataPropsBuilder().setKey(key).setValue(value));
        graph.getNodeBuilderList().forEach(node -> describe(metadata, node));
        Stream.of(graph.getInputBuilderList(), graph.getValueInfoBuilderList(), graph.getOutputBuilderList())
                .flatMap(List::stream)
                .forEach(value -> describe(metadata, value));
    }

    private static void describe(Metadata metadata, NodeProto.Builder node) {
        String words = metadata.nodes().get(node.getName());
        if (words != null) {
            node.setDocString(words);
        }
    }

    private static void describe(Metadata metadata, ValueInfoProto.Builder value) {
        String words = metadata.values().get(value.getName());
        if (words != null) {
            value.setDocString(words);
        }
    }
}
