package org.clinfer.describe;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Puts families where {@code like} names them: an object that is like another has the fields of both, and an element that
 * is like a list stands for the elements of that.
 */
final class FamilyExpander {

    private static final String LIKE = "like";

    /** Values, and characters of strings that are put together. */
    private static final int LARGEST = 1 << 20;
    /** Families inside each other. */
    private static final int DEEPEST = 16;

    private final JsonReader top;
    private final Families families;
    private final Deque<Object> path = new ArrayDeque<>();
    private final Deque<Use> uses = new ArrayDeque<>();
    private int size;

    /** An element of a list that is an object, and the family that it is of. */
    record Member(String family, Map<?, ?> fields) {}

    /** A family and the values of its names. */
    private record Use(Family family, Map<String, Object> values) {

        Object value(String name) {
            return Objects.requireNonNull(values.get(name));
        }
    }

    /** Expands fields of a file. */
    FamilyExpander(JsonReader top, Families families) {
        this.top = top;
        this.families = families;
    }

    /** The value at a place, with families instead of their names. */
    Object valueAt(Object place, Object json) {
        path.addLast(place);
        Object value = value(json);
        path.removeLast();
        return value;
    }

    /** An object in a list of the file, with families instead of their names. */
    Object element(String list, int index, Map<?, ?> object) {
        path.addLast(list);
        path.addLast(index);
        List<Object> elements = new ArrayList<>();
        add(elements, object);
        if (elements.size() != 1) {
            throw failure("expected a family that is an object");
        }
        return elements.get(0);
    }

    private Object value(Object json) {
        count(1);
        if (json instanceof String text) {
            return uses.isEmpty() || text.indexOf('$') < 0 ? text : filled(text, uses.getLast());
        } else if (json instanceof List<?> list) {
            List<Object> elements = new ArrayList<>();
            for (int i = 0; i < list.size(); i++) {
                path.addLast(i);
                add(elements, list.get(i));
                path.removeLast();
            }
            return elements;
        } else if (json instanceof Map<?, ?> object) {
            return object.containsKey(LIKE) ? objectLike(object, family(object.get(LIKE))) : fields(object);
        }
        return json;
    }

    /** Adds to a list what one of its elements stands for. */
    private void add(List<Object> elements, Object element) {
        if (element instanceof Map<?, ?> object && object.containsKey(LIKE)) {
            Family family = family(object.get(LIKE));
            Object alike = likeFamily(object, family);
            for (Object each : alike instanceof List<?> several ? several : List.of(alike)) {
                elements.add(each instanceof Map<?, ?> fields ? new Member(family.name(), fields) : each);
            }
        } else {
            elements.add(value(element));
        }
    }

    private Object objectLike(Map<?, ?> object, Family family) {
        if (family.body() instanceof List<?>) {
            throw failure("the family '" + family.name() + "' is a list, and stands for elements of lists alone");
        }
        return likeFamily(object, family);
    }

    private Map<?, ?> fields(Map<?, ?> object) {
        Map<Object, Object> fields = new LinkedHashMap<>();
        for (Map.Entry<?, ?> field : object.entrySet()) {
            fields.put(field.getKey(), valueAt(field.getKey(), field.getValue()));
        }
        return fields;
    }

    private Family family(@Nullable Object name) {
        Family family = name instanceof String text ? families.find(text) : null;
        if (family == null) {
            throw failure("there is no family '" + name + "'");
        }
        for (Use use : uses) {
            if (use.family().name().equals(family.name())) {
                throw failure("the family '" + name + "' is like itself");
            }
        }
        if (uses.size() == DEEPEST) {
            throw failure("more than " + DEEPEST + " families are like each other");
        }
        return family;
    }

    private Object likeFamily(Map<?, ?> object, Family family) {
        Map<String, Object> values = new LinkedHashMap<>(family.defaults());
        Map<String, Object> more = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : object.entrySet()) {
            String field = String.valueOf(entry.getKey());
            if (!field.equals(LIKE)) {
                (family.names().contains(field) ? values : more).put(field, valueAt(field, entry.getValue()));
            }
        }
        for (String name : family.names()) {
            if (!values.containsKey(name)) {
                throw failure("the family '" + family.name() + "' needs '" + name + "'");
            }
        }
        uses.addLast(new Use(family, values));
        Object alike = value(family.body());
        uses.removeLast();
        return more.isEmpty() ? alike : joined(alike, more, family);
    }

    /** The family, and the further fields of the object that is like it; lists in both are joined. */
    private Map<?, ?> joined(Object alike, Map<String, Object> more, Family family) {
        if (!(alike instanceof Map<?, ?> first)) {
            throw failure("the family '" + family.name() + "' is a list, and takes no '"
                    + String.join("', '", more.keySet()) + "'");
        }
        Map<Object, Object> fields = new LinkedHashMap<>(first);
        for (Map.Entry<String, Object> added : more.entrySet()) {
            Object before = fields.put(added.getKey(), added.getValue());
            if (before instanceof List<?> head && added.getValue() instanceof List<?> tail) {
                List<Object> both = new ArrayList<>(head);
                both.addAll(tail);
                fields.put(added.getKey(), both);
            } else if (before != null) {
                throw failure("the family '" + family.name() + "' has a '" + added.getKey() + "' already");
            }
        }
        return fields;
    }

    /** A string with values for names; the value itself where the string is nothing else. */
    private Object filled(String text, Use use) {
        StringBuilder filled = new StringBuilder();
        int from = 0;
        for (Family.Place place = Family.Place.in(text, 0); place != null; place = Family.Place.in(text, from)) {
            if (place.start() == 0 && place.end() == text.length()) {
                Object value = use.value(place.name());
                weigh(value);
                return value;
            }
            filled.append(text, from, place.start()).append(written(place.name(), use.value(place.name())));
            from = place.end();
        }
        filled.append(text, from, text.length());
        count(filled.length());
        return filled.toString();
    }

    private String written(String name, Object value) {
        if (value instanceof String || value instanceof Number || value instanceof Boolean) {
            return value.toString();
        }
        throw failure("$" + name + " stands within a string, and its value is " + JsonValues.described(value));
    }

    private void weigh(Object value) {
        count(value instanceof String text ? text.length() : 1);
        if (value instanceof List<?> list) {
            list.forEach(this::weigh);
        } else if (value instanceof Map<?, ?> object) {
            object.values().forEach(this::weigh);
        } else if (value instanceof Member member) {
            weigh(member.fields());
        }
    }

    private void count(int more) {
        size += more;
        if (size > LARGEST) {
            throw failure("families make more than " + LARGEST + " values and characters of this file");
        }
    }

    private DescriptionException failure(String reason) {
        StringBuilder at = new StringBuilder();
        for (Object place : path) {
            if (place instanceof Integer) {
                at.append('[').append(place).append(']');
            } else {
                at.append(at.isEmpty() ? "" : ".").append(place);
            }
        }
        String within = uses.isEmpty()
                ? ""
                : " (in the family '" + uses.getLast().family().name() + "')";
        return top.failureAt(at.toString(), reason + within);
    }
}
