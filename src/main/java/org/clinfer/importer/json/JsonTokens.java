package org.clinfer.importer.json;

import java.io.InputStream;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
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
final class JsonTokens implements AutoCloseable {

    private static final int MAX_DEPTH = 16;
    private static final int MAX_NAME = 1 << 16;
    private static final int MAX_NUMBER = 400;

    /** What the parser adds to some messages; it says nothing about the file. */
    private static final Pattern KINDS_OF_VALUES = Pattern.compile(" ?\\(JSON String[^)]*\\)");

    private static final JsonFactory STRICT = factory().build();
    private static final JsonFactory WITH_COMMENTS =
            factory().enable(JsonReadFeature.ALLOW_JAVA_COMMENTS).build();

    private final JsonParser parser;
    private final SourceRef source;

    private JsonTokens(JsonParser parser, SourceRef source) {
        this.parser = parser;
        this.source = source;
    }

    private static JsonFactoryBuilder factory() {
        return JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_DEPTH)
                        .maxStringLength(MAX_NAME)
                        .maxNameLength(MAX_NAME)
                        .maxNumberLength(MAX_NUMBER)
                        .build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION);
    }

    /**
     * Reads the one value that a document is.
     *
     * @param in is not closed
     * @param comments whether comments as in Java are allowed
     * @param value is called when the value's first token has been read
     * @throws GraphException if the document is malformed or {@code value} says so
     */
    static void read(InputStream in, boolean comments, SourceRef source, Consumer<JsonTokens> value) {
        JsonFactory factory = comments ? WITH_COMMENTS : STRICT;
        try (JsonTokens tokens = new JsonTokens(factory.createParser(in), source)) {
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
        String text = String.valueOf(malformed.getOriginalMessage())
                .lines()
                .findFirst()
                .orElse("malformed");
        String reason = KINDS_OF_VALUES.matcher(text).replaceAll("");
        return new GraphException(source, (at == null ? "" : where(at) + ": ") + reason, malformed);
    }

    private static String where(TokenStreamLocation at) {
        return "line " + at.getLineNr() + ", column " + at.getColumnNr();
    }

    /** Line and column of the token read last. */
    String where() {
        return where(parser.currentTokenLocation());
    }

    /** An error at the token read last. */
    GraphException wrong(String message) {
        return new GraphException(source, where() + ": " + message);
    }

    private GraphException expected(String what) {
        return wrong("expected " + what + ", found " + found());
    }

    /** The token read last as messages show it. */
    String found() {
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
    JsonToken token() {
        JsonToken token = parser.currentToken();
        if (token == null) {
            throw wrong("the document ends early");
        }
        return token;
    }

    /** The text of a string or number that was read last. */
    String text() {
        return parser.getString();
    }

    /** The string that was read last. */
    String string(String what) {
        if (token() != JsonToken.VALUE_STRING) {
            throw expected(what);
        }
        return parser.getString();
    }

    /** The whole number from 0 that was read last. */
    long size(String what) {
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
    void object(String what, Consumer<String> field) {
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
    void list(String what, Runnable element) {
        if (token() != JsonToken.START_ARRAY) {
            throw expected(what);
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            element.run();
        }
    }

    /** The error of a field that should not be there. */
    GraphException unknownField(String name, String known) {
        return wrong("unknown field '" + shortened(name) + "'; known are " + known);
    }

    @Override
    public void close() {
        parser.close();
    }
}
