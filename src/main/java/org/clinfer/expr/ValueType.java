package org.clinfer.expr;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is known of the kind of an expression's value before it is evaluated: the kinds that are possible, and those of the
 * elements where it is a list.
 *
 * @param kinds the possible kinds; none for the elements of a list that is empty
 * @param element the type of the elements of a list; empty where nothing is known of them
 * @param fields the fields of a group with the types of their values; empty where nothing is known of them
 */
public record ValueType(Set<Kind> kinds, Optional<ValueType> element, Map<String, ValueType> fields) {

    /** A kind of value. */
    public enum Kind {
        INT,
        REAL,
        BOOL,
        STRING,
        LIST,
        TENSOR,
        FIELDS,
        NULL
    }

    /** Lists inside each other whose elements are followed. */
    private static final int DEEPEST = 3;

    public static final ValueType INT = of(Kind.INT);
    public static final ValueType REAL = of(Kind.REAL);
    public static final ValueType NUMBER = of(Kind.INT, Kind.REAL);
    public static final ValueType BOOL = of(Kind.BOOL);
    public static final ValueType STRING = of(Kind.STRING);
    public static final ValueType TENSOR = of(Kind.TENSOR);
    /** Values by their names, of which nothing is known. */
    public static final ValueType FIELDS = of(Kind.FIELDS);

    public static final ValueType NULL = of(Kind.NULL);
    public static final ValueType ANY = of(Kind.values());
    /** A list of anything. */
    public static final ValueType LIST = of(Kind.LIST);

    static final ValueType NOTHING = of();

    public ValueType {
        kinds = Set.copyOf(kinds);
        fields = Map.copyOf(fields);
    }

    private ValueType(Set<Kind> kinds, Optional<ValueType> element) {
        this(kinds, element, Map.of());
    }

    private static ValueType of(Kind... kinds) {
        return new ValueType(Set.of(kinds), Optional.empty());
    }

    /** A group of these fields, and no others. */
    public static ValueType fields(Map<String, ValueType> fields) {
        return new ValueType(Set.of(Kind.FIELDS), Optional.empty(), fields);
    }

    /** A list of elements of a type. */
    public static ValueType listOf(ValueType element) {
        return new ValueType(Set.of(Kind.LIST), element.depth() < DEEPEST ? Optional.of(element) : Optional.empty());
    }

    private int depth() {
        return element.map(inner -> inner.depth() + 1).orElse(0);
    }

    /** A value of this type or of another. */
    public ValueType or(ValueType other) {
        Set<Kind> both = EnumSet.noneOf(Kind.class);
        both.addAll(kinds);
        both.addAll(other.kinds);
        if (!other.has(Kind.LIST)) {
            return new ValueType(both, element);
        }
        if (!has(Kind.LIST)) {
            return new ValueType(both, other.element);
        }
        Optional<ValueType> elements = element.flatMap(mine -> other.element.map(mine::or));
        return new ValueType(both, elements);
    }

    /** The type of several values, whichever is taken. */
    static ValueType either(Collection<ValueType> types) {
        return types.stream().reduce(NOTHING, ValueType::or);
    }

    boolean has(Kind kind) {
        return kinds.contains(kind);
    }

    public boolean mayBeNull() {
        return has(Kind.NULL);
    }

    boolean isAny() {
        return kinds.size() == Kind.values().length;
    }

    /** The type of an element of the list. */
    ValueType elementOrAny() {
        return element.orElse(ANY);
    }

    /** The part of it that is of one of these kinds. */
    ValueType only(ValueType wanted) {
        Set<Kind> left = EnumSet.noneOf(Kind.class);
        left.addAll(kinds);
        left.retainAll(wanted.kinds);
        return new ValueType(left, left.contains(Kind.LIST) ? element : Optional.empty());
    }

    /** Whether a value of this type may be one of the other: where it is not, each value is wrong. */
    boolean mayBe(ValueType wanted) {
        if (kinds.isEmpty() || wanted.kinds.isEmpty()) {
            return true;
        }
        ValueType common = only(wanted);
        if (common.kinds.equals(Set.of(Kind.LIST))) {
            return elementOrAny().mayBe(wanted.elementOrAny());
        }
        return !common.kinds.isEmpty();
    }

    /** As messages show it: {@code a list of ints}, {@code a number}, {@code a bool or a string}. */
    String shown() {
        if (isAny()) {
            return "a value";
        }
        List<String> names = new ArrayList<>();
        if (has(Kind.INT) || has(Kind.REAL)) {
            names.add(has(Kind.INT) ? (has(Kind.REAL) ? "a number" : "an int") : "a real");
        }
        if (has(Kind.BOOL)) {
            names.add("a bool");
        }
        if (has(Kind.STRING)) {
            names.add("a string");
        }
        if (has(Kind.LIST)) {
            names.add(element.flatMap(ValueType::plural)
                    .map(of -> "a list of " + of)
                    .orElse("a list"));
        }
        if (has(Kind.TENSOR)) {
            names.add("a tensor");
        }
        if (has(Kind.FIELDS)) {
            names.add("a group of fields");
        }
        if (has(Kind.NULL) && names.isEmpty()) {
            names.add("null");
        }
        return String.join(" or ", names);
    }

    private Optional<String> plural() {
        if (equals(INT)) {
            return Optional.of("ints");
        }
        if (equals(NUMBER) || equals(REAL)) {
            return Optional.of("numbers");
        }
        if (kinds.size() == 1 && !has(Kind.NULL) && !has(Kind.FIELDS)) {
            String one = shown();
            return Optional.of(has(Kind.LIST) ? "lists" : one.substring(2) + "s");
        }
        return Optional.empty();
    }
}
