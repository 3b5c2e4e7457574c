package org.clinfer.cli.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.clinfer.text.JsonFault;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON in and out. */
public final class JsonText {

    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final long MAX_BYTES = 16L << 20;

    private JsonText() {}

    /** Records, maps, lists, texts and numbers as indented JSON. */
    public static String of(Object value) {
        return MAPPER.writeValueAsString(value);
    }

    /**
     * The document in {@code file}.
     *
     * @throws BadFileException if it is no JSON or longer than 16 MiB
     * @throws IOException if it cannot be read
     */
    public static JsonNode read(Path file) throws IOException {
        return parse(file, bytes(file));
    }

    /**
     * The content of a file that has JSON in it.
     *
     * @throws BadFileException if it is longer than 16 MiB
     * @throws IOException if it cannot be read
     */
    public static byte[] bytes(Path file) throws IOException {
        long bytes = Files.size(file);
        if (bytes > MAX_BYTES) {
            throw new BadFileException(file, bytes + " bytes are more than the " + MAX_BYTES + " of a JSON file here");
        }
        return Files.readAllBytes(file);
    }

    /**
     * The document in some of a file.
     *
     * @throws BadFileException if it is no JSON
     */
    public static JsonNode parse(Path file, byte[] bytes) {
        try {
            return MAPPER.readTree(bytes);
        } catch (JacksonException malformed) {
            throw new BadFileException(
                    file, "not valid JSON: " + JsonFault.of(String.valueOf(malformed.getOriginalMessage())), malformed);
        }
    }

    /** The same value as a document. */
    public static JsonNode tree(Object value) {
        return MAPPER.valueToTree(value);
    }
}
