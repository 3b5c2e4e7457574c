package org.clinfer.importer.openvino;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.tensor.DType;
import org.clinfer.text.Printable;

/** The attributes of a layer with their types; it remembers which were read. */
final class OpenVinoAttributes {

    private final OpenVinoLayer layer;
    private final Set<String> read = new HashSet<>();

    OpenVinoAttributes(OpenVinoLayer layer) {
        this.layer = layer;
    }

    boolean has(String name) {
        return layer.attributes().containsKey(name);
    }

    /** Accepts attributes that change no result. */
    void ignore(String... names) {
        read.addAll(List.of(names));
    }

    /** The names of attributes that nobody asked for. */
    Set<String> unread() {
        Set<String> unread = new TreeSet<>(layer.attributes().keySet());
        unread.removeAll(read);
        return unread;
    }

    private String word(String name, String otherwise) {
        read.add(name);
        return layer.attributes().getOrDefault(name, otherwise).strip();
    }

    /** Refuses a layer without all of some attributes. */
    void require(String... names) {
        for (String name : names) {
            if (!has(name)) {
                throw new GraphException(layer.source(), "attribute '" + name + "' is missing");
            }
        }
    }

    private String word(String name) {
        require(name);
        return word(name, "");
    }

    /** One of some words, whatever the case of its letters. */
    String choice(String name, String otherwise, String... known) {
        String word = word(name, otherwise).toLowerCase(Locale.ROOT);
        if (!List.of(known).contains(word)) {
            throw unsupported(name);
        }
        return word;
    }

    /** One of some words, which must be given. */
    String requiredChoice(String name, String... known) {
        require(name);
        return choice(name, "", known);
    }

    DType type(String name, String otherwise) {
        return OpenVinoElementTypes.find(word(name, otherwise)).orElseThrow(() -> unsupported(name));
    }

    DType type(String name) {
        return OpenVinoElementTypes.find(word(name)).orElseThrow(() -> unsupported(name));
    }

    boolean flag(String name, boolean otherwise) {
        return switch (word(name, String.valueOf(otherwise)).toLowerCase(Locale.ROOT)) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default -> throw wrong(name, "true or false");
        };
    }

    long integer(String name) {
        return integer(name, word(name));
    }

    long integer(String name, long otherwise) {
        return integer(name, word(name, String.valueOf(otherwise)));
    }

    private long integer(String name, String word) {
        try {
            return Long.parseLong(word);
        } catch (NumberFormatException none) {
            throw wrong(name, "a whole number");
        }
    }

    double real(String name) {
        return real(name, word(name));
    }

    double real(String name, double otherwise) {
        return has(name) ? real(name) : otherwise;
    }

    private double real(String name, String word) {
        try {
            return Double.parseDouble(word);
        } catch (NumberFormatException none) {
            throw wrong(name, "a number");
        }
    }

    /** A text that must be given. */
    String text(String name) {
        return word(name);
    }

    /** Texts with commas between them; none where the attribute is empty. */
    List<String> texts(String name) {
        String list = word(name, "");
        return list.isEmpty()
                ? List.of()
                : Stream.of(list.split(",", -1)).map(String::strip).toList();
    }

    /** Numbers, none where the attribute is empty. */
    List<Double> reals(String name) {
        return texts(name).stream().map(word -> real(name, word)).toList();
    }

    long[] integers(String name, long... otherwise) {
        return has(name)
                ? texts(name).stream().mapToLong(word -> integer(name, word)).toArray()
                : otherwise;
    }

    /** So many whole numbers. */
    long[] integers(String name, int count, long otherwise) {
        long[] list = has(name)
                ? integers(name)
                : Stream.generate(() -> otherwise)
                        .limit(count)
                        .mapToLong(each -> each)
                        .toArray();
        if (list.length != count) {
            throw wrong(name, count + " whole numbers");
        }
        return list;
    }

    private GraphException wrong(String name, String wanted) {
        return new GraphException(
                layer.source(),
                "attribute '" + name + "': expected " + wanted + ", found '"
                        + Printable.shortened(layer.attributes().getOrDefault(name, "")) + "'");
    }

    /** The layer is translated, but not with this attribute as it is. */
    UnsupportedException unsupported(String name) {
        String value = layer.attributes().getOrDefault(name, "");
        String feature = "layer " + Printable.shortened(layer.type()) + " with " + Printable.shortened(name) + "='"
                + Printable.shortened(value) + "'";
        return new UnsupportedException(layer.source(), feature, feature + " is not supported");
    }
}
