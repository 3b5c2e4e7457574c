package org.clinfer.expr;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/** A value of the expression language; its {@code toString} is how messages show it. */
public sealed interface ExpressionValue {

    /** A 64-bit integer. */
    record Int(long value) implements ExpressionValue {
        // plans compare numbers and texts often, and the methods that records get take long to link and to interpret
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Int integer && integer.value == value;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(value);
        }

        @Override
        public String toString() {
            return Long.toString(value);
        }
    }

    /** A floating-point number. */
    record Real(double value) implements ExpressionValue {
        @Override
        public String toString() {
            return Double.toString(value);
        }
    }

    /** True or false. */
    record Bool(boolean value) implements ExpressionValue {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Bool bool && bool.value == value;
        }

        @Override
        public int hashCode() {
            return Boolean.hashCode(value);
        }

        @Override
        public String toString() {
            return Boolean.toString(value);
        }
    }

    /** A string. */
    record Text(String value) implements ExpressionValue {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Text text && text.value.equals(value);
        }

        @Override
        public int hashCode() {
            return value.hashCode();
        }

        @Override
        public String toString() {
            boolean whole = value.length() <= Limits.SHOWN_TEXT;
            return "'" + (whole ? value : value.substring(0, Limits.SHOWN_TEXT) + "…") + "'";
        }
    }

    /** A list; single elements may be unknown. */
    final class ListOf implements ExpressionValue {
        private final List<ExpressionValue> elements;
        private final int height;
        private final long weight;

        private ListOf(List<? extends ExpressionValue> elements) {
            this.elements = List.copyOf(elements);
            int highest = 0;
            long sum = 1;
            for (ExpressionValue element : this.elements) {
                highest = element instanceof ListOf list ? Math.max(highest, list.height) : highest;
                sum += element.weight();
            }
            if (highest >= Limits.LIST_HEIGHT || sum > Limits.ELEMENTS) {
                throw new Failure("a list is nested deeper than " + Limits.LIST_HEIGHT + " levels, or has more than "
                        + Limits.ELEMENTS + " elements in all");
            }
            height = highest + 1;
            weight = sum;
        }

        public List<ExpressionValue> elements() {
            return elements;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof ListOf list && elements.equals(list.elements);
        }

        @Override
        public int hashCode() {
            return elements.hashCode();
        }

        @Override
        public String toString() {
            return shown(Limits.SHOWN_HEIGHT);
        }

        private String shown(int levels) {
            if (levels == 0) {
                return "[… " + elements.size() + " elements]";
            }
            String shown = elements.stream()
                    .limit(Limits.SHOWN_ELEMENTS)
                    .map(element -> element instanceof ListOf list ? list.shown(levels - 1) : element.toString())
                    .collect(Collectors.joining(", ", "[", ""));
            return shown + (elements.size() > Limits.SHOWN_ELEMENTS ? ", … " + elements.size() + " elements]" : "]");
        }
    }

    /**
     * A tensor argument.
     *
     * @param name how the description calls it
     * @param data its elements where they are known now
     * @param sizes its elements where it is a scalar or vector of integers of which some are known; null where {@code data}
     *     says them, or none is known
     * @param given the input of the network of which its elements are some, unchanged, so that the host sees them before
     *     each run; null where they are known, or computed
     */
    record TensorArg(
            String name,
            TensorType type,
            @Nullable Tensor data,
            @Nullable List<ExpressionValue> sizes,
            @Nullable String given)
            implements ExpressionValue {

        /** A tensor all or none of whose elements are known. */
        public TensorArg(String name, TensorType type, @Nullable Tensor data) {
            this(name, type, data, null, null);
        }

        @Override
        public String toString() {
            return type.toString();
        }
    }

    /** Named fields, for example the limits of a device; a field that is not there is unknown. */
    record Fields(String name, Map<String, ExpressionValue> fields) implements ExpressionValue {
        public Fields {
            fields = Map.copyOf(fields);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** No value: an argument or parameter that is not given. */
    record Absent() implements ExpressionValue {
        @Override
        public String toString() {
            return "null";
        }
    }

    /** A value not known yet; equal names mean equal values, except for the name {@code ?}, which stands for "any". */
    record Unknown(String name) implements ExpressionValue {
        @Override
        public String toString() {
            return name;
        }
    }

    static ExpressionValue of(long value) {
        return new Int(value);
    }

    static ExpressionValue of(double value) {
        return new Real(value);
    }

    static ExpressionValue of(boolean value) {
        return value ? Constants.TRUE : Constants.FALSE;
    }

    static ExpressionValue of(String value) {
        return new Text(value);
    }

    static ExpressionValue list(List<? extends ExpressionValue> elements) {
        return new ListOf(elements);
    }

    static ExpressionValue list(ExpressionValue... elements) {
        return new ListOf(List.of(elements));
    }

    static ExpressionValue ints(long... values) {
        return new ListOf(Arrays.stream(values).mapToObj(ExpressionValue::of).toList());
    }

    static ExpressionValue reals(double... values) {
        return new ListOf(Arrays.stream(values).mapToObj(ExpressionValue::of).toList());
    }

    static ExpressionValue texts(List<String> values) {
        return new ListOf(values.stream().map(ExpressionValue::of).toList());
    }

    static ExpressionValue absent() {
        return Constants.ABSENT;
    }

    static ExpressionValue unknown() {
        return Constants.UNKNOWN;
    }

    /** An unknown with a name; an empty name is the anonymous one. */
    static ExpressionValue unknown(String name) {
        return name.isEmpty() || name.equals("?") ? Constants.UNKNOWN : new Unknown(name);
    }

    /** A tensor whose elements are not known. */
    static ExpressionValue tensor(String name, TensorType type) {
        return new TensorArg(name, type, null);
    }

    /** A tensor with its elements, or without where {@code data} is null. */
    static ExpressionValue tensor(String name, TensorType type, @Nullable Tensor data) {
        return new TensorArg(name, type, data);
    }

    /** The size of a dimension: an integer, or an unknown of its name. */
    static ExpressionValue of(Dim dim) {
        if (dim instanceof Dim.Known known) {
            return new Int(known.size());
        }
        return unknown(((Dim.Named) dim).name());
    }

    /** The dimensions of a shape as a list. */
    static ExpressionValue dims(Shape shape) {
        List<ExpressionValue> dims = new ArrayList<>(shape.rank());
        for (Dim dim : shape.dims()) {
            dims.add(of(dim));
        }
        return new ListOf(dims);
    }

    /** {@return whether the value and all its parts are known} */
    default boolean isKnown() {
        if (this instanceof ListOf list) {
            return list.elements().stream().allMatch(ExpressionValue::isKnown);
        }
        if (this instanceof TensorArg tensor) {
            return tensor.type().shape().isKnown();
        }
        return !(this instanceof Unknown);
    }

    /** The amount that there is to look at: 1, more for a long string, and for a list all that is in it. */
    default long weight() {
        if (this instanceof Text text) {
            return 1 + text.value().length() / 16L;
        }
        return this instanceof ListOf list ? list.weight : 1;
    }

    default boolean isAbsent() {
        return this instanceof Absent;
    }

    /** The value with its kind, for messages: {@code the text 'a'}, {@code the list [1, 2]}. */
    default String described() {
        return this instanceof Absent ? "nothing" : "the " + Operators.kind(this) + " " + this;
    }
}
