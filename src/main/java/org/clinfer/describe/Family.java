package org.clinfer.describe;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A part of a description that several operators share.
 *
 * @param body an object or a list, in whose strings {@code $name} stands for a value
 * @param defaults values of names that may be left out
 * @param names those that stand for a value
 */
record Family(String name, Object body, Map<String, Object> defaults, Set<String> names) {

    /** The field with the default values of an object. */
    private static final String DEFAULTS = "defaults";

    /** A name in a string, and where it stands with its {@code $}. */
    record Place(String name, int start, int end) {

        /** The first place in a string from an index on. */
        static @Nullable Place in(String text, int from) {
            for (int at = text.indexOf('$', from); at >= 0; at = text.indexOf('$', at + 1)) {
                boolean braces = text.startsWith("{", at + 1);
                int start = at + (braces ? 2 : 1);
                int end = start;
                while (end < text.length() && JsonReader.isName(text.substring(start, end + 1))) {
                    end++;
                }
                if (end > start && (!braces || text.startsWith("}", end))) {
                    return new Place(text.substring(start, end), at, braces ? end + 1 : end);
                }
            }
            return null;
        }
    }

    /** The family of this name in the field {@code families} of a file. */
    static Family read(String name, Object json, JsonReader top) {
        if (!JsonReader.isName(name)) {
            throw top.failureAt("families", "expected names of letters, digits and '_', found '" + name + "'");
        }
        String field = "families." + name;
        Set<String> names = new LinkedHashSet<>();
        if (json instanceof List<?>) {
            collect(json, names);
            return new Family(name, json, Map.of(), names);
        }
        if (!(json instanceof Map<?, ?> object)) {
            throw top.failureAt(field, "expected an object or a list, found " + JsonValues.described(json));
        }
        Map<Object, Object> body = new LinkedHashMap<>(object);
        Object defaults = body.remove(DEFAULTS);
        collect(body, names);
        return new Family(name, body, defaults(defaults, names, field + "." + DEFAULTS, top), names);
    }

    private static Map<String, Object> defaults(
            @Nullable Object json, Set<String> names, String field, JsonReader top) {
        Map<String, Object> defaults = new LinkedHashMap<>();
        if (json instanceof Map<?, ?> given) {
            for (Map.Entry<?, ?> value : given.entrySet()) {
                defaults.put(String.valueOf(value.getKey()), value.getValue());
            }
        } else if (json != null) {
            throw top.failureAt(field, "expected an object, found " + JsonValues.described(json));
        }
        for (String name : defaults.keySet()) {
            if (!names.contains(name)) {
                throw top.failureAt(field, "there is no $" + name + " in the family");
            }
        }
        return defaults;
    }

    private static void collect(Object json, Set<String> names) {
        if (json instanceof String text) {
            for (Place place = Place.in(text, 0); place != null; place = Place.in(text, place.end())) {
                names.add(place.name());
            }
        } else if (json instanceof List<?> list) {
            for (Object element : list) {
                collect(element, names);
            }
        } else if (json instanceof Map<?, ?> object) {
            for (Object value : object.values()) {
                collect(value, names);
            }
        }
    }
}
