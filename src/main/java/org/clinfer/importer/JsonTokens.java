package org.clinfer.importer;

import java.io.InputStream;
import java.util.function.Consumer;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.text.JsonFault;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonFactoryBuilder;
import tools.jackson.core.json.JsonReadFeature;

/**
 * Walks once through a JSON document, which is never held as a whole; what is not as asked for is an error with its line
 * and column. Fields given twice are errors.
 */
public final class JsonTokens implements AutoCloseable {

    private static final int MAX_NUMBER = 400;

    /** The form in which documents may be written. */
    public enum Dialect {
        /** As JSON is, a few levels deep. */
        FLAT,
        /** Graphs within the operators of graphs, with comments as in Java. */
        COMMENTED,
        /** As JSON is, objects within objects, with long strings. */
        NESTED
    }

    private static final JsonFactory FLAT = factory(16, 1 << 16).build();
    private static final JsonFactory COMMENTED =
            factory(160, 1 << 18).enable(JsonReadFeature.ALLOW_JAVA_COMMENTS).build();
    private static final JsonFactory NESTED = factory(100, 1 << 22).build();

    private final JsonParser parser;
    private final SourceRef source;

    private JsonTokens(JsonParser parser, SourceRef source) {
        this.parser = parser;
        this.source = source;
    }

    private static JsonFactory factory(Dialect dialect) {
        return switch (dialect) {
            case FLAT -> FLAT;
            case COMMENTED -> COMMENTED;
            case NESTED -> NESTED;
        };
    }

    private static JsonFactoryBuilder factory(int depth, int stringLength) {
        return JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(depth)
                        .maxStringLength(stringLength)
                        .maxNameLength(1 << 16)
                        .maxNumberLength(MAX_NUMBER)
                        .build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION);
    }

    /**
     * Reads the one value that a document is.
     *
     * @param in is not closed
     * @param value is called when the value's first token has been read
     * @throws GraphException if the document is malformed or {@code value} says so
     */
    public static void read(InputStream in, Dialect dialect, SourceRef source, Consumer<JsonTokens> value) {
        try (JsonTokens tokens = new JsonTokens(factory(dialect).createParser(in), source)) {
            if (tokens.parser.nextToken() == null) {
                throw new GraphException(source, "not a JSON document: it is empty");
            }
            value.accept(tokens);
            if (tokens.parser.nextToken() != null) {
                throw tokens.wrong("something follows the document's end");
            }
        } catch (JacksonException malformed) {
            throw malformed(malformed, source);
        }
    }

    private static GraphException malformed(JacksonException malformed, SourceRef source) {
        TokenStreamLocation at = malformed.getLocation();
        String reason = JsonFault.of(String.valueOf(malformed.getOriginalMessage()));
        return new GraphException(source, (at == null ? "" : where(at) + ": ") + reason, malformed);
    }

    private static String where(TokenStreamLocation at) {
        return "line " + at.getLineNr() + ", column " + at.getColumnNr();
    }

    /** Line and column of the token read last. */
    public String where() {
        return where(parser.currentTokenLocation());
    }

    /** An error at the token read last. */
    public GraphException wrong(String message) {
        return new GraphException(source, where() + ": " + message);
    }

    private GraphException expected(String what) {
        return wrong("expected " + what + ", found " + found());
    }

    /** The token read last as messages show it. */
    public String found() {
        JsonToken token = token();
        return switch (token) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "a list";
            case VALUE_STRING -> "the string '" + shortened(parser.getString()) + "'";
            case VALUE_NULL -> "no value";
            default -> shortened(parser.getString());
        };
    }

    private static String shortened(String text) {
        return text.length() <= 100 ? text : text.substring(0, 100) + "…";
    }

    /** The token read last. */
    public JsonToken token() {
        JsonToken token = parser.currentToken();
        if (token == null) {
            throw wrong("the document ends early");
        }
        return token;
    }

    /** The text of a string or number that was read last. */
    public String text() {
        return parser.getString();
    }

    /** The string that was read last. */
    public String string(String what) {
        if (token() != JsonToken.VALUE_STRING) {
            throw expected(what);
        }
        return parser.getString();
    }

    /** The whole number from 0 that was read last. */
    public long size(String what) {
        if (token() == JsonToken.VALUE_NUMBER_INT) {
            try {
                long size = Long.parseLong(parser.getString());
                if (size >= 0) {
                    return size;
                }
            } catch (NumberFormatException tooLarge) {
                throw wrong("the number " + shortened(parser.getString()) + " does not fit 64 bits");
            }
        }
        throw expected(what);
    }

    /** Reads the object that starts here: {@code field} is called for each field, its value's first token being read. */
    public void object(String what, Consumer<String> field) {
        if (token() != JsonToken.START_OBJECT) {
            throw expected(what);
        }
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            field.accept(name);
        }
    }

    /** Reads the list that starts here: {@code element} is called for each element, its first token being read. */
    public void list(String what, Runnable element) {
        if (token() != JsonToken.START_ARRAY) {
            throw expected(what);
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            element.run();
        }
    }

    /** Passes over the value whose first token was read. */
    public void skip() {
        parser.skipChildren();
    }

    /** The error of a field that should not be there. */
    public GraphException unknownField(String name, String known) {
        return wrong("unknown field '" + shortened(name) + "'; known are " + known);
    }

    @Override
    public void close() {
        parser.close();
    }
}
