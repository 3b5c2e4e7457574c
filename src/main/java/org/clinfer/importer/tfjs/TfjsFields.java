package org.clinfer.importer.tfjs;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;

/**
 * Typed access to the fields of an object; a wrong kind is an error with the field's path. A field that is null counts
 * as missing. It remembers which fields were read.
 */
final class TfjsFields {

    /** The number that no size, stride or padding reaches. */
    private static final long SIZE_LIMIT = 1L << 30;

    private final Map<String, Json> fields;
    private final SourceRef source;
    private final String path;
    private final Set<String> read = new HashSet<>();

    /** @param path where the object stands, for messages: {@code config}; empty where the source says it all */
    TfjsFields(Json.Obj object, SourceRef source, String path) {
        this.fields = object.fields();
        this.source = source;
        this.path = path;
    }

    /** The fields of a value, which must be an object. */
    static TfjsFields of(Json value, SourceRef source, String path) {
        if (value instanceof Json.Obj object) {
            return new TfjsFields(object, source, path);
        }
        throw new GraphException(source, path + ": expected an object, found " + value.shown());
    }

    SourceRef source() {
        return source;
    }

    private String at(String field) {
        return path.isEmpty() ? field : path + "." + field;
    }

    GraphException wrong(String field, String message) {
        return new GraphException(source, at(field) + ": " + message);
    }

    private GraphException expected(String field, String what, Json found) {
        return wrong(field, "expected " + what + ", found " + found.shown());
    }

    private GraphException missing(String field) {
        return new GraphException(source, "field '" + at(field) + "' is missing");
    }

    Optional<Json> find(String field) {
        read.add(field);
        return Optional.ofNullable(fields.get(field)).filter(value -> value != Json.Nothing.NULL);
    }

    Json required(String field) {
        return find(field).orElseThrow(() -> missing(field));
    }

    /** Refuses an object without all of some fields. */
    void require(String... names) {
        for (String name : names) {
            required(name);
        }
    }

    Optional<TfjsFields> object(String field) {
        return find(field).map(value -> of(value, source, at(field)));
    }

    Optional<List<Json>> list(String field) {
        return find(field).map(value -> {
            if (value instanceof Json.Arr list) {
                return list.elements();
            }
            throw expected(field, "a list", value);
        });
    }

    Optional<String> text(String field) {
        return find(field).map(value -> {
            if (value instanceof Json.Text text) {
                return text.value();
            }
            throw expected(field, "a string", value);
        });
    }

    /** One of some strings; the first where the field is missing. */
    String choice(String field, String... known) {
        String found = text(field).orElse(known[0]);
        if (!List.of(known).contains(found)) {
            throw wrong(
                    field, "expected one of " + String.join(", ", known) + ", found " + new Json.Text(found).shown());
        }
        return found;
    }

    boolean flag(String field, boolean otherwise) {
        return find(field)
                .map(value -> {
                    if (value instanceof Json.Flag flag) {
                        return flag.value();
                    }
                    throw expected(field, "true or false", value);
                })
                .orElse(otherwise);
    }

    double real(String field, double otherwise) {
        return find(field)
                .map(value -> {
                    if (value instanceof Json.Int whole) {
                        return (double) whole.value();
                    } else if (value instanceof Json.Real real) {
                        return real.value();
                    }
                    throw expected(field, "a number", value);
                })
                .orElse(otherwise);
    }

    long integer(String field, long otherwise) {
        return find(field).map(value -> whole(field, value)).orElse(otherwise);
    }

    /** A whole number that must be given. */
    long integer(String field) {
        return whole(field, required(field));
    }

    private long whole(String field, Json value) {
        if (value instanceof Json.Int whole) {
            return whole.value();
        } else if (value instanceof Json.Real real && real.value() == Math.rint(real.value())) {
            return (long) real.value();
        }
        throw expected(field, "a whole number", value);
    }

    /** A whole number, or a list of them. */
    Optional<long[]> integers(String field) {
        return find(field)
                .map(value -> value instanceof Json.Arr list
                        ? list.elements().stream()
                                .mapToLong(element -> whole(field, element))
                                .toArray()
                        : new long[] {whole(field, value)});
    }

    /** A list of whole numbers; {@code otherwise} stands for those that are null. */
    Optional<long[]> integersOrNothing(String field, long otherwise) {
        return list(field)
                .map(elements -> elements.stream()
                        .mapToLong(element -> element == Json.Nothing.NULL ? otherwise : whole(field, element))
                        .toArray());
    }

    /** A number from {@code least} for each axis; a single one stands for all axes. */
    Optional<long[]> perAxis(String field, int axes, long least) {
        return integers(field).map(values -> {
            if (values.length != 1 && values.length != axes) {
                throw wrong(field, "expected " + axes + " numbers, found " + values.length);
            }
            long[] all = values.length == axes
                    ? values
                    : LongStream.generate(() -> values[0]).limit(axes).toArray();
            return sizes(field, all, least);
        });
    }

    /** Begin and end for each axis: one number for all, one for each axis, or a pair for each axis. */
    long[] pairs(String field, int axes, long[] otherwise) {
        Optional<Json> found = find(field);
        if (found.isEmpty()) {
            return otherwise;
        }
        long[] pairs = new long[2 * axes];
        if (found.get() instanceof Json.Arr list && list.elements().size() == axes && axes > 1) {
            for (int axis = 0; axis < axes; axis++) {
                long[] pair = pair(field, list.elements().get(axis));
                pairs[2 * axis] = pair[0];
                pairs[2 * axis + 1] = pair[1];
            }
        } else if (axes == 1 || !(found.get() instanceof Json.Arr)) {
            long[] pair = pair(field, found.get());
            Arrays.setAll(pairs, i -> pair[i % 2]);
        } else {
            throw expected(field, "a list of " + axes, found.get());
        }
        return sizes(field, pairs, 0);
    }

    private long[] pair(String field, Json value) {
        if (!(value instanceof Json.Arr list)) {
            long both = whole(field, value);
            return new long[] {both, both};
        }
        if (list.elements().size() == 1) {
            return pair(field, list.elements().get(0));
        }
        if (list.elements().size() != 2) {
            throw expected(field, "begin and end of an axis", value);
        }
        return list.elements().stream()
                .mapToLong(element -> whole(field, element))
                .toArray();
    }

    private long[] sizes(String field, long[] values, long least) {
        for (long value : values) {
            if (value < least || value >= SIZE_LIMIT) {
                throw wrong(field, "expected numbers from " + least + " below 2^30, found " + Arrays.toString(values));
            }
        }
        return values;
    }

    /** The names of all fields. */
    Set<String> names() {
        return fields.keySet();
    }

    /** Accepts fields that change nothing at inference. */
    void ignore(String... names) {
        read.addAll(List.of(names));
    }

    /** The fields that nobody read and that say something: not null, false, or an empty list, object or string. */
    List<String> unread() {
        return fields.entrySet().stream()
                .filter(field -> !read.contains(field.getKey()) && !isEmpty(field.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static boolean isEmpty(Json value) {
        return value == Json.Nothing.NULL
                || (value instanceof Json.Flag flag && !flag.value())
                || (value instanceof Json.Text text && text.value().isEmpty())
                || (value instanceof Json.Arr list && list.elements().isEmpty())
                || (value instanceof Json.Obj object && object.fields().isEmpty());
    }
}
