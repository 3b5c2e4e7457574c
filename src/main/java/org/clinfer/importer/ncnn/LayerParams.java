package org.clinfer.importer.ncnn;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.clinfer.graph.GraphException;
import org.clinfer.text.Printable;

/** The parameters of a layer, by their numbers; those that nobody asks for can be told. */
final class LayerParams {

    /** The shapes that a tool found for the layer's outputs, and what an application wants of a layer. */
    private static final Set<Integer> NOTES = Set.of(30, 31);

    /** Whole numbers above this are the bits of a float, which some tools write instead of it; below, they are none. */
    private static final int LEAST_BITS = 1 << 23;

    private final NcnnLayer layer;
    private final Set<Integer> read = new HashSet<>(NOTES);

    LayerParams(NcnnLayer layer) {
        this.layer = layer;
    }

    boolean has(int id) {
        return layer.params().containsKey(id);
    }

    /** The numbers of the parameters that nobody asked for. */
    Set<Integer> unread() {
        Set<Integer> unread = new TreeSet<>(layer.params().keySet());
        unread.removeAll(read);
        return unread;
    }

    /** Parameters that say how to compute, not what. */
    void ignore(int... ids) {
        for (int id : ids) {
            read.add(id);
        }
    }

    private Optional<String> word(int id) {
        read.add(id);
        NcnnLayer.Param param = layer.params().get(id);
        if (param == null) {
            return Optional.empty();
        }
        if (param.isList()) {
            throw wrong(
                    id, "expected one value, found a list of " + param.words().size());
        }
        return Optional.of(param.words().get(0));
    }

    private List<String> words(int id) {
        read.add(id);
        NcnnLayer.Param param = layer.params().get(id);
        if (param == null) {
            return List.of();
        }
        if (!param.isList()) {
            throw wrong(
                    id,
                    "expected a list, found '"
                            + Printable.shortened(param.words().get(0)) + "'");
        }
        return param.words();
    }

    /** A whole number. */
    int integer(int id, int otherwise) {
        return word(id).map(word -> integer(id, word)).orElse(otherwise);
    }

    private int integer(int id, String word) {
        try {
            return Integer.parseInt(word);
        } catch (NumberFormatException none) {
            throw wrong(id, "expected a whole number, found '" + Printable.shortened(word) + "'");
        }
    }

    /** A whole number that is not below another one. */
    int size(int id, int otherwise, int least) {
        int size = integer(id, otherwise);
        if (size < least) {
            throw wrong(id, has(id) ? "expected a number from " + least + " on, found " + size : "it is missing");
        }
        return size;
    }

    boolean flag(int id, boolean otherwise) {
        int value = integer(id, otherwise ? 1 : 0);
        if (value != 0 && value != 1) {
            throw wrong(id, "expected 0 or 1, found " + value);
        }
        return value == 1;
    }

    double real(int id, double otherwise) {
        return word(id).map(word -> real(id, word)).orElse(otherwise);
    }

    private double real(int id, String word) {
        boolean whole = word.chars().noneMatch(c -> c == '.' || c == 'e' || c == 'E');
        if (whole) {
            int bits = integer(id, word);
            if (bits != 0 && Math.abs((long) bits) < LEAST_BITS) {
                throw wrong(id, "expected a number with a decimal point or exponent, found '" + word + "'");
            }
            return Float.intBitsToFloat(bits);
        }
        boolean plain = word.chars().allMatch(c -> "0123456789.eE+-".indexOf(c) >= 0);
        try {
            if (plain) {
                return Float.parseFloat(word);
            }
        } catch (NumberFormatException none) {
            // told below
        }
        throw wrong(id, "expected a number, found '" + Printable.shortened(word) + "'");
    }

    /** A list of whole numbers, empty if it is not given. */
    List<Integer> integers(int id) {
        List<Integer> values = new ArrayList<>();
        words(id).forEach(word -> values.add(integer(id, word)));
        return values;
    }

    /** A list of numbers, empty if it is not given. */
    List<Double> reals(int id) {
        List<Double> values = new ArrayList<>();
        words(id).forEach(word -> values.add(real(id, word)));
        return values;
    }

    /** A malformed parameter. */
    GraphException wrong(int id, String message) {
        return new GraphException(layer.source(), "parameter " + id + ": " + message);
    }
}
