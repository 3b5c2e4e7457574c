package org.clinfer.cli.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        long bytes = Files.size(file);
        if (bytes > MAX_BYTES) {
            throw new BadFileException(file, bytes + " bytes are more than the " + MAX_BYTES + " of a JSON file here");
        }
        try {
            return MAPPER.readTree(Files.readAllBytes(file));
        } catch (JacksonException malformed) {
            throw new BadFileException(file, "not valid JSON: " + malformed.getOriginalMessage(), malformed);
        }
    }
}
