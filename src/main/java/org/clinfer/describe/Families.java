package org.clinfer.describe;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The families that a file may name: its own, and those of the files that it uses. Each is read when it is asked for. */
final class Families {

    static final String FIELD = "families";
    private static final String USES = "uses";

    private final JsonReader top;
    private final SharedFamilies shared;
    private final Map<String, Object> own;
    private final List<String> uses;
    private final Map<String, Family> read = new HashMap<>();

    /** The field {@code families} of a file. */
    record Source(JsonReader top, Map<String, Object> families) {

        static Source of(Object root, JsonReader.Origin origin) {
            JsonReader top = new JsonReader(root, origin, "");
            return new Source(top, top.object(FIELD));
        }
    }

    /**
     * The fields {@code families} and {@code uses} of a file.
     *
     * @param shared the families of the files beside it
     */
    Families(JsonReader top, SharedFamilies shared) {
        this.top = top;
        this.shared = shared;
        this.own = top.object(FIELD);
        this.uses = top.texts(USES);
    }

    /** Takes the fields of families as read. */
    static void skip(JsonReader top) {
        top.find(FIELD);
        top.find(USES);
    }

    boolean isEmpty() {
        return own.isEmpty() && uses.isEmpty();
    }

    @Nullable
    Family find(String name) {
        Family known = read.get(name);
        if (known != null) {
            return known;
        }
        if (own.containsKey(name)) {
            return read(name, own, top);
        }
        for (String file : uses) {
            Source source = shared.of(file, top);
            if (source.families().containsKey(name)) {
                return read(name, source.families(), source.top());
            }
        }
        return null;
    }

    private Family read(String name, Map<String, Object> source, JsonReader sourceTop) {
        Family family = Family.read(name, source.getOrDefault(name, Map.of()), sourceTop);
        read.put(name, family);
        return family;
    }

    /** Fails where a family or a file that is used is not sound, or two families have one name. */
    void verify() {
        own.forEach((name, json) -> Family.read(name, json, top));
        Set<String> names = new HashSet<>(own.keySet());
        Pattern fileName = Pattern.compile("[A-Za-z0-9_-]+\\.json");
        for (String file : uses) {
            if (!fileName.matcher(file).matches()) {
                throw top.failureAt(USES, "expected a file of this folder such as shared.json, found '" + file + "'");
            }
            for (String name : shared.of(file, top).families().keySet()) {
                if (!names.add(name)) {
                    throw top.failureAt(USES, "the family '" + name + "' of " + file + " is there already");
                }
            }
        }
    }

    /** Fails where a family of the file, or all of a file that it uses, was asked for by nobody. */
    void requireUse() {
        for (String name : own.keySet()) {
            if (!read.containsKey(name)) {
                throw top.failureAt(FIELD + "." + name, "no 'like' names this family");
            }
        }
        for (String file : uses) {
            Set<String> used =
                    new LinkedHashSet<>(shared.of(file, top).families().keySet());
            used.retainAll(read.keySet());
            if (used.isEmpty()) {
                throw top.failureAt(USES, "no 'like' names a family of " + file);
            }
        }
    }
}
