package org.clinfer.expr;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** The types that functions take and give. */
final class FunctionTypes {

    private static final ValueType INTS = ValueType.listOf(ValueType.INT);
    private static final ValueType NUMBERS = ValueType.listOf(ValueType.NUMBER);
    private static final ValueType ELEMENT = ValueType.NUMBER.or(ValueType.BOOL);
    private static final Map<String, Signature> TABLE = table();

    private FunctionTypes() {}

    /**
     * The types of a function of values.
     *
     * @param arguments of each argument; the last is that of all that follow
     * @param result from the types of the arguments
     */
    record Signature(List<ValueType> arguments, Function<List<ValueType>, ValueType> result) {

        ValueType argument(int index) {
            return arguments.get(Math.min(index, arguments.size() - 1));
        }
    }

    /** The names of the functions that take no lambda. */
    static Set<String> names() {
        return TABLE.keySet();
    }

    static Signature of(String name) {
        return Objects.requireNonNull(TABLE.get(name));
    }

    private static Map<String, Signature> table() {
        Map<String, Signature> table = new HashMap<>();
        numbers(table);
        lists(table);
        shapes(table);
        add(table, "has", ValueType.BOOL, ValueType.ANY);
        add(table, "is_known", ValueType.BOOL, ValueType.ANY);
        add(table, "error", ValueType.ANY, ValueType.STRING);
        add(table, "element", ELEMENT, ValueType.TENSOR, INTS);
        add(table, "cast", ELEMENT, ELEMENT, ValueType.STRING);
        add(table, "has_extension", ValueType.BOOL, ValueType.STRING);
        return Map.copyOf(table);
    }

    private static void numbers(Map<String, Signature> table) {
        for (String divides : List.of("floor_div", "ceil_div", "mod")) {
            add(table, divides, ValueType.INT, ValueType.INT);
        }
        for (String extreme : List.of("min", "max")) {
            table.put(extreme, new Signature(List.of(ValueType.NUMBER.or(NUMBERS)), FunctionTypes::extreme));
        }
        table.put(
                "abs",
                new Signature(List.of(ValueType.NUMBER), types -> types.get(0).only(ValueType.NUMBER)));
        for (String rounds : List.of("floor", "ceil", "round")) {
            add(table, rounds, ValueType.INT, ValueType.NUMBER);
        }
        add(table, "int", ValueType.INT, ELEMENT);
        for (String real : List.of("real", "exp", "log", "sin", "cos", "tanh", "pow", "sqrt")) {
            add(table, real, ValueType.REAL, ValueType.NUMBER);
        }
    }

    /** One of the arguments, or of the elements of the one list. */
    private static ValueType extreme(List<ValueType> types) {
        ValueType each = ValueType.either(types);
        ValueType elements = each.has(ValueType.Kind.LIST) ? each.elementOrAny() : ValueType.NOTHING;
        return each.or(elements).only(ValueType.NUMBER);
    }

    private static void lists(Map<String, Signature> table) {
        add(table, "len", ValueType.INT, ValueType.LIST.or(ValueType.STRING));
        for (String total : List.of("sum", "product")) {
            table.put(total, new Signature(List.of(NUMBERS), FunctionTypes::total));
        }
        add(table, "range", INTS, ValueType.INT);
        add(table, "contains", ValueType.BOOL, ValueType.LIST, ValueType.ANY);
        add(table, "index_of", ValueType.INT, ValueType.LIST, ValueType.ANY);
        same(table, "slice", ValueType.LIST, ValueType.INT);
        same(table, "reverse", ValueType.LIST);
        same(table, "sort", ValueType.listOf(ValueType.NUMBER.or(ValueType.STRING)));
        table.put(
                "fill", new Signature(List.of(ValueType.INT, ValueType.ANY), types -> ValueType.listOf(types.get(1))));
        for (String changed : List.of("set", "pad_left")) {
            table.put(
                    changed,
                    new Signature(
                            List.of(ValueType.LIST, ValueType.INT, ValueType.ANY),
                            types -> types.get(0).only(ValueType.LIST).or(ValueType.listOf(types.get(2)))));
        }
    }

    /** That of an element, or the int that nothing adds up to. */
    private static ValueType total(List<ValueType> types) {
        return types.get(0).elementOrAny().or(ValueType.INT).only(ValueType.NUMBER);
    }

    private static void shapes(Map<String, Signature> table) {
        add(table, "broadcast", INTS, INTS);
        add(table, "broadcast_all", INTS, ValueType.listOf(INTS));
        add(table, "strides_of", INTS, INTS);
        add(table, "broadcast_strides", INTS, INTS);
        add(table, "normalize_axis", ValueType.INT, ValueType.INT);
        add(table, "normalize_axes", INTS, INTS, ValueType.INT);
    }

    private static void add(Map<String, Signature> table, String name, ValueType result, ValueType... arguments) {
        table.put(name, new Signature(List.of(arguments), types -> result));
    }

    /** A function that gives the list that it takes, or some of it. */
    private static void same(Map<String, Signature> table, String name, ValueType... arguments) {
        table.put(name, new Signature(List.of(arguments), types -> types.get(0).only(ValueType.LIST)));
    }
}
