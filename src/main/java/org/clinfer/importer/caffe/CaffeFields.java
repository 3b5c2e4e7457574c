package org.clinfer.importer.caffe;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;

/** Typed access to the fields of a message; what does not fit is an error with the field's name. It remembers what was read. */
final class CaffeFields {

    /** The number that no size, stride or padding reaches. */
    private static final long SIZE_LIMIT = 1L << 30;

    private static final long MOST_DIMS = 64;

    private final Block block;
    private final SourceRef source;
    private final String path;
    private final Set<String> read = new HashSet<>();
    private final List<CaffeFields> inner = new ArrayList<>();

    /** @param path the message's name, for messages; empty where the source says it all */
    CaffeFields(Block block, SourceRef source, String path) {
        this.block = block;
        this.source = source;
        this.path = path;
    }

    Block block() {
        return block;
    }

    SourceRef source() {
        return source;
    }

    GraphException wrong(String field, String message) {
        return new GraphException(source, (path.isEmpty() ? field : path + "." + field) + ": " + message);
    }

    private GraphException expected(String field, String what, Item found) {
        return wrong(field, "expected " + what + ", found " + found.shown());
    }

    boolean has(String field) {
        return !items(field).isEmpty();
    }

    /** The values of a field. */
    List<Item> items(String field) {
        read.add(field);
        return block.all(field);
    }

    private Optional<Item> last(String field) {
        List<Item> all = items(field);
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
    }

    private String word(String field, String what, Item item) {
        if (item instanceof Item.Word word) {
            return word.text();
        }
        throw expected(field, what, item);
    }

    Optional<String> text(String field) {
        return last(field).map(item -> word(field, "a string", item));
    }

    List<String> texts(String field) {
        return items(field).stream().map(item -> word(field, "a string", item)).toList();
    }

    /**
     * One of some names, which may be written as its number.
     *
     * @param otherwise where the field is missing
     * @param known the names by their numbers
     */
    String choice(String field, String otherwise, String... known) {
        Optional<Item> found = last(field);
        if (found.isEmpty()) {
            return otherwise;
        }
        List<String> names = List.of(known);
        String name = word(field, "a name", found.get()).toUpperCase(Locale.ROOT);
        int number = name.length() == 1 ? Character.digit(name.charAt(0), 10) : -1;
        if (number >= 0 && number < names.size()) {
            return names.get(number);
        }
        if (name.isEmpty() || !names.contains(name)) {
            throw expected(field, "one of " + String.join(", ", known).replaceFirst("^, ", ""), found.get());
        }
        return name;
    }

    boolean flag(String field, boolean otherwise) {
        return last(field)
                .map(item -> switch (word(field, "true or false", item)) {
                    case "true", "True", "t", "1" -> true;
                    case "false", "False", "f", "0" -> false;
                    default -> throw expected(field, "true or false", item);
                })
                .orElse(otherwise);
    }

    double real(String field, double otherwise) {
        return last(field).map(item -> real(field, item)).orElse(otherwise);
    }

    List<Double> reals(String field) {
        return items(field).stream().map(item -> real(field, item)).toList();
    }

    private double real(String field, Item item) {
        String word = word(field, "a number", item);
        String lower = word.toLowerCase(Locale.ROOT);
        String unsigned = lower.startsWith("-") ? lower.substring(1) : lower;
        if (unsigned.equals("inf") || unsigned.equals("infinity")) {
            return lower.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        try {
            if (!unsigned.isEmpty() && (Character.isDigit(unsigned.charAt(0)) || unsigned.charAt(0) == '.')) {
                return (float) Double.parseDouble(word);
            }
        } catch (NumberFormatException noNumber) {
            throw expected(field, "a number", item);
        }
        throw expected(field, "a number", item);
    }

    /** A whole number in a range; {@code otherwise} where it is missing. */
    long integer(String field, long otherwise, long least, long most) {
        return last(field).map(item -> integer(field, item, least, most)).orElse(otherwise);
    }

    /** A size, from {@code least}. */
    long size(String field, long otherwise, long least) {
        return integer(field, otherwise, least, SIZE_LIMIT - 1);
    }

    /** A size that must be given, from {@code least}. */
    long requiredSize(String field, long least) {
        if (!has(field)) {
            throw wrong(field, "it is missing");
        }
        return size(field, least, least);
    }

    /** An axis, or another small number of either sign. */
    int small(String field, int otherwise) {
        return (int) integer(field, otherwise, -MOST_DIMS, MOST_DIMS);
    }

    List<Long> integers(String field, long least) {
        return items(field).stream()
                .map(item -> integer(field, item, least, SIZE_LIMIT - 1))
                .toList();
    }

    private long integer(String field, Item item, long least, long most) {
        String word = word(field, "a whole number", item);
        try {
            long value = Long.decode(word.matches("-?0+[0-9]+") ? word.replaceFirst("0+", "") : word);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException noNumber) {
            throw expected(field, "a whole number", item);
        }
        throw expected(field, "a whole number from " + least + " to " + most, item);
    }

    /** A message; an empty one where it is missing. */
    CaffeFields message(String field) {
        List<CaffeFields> all = messages(field);
        return all.isEmpty()
                ? new CaffeFields(new Block(), source, path.isEmpty() ? field : path + "." + field)
                : all.get(all.size() - 1);
    }

    List<CaffeFields> messages(String field) {
        List<CaffeFields> messages = new ArrayList<>();
        for (Item item : items(field)) {
            if (!(item instanceof Block message)) {
                throw expected(field, "a message", item);
            }
            messages.add(new CaffeFields(message, source, path.isEmpty() ? field : path + "." + field));
        }
        inner.addAll(messages);
        return messages;
    }

    /** Refuses one of two fields without the other. */
    void requireTogether(String first, String second) {
        if (has(first) != has(second)) {
            throw wrong(has(first) ? first : second, "it is given without " + (has(first) ? second : first));
        }
    }

    /** Accepts fields that change nothing at inference. */
    void ignore(String... names) {
        read.addAll(List.of(names));
    }

    boolean wasRead(String field) {
        return read.contains(field);
    }

    /** The fields that nobody read, here and in the messages that somebody asked for. */
    List<String> unread() {
        return Stream.concat(
                        block.fields().keySet().stream().filter(name -> !wasRead(name)),
                        inner.stream()
                                .flatMap(message -> message.unread().stream()
                                        .map(name -> message.path.substring(message.path.lastIndexOf('.') + 1) + "."
                                                + name)))
                .toList();
    }
}
