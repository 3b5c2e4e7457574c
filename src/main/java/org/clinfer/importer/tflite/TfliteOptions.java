package org.clinfer.importer.tflite;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.importer.tflite.TfliteSchema.Field;
import org.clinfer.importer.tflite.TfliteSchema.Kind;

/** The options of an operator, by their names; those that nobody asks for can be told. */
final class TfliteOptions {

    private final Optional<FlatTable> table;
    private final Map<String, Integer> numbers = new LinkedHashMap<>();
    private final List<Field> fields;
    private final SourceRef source;
    private final Set<String> read = new HashSet<>();

    /** @param table empty where all have their defaults */
    TfliteOptions(Optional<FlatTable> table, List<Field> fields, SourceRef source) {
        this.table = table;
        this.fields = fields;
        this.source = source;
        for (int i = 0; i < fields.size(); i++) {
            numbers.put(fields.get(i).name(), i);
        }
    }

    /** The options that are given, have another value than the default, and that nobody asked for. */
    List<String> unread() {
        List<String> unread = new ArrayList<>();
        int given = table.map(FlatTable::fields).orElse(0);
        for (int i = 0; i < given; i++) {
            boolean known = i < fields.size();
            String name = known ? fields.get(i).name() : "number " + i;
            boolean matters = known ? !isDefault(i) : table.orElseThrow().has(i);
            if (matters && !read.contains(name)) {
                unread.add("option " + name);
            }
        }
        return unread;
    }

    private boolean isDefault(int number) {
        Field field = fields.get(number);
        FlatTable given = table.orElseThrow();
        return switch (field.kind()) {
            case INTS -> given.integers(number).length == 0;
            case FLOATS -> given.reals(number).length == 0;
            case BYTES -> given.bytes(number).filter(ByteBuffer::hasRemaining).isEmpty();
            case TEXT -> given.text(number).filter(text -> !text.isEmpty()).isEmpty();
            case FLOAT -> given.real(number, 0) == 0;
            case INT -> given.integer(number, field.otherwise()) == field.otherwise();
            case BYTE, BOOL -> given.integer(number, 1, field.otherwise()) == field.otherwise();
        };
    }

    /** Options that say how to compute, or what the tensors say as well. */
    void ignore(String... names) {
        Arrays.stream(names).forEach(name -> number(name, field(name).kind()));
    }

    private Field field(String name) {
        return fields.get(position(name));
    }

    private int position(String name) {
        return Objects.requireNonNull(numbers.get(name), name);
    }

    private int number(String name, Kind kind) {
        int number = position(name);
        if (fields.get(number).kind() != kind) {
            throw new IllegalArgumentException("option " + name + " is no " + kind);
        }
        read.add(name);
        return number;
    }

    private <T> T value(String name, Kind kind, T otherwise, BiFunction<FlatTable, Integer, T> reading) {
        int number = number(name, kind);
        return table.map(given -> reading.apply(given, number)).orElse(otherwise);
    }

    int integer(String name) {
        int otherwise = field(name).otherwise();
        return value(name, Kind.INT, otherwise, (given, number) -> given.integer(number, otherwise));
    }

    /** A whole number that is not below another one. */
    int size(String name, int least) {
        int size = integer(name);
        if (size < least) {
            throw wrong(name, "expected a number from " + least + " on, found " + size);
        }
        return size;
    }

    boolean flag(String name) {
        int otherwise = field(name).otherwise();
        return value(name, Kind.BOOL, otherwise, (given, number) -> (int) given.integer(number, 1, otherwise)) != 0;
    }

    float real(String name) {
        return value(name, Kind.FLOAT, 0f, (given, number) -> given.real(number, 0));
    }

    long[] integers(String name) {
        int[] found = value(name, Kind.INTS, new int[0], FlatTable::integers);
        return Arrays.stream(found).asLongStream().toArray();
    }

    float[] reals(String name) {
        return value(name, Kind.FLOATS, new float[0], FlatTable::reals);
    }

    /** A text; empty where it is left out. */
    String text(String name) {
        return value(name, Kind.TEXT, Optional.<String>empty(), FlatTable::text).orElse("");
    }

    /** One of several words, by its number. */
    String word(String name, List<String> words) {
        int found = value(name, Kind.BYTE, 0, FlatTable::small);
        if (found < 0 || found >= words.size()) {
            throw wrong(name, "expected a number from 0 to " + (words.size() - 1) + ", found " + found);
        }
        return words.get(found);
    }

    /** A malformed option. */
    GraphException wrong(String name, String message) {
        return new GraphException(source, "option " + name + ": " + message);
    }
}
