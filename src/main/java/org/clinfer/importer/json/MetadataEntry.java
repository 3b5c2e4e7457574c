package org.clinfer.importer.json;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.graph.Metadata;
import org.clinfer.graph.Metadata.Words;
import org.clinfer.importer.JsonTokens;
import tools.jackson.core.JsonGenerator;

/** The object {@code metadata} of a document: texts, and objects that have texts by names. */
final class MetadataEntry {

    private static final String PROPERTIES = "metadata_props";
    private static final String NODES = "node_doc_strings";
    private static final String VALUES = "value_doc_strings";
    private static final String NODE_PROPERTIES = "node_metadata_props";
    private static final String VALUE_PROPERTIES = "value_metadata_props";

    private MetadataEntry() {}

    /** Reads the object whose first token was read. */
    static Metadata read(JsonTokens tokens) {
        Map<Metadata.Field, String> fields = new EnumMap<>(Metadata.Field.class);
        Map<String, String> properties = new LinkedHashMap<>();
        Map<String, String> nodes = new LinkedHashMap<>();
        Map<String, String> values = new LinkedHashMap<>();
        Map<String, Map<String, String>> nodeProperties = new LinkedHashMap<>();
        Map<String, Map<String, String>> valueProperties = new LinkedHashMap<>();
        tokens.object("metadata", name -> {
            switch (name) {
                case PROPERTIES -> readTexts(tokens, properties);
                case NODES -> readTexts(tokens, nodes);
                case VALUES -> readTexts(tokens, values);
                case NODE_PROPERTIES -> readProperties(tokens, nodeProperties);
                case VALUE_PROPERTIES -> readProperties(tokens, valueProperties);
                default -> {
                    Metadata.Field field =
                            Metadata.Field.of(name).orElseThrow(() -> tokens.unknownField(name, known()));
                    String text = tokens.string("a string");
                    if (field == Metadata.Field.MODEL_VERSION && !isVersion(text)) {
                        throw tokens.wrong("expected a whole number in a string, found '" + text + "'");
                    }
                    fields.put(field, text);
                }
            }
        });
        return new Metadata(fields, properties, words(nodes, nodeProperties), words(values, valueProperties));
    }

    private static Map<String, Words> words(Map<String, String> texts, Map<String, Map<String, String>> properties) {
        Map<String, Words> words = new LinkedHashMap<>();
        texts.forEach((name, text) ->
                words.put(name, new Words(Optional.of(text), properties.getOrDefault(name, Map.of()))));
        properties.forEach((name, own) -> words.putIfAbsent(name, new Words(Optional.empty(), own)));
        return words;
    }

    private static boolean isVersion(String text) {
        try {
            Long.parseLong(text);
            return true;
        } catch (NumberFormatException other) {
            return false;
        }
    }

    private static String known() {
        Stream<String> fields = Stream.of(Metadata.Field.values()).map(Metadata.Field::label);
        return Stream.concat(fields, Stream.of(PROPERTIES, NODES, VALUES, NODE_PROPERTIES, VALUE_PROPERTIES))
                .collect(Collectors.joining(", "));
    }

    private static void readTexts(JsonTokens tokens, Map<String, String> texts) {
        tokens.object("texts by names", name -> texts.put(name, tokens.string("a string")));
    }

    private static void readProperties(JsonTokens tokens, Map<String, Map<String, String>> properties) {
        tokens.object("objects by names", name -> {
            Map<String, String> own = new LinkedHashMap<>();
            readTexts(tokens, own);
            properties.put(name, own);
        });
    }

    static void write(Metadata metadata, JsonGenerator json) {
        json.writeName("metadata");
        json.writeStartObject();
        metadata.fields().forEach((field, text) -> json.writeStringProperty(field.label(), text));
        writeTexts(PROPERTIES, metadata.properties(), json);
        writeTexts(NODES, texts(metadata.nodes()), json);
        writeTexts(VALUES, texts(metadata.values()), json);
        writeProperties(NODE_PROPERTIES, metadata.nodes(), json);
        writeProperties(VALUE_PROPERTIES, metadata.values(), json);
        json.writeEndObject();
    }

    private static void writeTexts(String name, Map<String, String> texts, JsonGenerator json) {
        if (texts.isEmpty()) {
            return;
        }
        json.writeName(name);
        json.writeStartObject();
        texts.forEach(json::writeStringProperty);
        json.writeEndObject();
    }

    private static Map<String, String> texts(Map<String, Words> words) {
        Map<String, String> texts = new LinkedHashMap<>();
        words.forEach((name, each) -> each.text().ifPresent(text -> texts.put(name, text)));
        return texts;
    }

    private static void writeProperties(String name, Map<String, Words> words, JsonGenerator json) {
        if (words.values().stream().allMatch(each -> each.properties().isEmpty())) {
            return;
        }
        json.writeName(name);
        json.writeStartObject();
        words.forEach((of, each) -> writeTexts(of, each.properties(), json));
        json.writeEndObject();
    }
}
