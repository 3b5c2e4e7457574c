package org.clinfer.importer.tflite;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The builtin operators that the format has, by their numbers, and the fields of their options. */
final class TfliteSchema {

    private static final String RESOURCE = "builtin-operators.txt";

    /** The schema that comes with Clinfer. */
    static final TfliteSchema BUILT_IN = read();

    private final Map<Integer, Builtin> operators = new HashMap<>();

    /**
     * A builtin operator.
     *
     * @param options the number of its options in the union of options; 0 where it has none
     */
    record Builtin(String name, int options, List<Field> fields) {}

    /** The type of a field. */
    enum Kind {
        BYTE,
        BOOL,
        INT,
        FLOAT,
        INTS,
        FLOATS,
        BYTES,
        TEXT
    }

    /**
     * A field of options.
     *
     * @param otherwise the value of one that is left out
     */
    record Field(String name, Kind kind, int otherwise) {

        private static Field of(String text) {
            String[] parts = text.split("[:=]", -1);
            return new Field(
                    parts[0],
                    Kind.valueOf(parts[1].toUpperCase(Locale.ROOT)),
                    parts.length == 3 ? Integer.parseInt(parts[2]) : 0);
        }
    }

    private TfliteSchema() {}

    /** The operator of a number; empty where there is none. */
    Optional<Builtin> operator(int number) {
        return Optional.ofNullable(operators.get(number));
    }

    /** All operators. */
    List<Builtin> operators() {
        return List.copyOf(operators.values());
    }

    private static TfliteSchema read() {
        TfliteSchema schema = new TfliteSchema();
        try (InputStream stream = Objects.requireNonNull(TfliteSchema.class.getResourceAsStream(RESOURCE))) {
            new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .forEach(schema::add);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return schema;
    }

    private void add(String line) {
        List<String> words = new ArrayList<>(Arrays.asList(line.split(" ", -1)));
        int number = Integer.parseInt(words.get(0));
        int options = words.size() > 2 ? Integer.parseInt(words.get(2)) : 0;
        List<Field> fields = words.stream().skip(3).map(Field::of).toList();
        operators.put(number, new Builtin(words.get(1), options, fields));
    }
}
