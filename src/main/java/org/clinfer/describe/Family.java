package org.clinfer.describe;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A part of a description that several operators share.
 *
 * @param file where it stands
 * @param body an object or a list, in whose strings {@code $name} stands for a value
 * @param defaults values of names that may be left out
 * @param names those that stand for a value
 */
record Family(String name, String file, Object body, Map<String, Object> defaults, Set<String> names) {

    /** The field with the default values of an object. */
    private static final String DEFAULTS = "defaults";

    private static final Pattern PLACE =
            Pattern.compile("\\$(?:([A-Za-z_][A-Za-z0-9_]*)|\\{([A-Za-z_][A-Za-z0-9_]*)})");

    /** The family of this name in the field {@code families} of a file. */
    static Family read(String name, Object json, JsonReader top) {
        if (!JsonReader.isName(name)) {
            throw top.failureAt("families", "expected names of letters, digits and '_', found '" + name + "'");
        }
        String field = "families." + name;
        Set<String> names = new LinkedHashSet<>();
        if (json instanceof List<?>) {
            collect(json, names);
            return new Family(name, top.file(), json, Map.of(), names);
        }
        if (!(json instanceof Map<?, ?> object)) {
            throw top.failureAt(field, "expected an object or a list, found " + JsonValues.described(json));
        }
        Map<Object, Object> body = new LinkedHashMap<>(object);
        Object defaults = body.remove(DEFAULTS);
        collect(body, names);
        return new Family(name, top.file(), body, defaults(defaults, names, field + "." + DEFAULTS, top), names);
    }

    private static Map<String, Object> defaults(
            @Nullable Object json, Set<String> names, String field, JsonReader top) {
        Map<String, Object> defaults = new LinkedHashMap<>();
        if (json instanceof Map<?, ?> given) {
            given.forEach((name, value) -> defaults.put(String.valueOf(name), value));
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
            if (text.indexOf('$') >= 0) {
                PLACE.matcher(text).results().forEach(place -> names.add(name(place)));
            }
        } else if (json instanceof List<?> list) {
            list.forEach(element -> collect(element, names));
        } else if (json instanceof Map<?, ?> object) {
            object.values().forEach(value -> collect(value, names));
        }
    }

    private static String name(MatchResult place) {
        return place.group(1) != null ? place.group(1) : place.group(2);
    }

    /**
     * A string of the body with values for its names.
     *
     * @param values the value of a name, which takes the place of a string that is nothing else
     * @param texts the text of a value within a string
     */
    static Object filled(String text, Function<String, Object> values, Function<String, String> texts) {
        Matcher place = PLACE.matcher(text);
        if (place.matches()) {
            return values.apply(name(place));
        }
        return place.reset().replaceAll(found -> Matcher.quoteReplacement(texts.apply(name(found))));
    }
}
