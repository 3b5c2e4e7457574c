package org.clinfer.describe;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** A node bound to the description of its operator; immutable. */
public final class Binding {

    /** The scratch value by which a description gives the values of its int64 output from types alone. */
    static final String OUTPUT_VALUES = "y_values";

    private final OpDescription op;
    private final String subject;
    private final List<TensorType> outputs;
    private final Map<String, ExpressionValue> params;
    private final Map<String, ExpressionValue> values;
    private final Scope scope;
    private final List<Violation> violations;
    private final List<String> unknown;
    private final List<String> undecided;

    /** The node whose binding this repeats; itself if there is none. */
    private final Binding first;

    private @Nullable Configuration configuration;

    /** Compared often, so that its hash code is known. */
    private record Configuration(List<Object> values, int hash) {
        @Override
        public boolean equals(@Nullable Object other) {
            return this == other
                    || (other instanceof Configuration configuration
                            && configuration.hash == hash
                            && configuration.values.equals(values));
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    Binding(String nodeLabel, List<TensorType> outputs, Map<String, ExpressionValue> params, BindState state) {
        this.op = state.op();
        this.subject = subject(op, nodeLabel);
        this.outputs = List.copyOf(outputs);
        this.params = Collections.unmodifiableMap(new LinkedHashMap<>(params));
        this.values = new LinkedHashMap<>(state.values());
        this.scope = Scope.of(values);
        this.violations = List.copyOf(state.violations());
        this.unknown = List.copyOf(state.unknown());
        this.undecided = List.copyOf(state.undecided());
        this.first = this;
    }

    /** The binding of another node that is the same use of the operator. */
    private Binding(Binding first, String nodeLabel, Map<String, ExpressionValue> values) {
        this.op = first.op;
        this.subject = subject(op, nodeLabel);
        this.outputs = first.outputs;
        this.params = first.params;
        this.values = values;
        this.scope = Scope.of(values);
        this.violations = first.violations;
        this.unknown = first.unknown;
        this.undecided = first.undecided;
        this.first = first.first;
    }

    private static String subject(OpDescription op, String nodeLabel) {
        return op.optype() + " '" + nodeLabel + "'";
    }

    /** {@return whether other nodes of the same use differ in their inputs alone: no message has the node's name} */
    boolean isRepeatable() {
        return violations.isEmpty() && unknown.isEmpty() && undecided.isEmpty() && !hasTensorsBesideInputs();
    }

    private boolean hasTensorsBesideInputs() {
        Set<String> inputs = op.inputs().stream().map(InputDescription::name).collect(Collectors.toSet());
        return values.entrySet().stream()
                .anyMatch(entry -> !inputs.contains(entry.getKey()) && hasElements(entry.getValue()));
    }

    private static boolean hasElements(ExpressionValue value) {
        return value instanceof ExpressionValue.ListOf list
                ? list.elements().stream().anyMatch(Binding::hasElements)
                : value instanceof ExpressionValue.TensorArg tensor && tensor.data() != null;
    }

    /**
     * The same of a node that is the same use of the operator.
     *
     * @param inputs of the same types, and known where they are
     */
    Binding of(String nodeLabel, List<? extends @Nullable ArgValue> inputs) {
        Map<String, ExpressionValue> others = new LinkedHashMap<>(values);
        List<InputDescription> declared = op.inputs();
        for (int i = 0; i < declared.size(); i++) {
            InputDescription input = declared.get(i);
            ArgValue given = i < inputs.size() ? inputs.get(i) : null;
            if (given != null && !input.variadic()) {
                others.put(input.name(), InputBinder.single(input, given));
            } else if (given != null) {
                others.put(
                        input.name(),
                        ExpressionValue.list(InputBinder.variadic(input, inputs.subList(i, inputs.size()))));
            }
        }
        return new Binding(this, nodeLabel, others);
    }

    /** The types of the outputs, with named dimensions where they are not known; empty where one has no type at all. */
    public List<TensorType> outputs() {
        return outputs;
    }

    /** The int64 output where it follows from types alone, as that of {@code Shape}. */
    public Optional<Tensor> outputValues() {
        return scope.find(OUTPUT_VALUES)
                .filter(ExpressionValue::isKnown)
                .map(known -> Tensor.of(
                        integers(OUTPUT_VALUES), outputs.get(0).shape().sizes()));
    }

    /** The declared parameters in order, with defaults and values from inputs; absent where there is none. */
    public Map<String, ExpressionValue> params() {
        return params;
    }

    /** Inputs, parameters, derived values and outputs by name, for the expressions of kernel variants. */
    public Scope scope() {
        return scope;
    }

    /** Equal for nodes with the same values in the {@link #scope}, but for the elements of tensors that are known. */
    public Object configuration() {
        Configuration known = first.configuration;
        if (known == null) {
            List<Object> all = new ArrayList<>();
            values.forEach((name, value) -> {
                all.add(name);
                addConfiguration(value, all);
            });
            known = new Configuration(all, all.hashCode());
            first.configuration = known;
        }
        return known;
    }

    private static void addConfiguration(ExpressionValue value, List<Object> all) {
        if (value instanceof ExpressionValue.TensorArg tensor) {
            all.add(tensor.name());
            all.add(tensor.type());
            all.add(tensor.data() != null);
            all.add(tensor.given() != null);
        } else if (value instanceof ExpressionValue.ListOf list) {
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

    /** The reasons why output types are not known, where they depend on elements that are not known before the run. */
    public List<String> unknown() {
        return unknown;
    }

    /** The checks that cannot be decided because dimensions or elements are not known. */
    public List<String> undecided() {
        return undecided;
    }

    /** {@return whether the node breaks no rule and the types of all its outputs are known} */
    public boolean isComplete() {
        return violations.isEmpty()
                && outputs.stream().allMatch(type -> type.shape().isKnown())
                && unknown.isEmpty();
    }

    /** {@return whether the operator has a value of this name, and it is not null} */
    public boolean has(String name) {
        return scope.find(name).filter(value -> !value.isAbsent()).isPresent();
    }

    /** The parameter or derived value of this name. */
    public ExpressionValue value(String name) {
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

    private long integer(String name, ExpressionValue value) {
        if (value instanceof ExpressionValue.Int integer) {
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

    private double real(String name, ExpressionValue value) {
        if (value instanceof ExpressionValue.Real real) {
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
        if (value(name) instanceof ExpressionValue.Bool bool) {
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

    private String text(String name, ExpressionValue value) {
        if (value instanceof ExpressionValue.Text text) {
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

    private List<ExpressionValue> elements(String name) {
        if (value(name) instanceof ExpressionValue.ListOf list) {
            return list.elements();
        }
        throw wrong(name, "a list", value(name));
    }

    private IllegalStateException wrong(String name, String expected, ExpressionValue found) {
        return new IllegalStateException(
                subject + ": " + name + ": expected " + expected + ", found " + found.described());
    }
}
