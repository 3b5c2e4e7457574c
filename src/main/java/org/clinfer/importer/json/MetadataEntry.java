package org.clinfer.importer.json;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.clinfer.graph.Metadata;
import org.clinfer.importer.JsonTokens;
import tools.jackson.core.JsonGenerator;

/** The object {@code metadata} of a document: texts, and objects that have texts by names. */
final class MetadataEntry {

    private static final String PROPERTIES = "metadata_props";
    private static final String NODES = "node_doc_strings";
    private static final String VALUES = "value_doc_strings";

    private MetadataEntry() {}

    /** Reads the object whose first token was read. */
    static Metadata read(JsonTokens tokens) {
        Map<Metadata.Field, String> fields = new EnumMap<>(Metadata.Field.class);
        Map<String, String> properties = new LinkedHashMap<>();
        Map<String, String> nodes = new LinkedHashMap<>();
        Map<String, String> values = new LinkedHashMap<>();
        tokens.object("metadata", name -> {
            switch (name) {
                case PROPERTIES -> readTexts(tokens, properties);
                case NODES -> readTexts(tokens, nodes);
                case VALUES -> readTexts(tokens, values);
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
        return new Metadata(fields, properties, nodes, values);
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
        return Stream.concat(fields, Stream.of(PROPERTIES, NODES, VALUES)).collect(Collectors.joining(", "));
    }

    private static void readTexts(JsonTokens tokens, Map<String, String> texts) {
        tokens.object("texts by names", name -> texts.put(name, tokens.string("a string")));
    }

    static void write(Metadata metadata, JsonGenerator json) {
        json.writeName("metadata");
        json.writeStartObject();
        metadata.fields().forEach((field, text) -> json.writeStringProperty(field.label(), text));
        writeTexts(PROPERTIES, metadata.properties(), json);
        writeTexts(NODES, metadata.nodes(), json);
        writeTexts(VALUES, metadata.values(), json);
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
}
