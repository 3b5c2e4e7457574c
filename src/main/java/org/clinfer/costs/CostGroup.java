package org.clinfer.costs;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One object of the file, read strictly: each figure by its name, and none is left over. */
final class CostGroup {

    private final Map<?, ?> fields;
    private final String path;
    private final Set<String> read = new HashSet<>();

    private CostGroup(@Nullable Object json, String path) {
        if (!(json instanceof Map<?, ?> object)) {
            throw new IllegalStateException(path + ": expected an object");
        }
        this.fields = object;
        this.path = path;
        read.add("doc");
        if (!(fields.get("doc") instanceof String)) {
            throw new IllegalStateException(path + ": 'doc' is missing");
        }
    }

    /** Reads an object and holds that nothing is left over. */
    static <T> T of(@Nullable Object json, String path, Function<CostGroup, T> read) {
        CostGroup group = new CostGroup(json, path);
        T result = read.apply(group);
        for (Object name : group.fields.keySet()) {
            if (!group.read.contains(String.valueOf(name))) {
                throw new IllegalStateException(path + ": '" + name + "' is unknown");
            }
        }
        return result;
    }

    /** An object whose figures come from one source, which it names. */
    <T> T sourced(String name, Function<CostGroup, T> figures) {
        return group(name, group -> {
            group.read.add("from");
            if (!(group.fields.get("from") instanceof String)) {
                throw new IllegalStateException(group.path + ": 'from' is missing");
            }
            return figures.apply(group);
        });
    }

    <T> T group(String name, Function<CostGroup, T> figures) {
        return of(field(name), path + "." + name, figures);
    }

    private @Nullable Object field(String name) {
        read.add(name);
        return fields.get(name);
    }

    double number(String name) {
        return ((Number) required(name, Number.class)).doubleValue();
    }

    long whole(String name) {
        return (Long) required(name, Long.class);
    }

    List<Long> wholes(String name) {
        List<Long> wholes = new ArrayList<>();
        for (Object element : (List<?>) required(name, List.class)) {
            if (!(element instanceof Long whole)) {
                throw new IllegalStateException(path + "." + name + ": expected whole numbers");
            }
            wholes.add(whole);
        }
        return wholes;
    }

    private Object required(String name, Class<?> kind) {
        Object value = field(name);
        if (!kind.isInstance(value)) {
            throw new IllegalStateException(
                    path + "." + name + (value == null ? ": is missing" : ": expected another kind of value"));
        }
        return value;
    }
}
