package org.clinfer.describe;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The families that a file may name: its own, and those of the files that it uses. */
final class Families {

    private static final Pattern FILE = Pattern.compile("[A-Za-z0-9_-]+\\.json");

    private final JsonReader top;
    private final Map<String, Family> byName = new LinkedHashMap<>();
    private final Set<String> named = new HashSet<>();

    private Families(JsonReader top) {
        this.top = top;
    }

    /**
     * The fields {@code families} and {@code uses} of a file.
     *
     * @param shared the families of the files beside it
     */
    static Families of(JsonReader top, SharedFamilies shared) {
        Families families = new Families(top);
        families.byName.putAll(own(top));
        for (String file : top.texts("uses")) {
            if (!FILE.matcher(file).matches()) {
                throw top.failureAt("uses", "expected a file of this folder such as shared.json, found '" + file + "'");
            }
            shared.of(file, top).forEach((name, family) -> {
                if (families.byName.put(name, family) != null) {
                    throw top.failureAt("uses", "the family '" + name + "' of " + file + " is there already");
                }
            });
        }
        return families;
    }

    /** The families that stand in a file. */
    static Map<String, Family> own(JsonReader top) {
        Map<String, Family> own = new LinkedHashMap<>();
        top.object("families").forEach((name, json) -> own.put(name, Family.read(name, json, top)));
        return own;
    }

    /** Takes the fields of families as read. */
    static void skip(JsonReader top) {
        top.find("families");
        top.find("uses");
    }

    /** The fields of the file, with families where they are named. */
    Map<?, ?> expanded(Object root) {
        Map<Object, Object> fields = new LinkedHashMap<>((Map<?, ?>) root);
        fields.computeIfPresent("ops", (field, ops) -> FamilyExpander.expanded(top, "ops", ops, this));
        return fields;
    }

    boolean isEmpty() {
        return byName.isEmpty();
    }

    @Nullable
    Family find(String name) {
        named.add(name);
        return byName.get(name);
    }

    /** Fails where a family of the file, or all of a file that it uses, is named nowhere. */
    void requireUse() {
        Set<String> unused = new HashSet<>();
        for (Family family : byName.values()) {
            if (family.file().equals(top.file()) && !named.contains(family.name())) {
                throw top.failureAt("families." + family.name(), "no 'like' names this family");
            }
            unused.add(family.file());
        }
        byName.values().stream()
                .filter(family -> named.contains(family.name()))
                .forEach(family -> unused.remove(family.file()));
        if (!unused.isEmpty()) {
            throw top.failureAt("uses", "no 'like' names a family of " + String.join(", ", unused));
        }
    }
}
