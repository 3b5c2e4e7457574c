package org.clinfer.files;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads a JSON document as plain Java values: objects are maps in file order, lists are lists, and numbers are Long,
 * BigInteger where they are larger, or Double. Jackson's own trees take longer to load than all descriptions to read.
 */
public final class JsonTree {

    /** Values that Java has no type for. */
    public enum Special {
        NULL("null"),
        /** An empty document. */
        NOTHING("nothing");

        private final String shown;

        Special(String shown) {
            this.shown = shown;
        }

        @Override
        public String toString() {
            return shown;
        }
    }

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(64)
                    .maxDocumentLength(8L << 20)
                    .maxStringLength(1 << 16)
                    .maxNameLength(1 << 10)
                    .maxNumberLength(100)
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private JsonTree() {}

    /**
     * The one value of a document.
     *
     * @throws JacksonException if it is malformed, or something follows it
     */
    public static Object read(byte[] json) {
        try (JsonParser parser = FACTORY.createParser(json)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                return Special.NOTHING;
            }
            Object root = value(parser, first);
            if (parser.nextToken() != null) {
                throw new StreamReadException(
                        parser, "something follows the document's end", parser.currentTokenLocation());
            }
            return root;
        }
    }

    /** The value whose first token was read; not deeper than the parser lets it be. */
    private static Object value(JsonParser parser, JsonToken token) {
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> list(parser);
            case VALUE_STRING -> parser.getString();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> Special.NULL;
            case VALUE_NUMBER_INT -> integer(parser);
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            default -> throw new IllegalStateException("unexpected " + token);
        };
    }

    private static Object integer(JsonParser parser) {
        return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                ? parser.getBigIntegerValue()
                : (Object) parser.getLongValue();
    }

    private static Map<String, Object> object(JsonParser parser) {
        Map<String, Object> fields = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            fields.put(name, value(parser, parser.nextToken()));
        }
        return fields;
    }

    private static List<Object> list(JsonParser parser) {
        List<Object> elements = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            elements.add(value(parser, token));
        }
        return elements;
    }
}
