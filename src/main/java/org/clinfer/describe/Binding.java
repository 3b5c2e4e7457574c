package org.clinfer.describe;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.clinfer.expr.Scope;
import org.clinfer.expr.Value;
import org.clinfer.tensor.TensorType;

/** A node bound to the description of its operator; immutable. */
public final class Binding {

    private final String subject;
    private final List<TensorType> outputs;
    private final Map<String, Value> params;
    private final Map<String, Value> values;
    private final Scope scope;
    private final List<Violation> violations;
    private final List<String> unknown;
    private final List<String> undecided;

    Binding(String subject, List<TensorType> outputs, Map<String, Value> params, BindState state) {
        this.subject = subject;
        this.outputs = List.copyOf(outputs);
        this.params = Collections.unmodifiableMap(new LinkedHashMap<>(params));
        this.values = new LinkedHashMap<>(state.values());
        this.scope = Scope.of(values);
        this.violations = List.copyOf(state.violations());
        this.unknown = List.copyOf(state.unknown());
        this.undecided = List.copyOf(state.undecided());
    }

    /** The types of the outputs, with named dimensions where they are not known; empty where one has no type at all. */
    public List<TensorType> outputs() {
        return outputs;
    }

    /** The declared parameters in order, with defaults and values from inputs; absent where there is none. */
    public Map<String, Value> params() {
        return params;
    }

    /** Inputs, parameters, derived values and outputs by name, for the expressions of kernel variants. */
    public Scope scope() {
        return scope;
    }

    /** Equal for nodes with the same values in the {@link #scope}, but for the elements of tensors that are known. */
    public Object configuration() {
        List<Object> all = new ArrayList<>();
        values.forEach((name, value) -> {
            all.add(name);
            addConfiguration(value, all);
        });
        return all;
    }

    private static void addConfiguration(Value value, List<Object> all) {
        if (value instanceof Value.TensorArg tensor) {
            all.add(tensor.name());
            all.add(tensor.type());
            all.add(tensor.data() != null);
        } else if (value instanceof Value.ListOf list) {
            all.add(list.elements().size());
            list.elements().forEach(element -> addConfiguration(element, all));
        } else {
            all.add(value);
        }
    }

    /** The rules that the node breaks. */
    public List<Violation> violations() {
        return violations;
    }

    /** Why output types are not known, where they depend on elements that are not known before the run. */
    public List<String> unknown() {
        return unknown;
    }

    /** The checks that cannot be decided because dimensions or elements are not known. */
    public List<String> undecided() {
        return undecided;
    }

    /** Whether the node breaks no rule and the types of all its outputs are known. */
    public boolean isComplete() {
        return violations.isEmpty()
                && outputs.stream().allMatch(type -> type.shape().isKnown())
                && unknown.isEmpty();
    }

    /** Whether the operator has a value of this name, and it is not null. */
    public boolean has(String name) {
        return scope.find(name).filter(value -> !value.isAbsent()).isPresent();
    }

    /** The parameter or derived value of this name. */
    public Value value(String name) {
        return scope.find(name).orElseThrow(() -> new IllegalStateException(subject + " has no value '" + name + "'"));
    }

    /**
     * An int.
     *
     * @throws IllegalStateException if the value is not known or not an int
     */
    public long integer(String name) {
        return integer(name, value(name));
    }

    private long integer(String name, Value value) {
        if (value instanceof Value.Int integer) {
            return integer.value();
        }
        throw wrong(name, "an int", value);
    }

    /**
     * A number.
     *
     * @throws IllegalStateException if the value is not known or not a number
     */
    public double real(String name) {
        return real(name, value(name));
    }

    private double real(String name, Value value) {
        if (value instanceof Value.Real real) {
            return real.value();
        }
        return integer(name, value);
    }

    /**
     * A bool.
     *
     * @throws IllegalStateException if the value is not known or not a bool
     */
    public boolean flag(String name) {
        if (value(name) instanceof Value.Bool bool) {
            return bool.value();
        }
        throw wrong(name, "a bool", value(name));
    }

    /**
     * A string.
     *
     * @throws IllegalStateException if the value is not known or not a string
     */
    public String text(String name) {
        return text(name, value(name));
    }

    private String text(String name, Value value) {
        if (value instanceof Value.Text text) {
            return text.value();
        }
        throw wrong(name, "a string", value);
    }

    /**
     * A list of ints.
     *
     * @throws IllegalStateException if the value or an element is not known or not an int
     */
    public long[] integers(String name) {
        return elements(name).stream()
                .mapToLong(element -> integer(name, element))
                .toArray();
    }

    /**
     * A list of numbers.
     *
     * @throws IllegalStateException if the value or an element is not known or not a number
     */
    public double[] reals(String name) {
        return elements(name).stream()
                .mapToDouble(element -> real(name, element))
                .toArray();
    }

    /**
     * A list of strings.
     *
     * @throws IllegalStateException if the value or an element is not known or not a string
     */
    public List<String> texts(String name) {
        return elements(name).stream().map(element -> text(name, element)).toList();
    }

    private List<Value> elements(String name) {
        if (value(name) instanceof Value.ListOf list) {
            return list.elements();
        }
        throw wrong(name, "a list", value(name));
    }

    private IllegalStateException wrong(String name, String expected, Value found) {
        return new IllegalStateException(
                subject + ": " + name + ": expected " + expected + ", found " + found.described());
    }
}
