package org.clinfer.graph;

import java.util.Arrays;
import java.util.List;

/** The value of one operator parameter. */
public sealed interface Attribute {

    /**
     * A whole number.
     *
     * @param value the number
     */
    record IntValue(long value) implements Attribute {
        @Override
        public String toString() {
            return Long.toString(value);
        }
    }

    /**
     * A floating number.
     *
     * @param value the number
     */
    record RealValue(double value) implements Attribute {
        @Override
        public String toString() {
            return Double.toString(value);
        }
    }

    /**
     * A yes or a no.
     *
     * @param value true for yes
     */
    record BoolValue(boolean value) implements Attribute {
        @Override
        public String toString() {
            return Boolean.toString(value);
        }
    }

    /**
     * A text.
     *
     * @param value the text
     */
    record TextValue(String value) implements Attribute {
        @Override
        public String toString() {
            return value;
        }
    }

    /**
     * A list of numbers, booleans or texts; all elements are of one kind.
     *
     * @param values the elements
     */
    record ListValue(List<Attribute> values) implements Attribute {
        public ListValue {
            values = List.copyOf(values);
        }

        @Override
        public String toString() {
            return values.toString();
        }
    }

    /**
     * {@return a whole number}
     *
     * @param value the number
     */
    static Attribute of(long value) {
        return new IntValue(value);
    }

    /**
     * {@return a floating number}
     *
     * @param value the number
     */
    static Attribute of(double value) {
        return new RealValue(value);
    }

    /**
     * {@return a yes or a no}
     *
     * @param value true for yes
     */
    static Attribute of(boolean value) {
        return new BoolValue(value);
    }

    /**
     * {@return a text}
     *
     * @param value the text
     */
    static Attribute of(String value) {
        return new TextValue(value);
    }

    /**
     * {@return a list of whole numbers}
     *
     * @param values the numbers
     */
    static Attribute ofInts(long... values) {
        return new ListValue(
                Arrays.stream(values).mapToObj(v -> (Attribute) new IntValue(v)).toList());
    }

    /**
     * {@return a list of floating numbers}
     *
     * @param values the numbers
     */
    static Attribute ofReals(double... values) {
        return new ListValue(Arrays.stream(values)
                .mapToObj(v -> (Attribute) new RealValue(v))
                .toList());
    }

    /**
     * {@return a list of texts}
     *
     * @param values the texts
     */
    static Attribute ofTexts(List<String> values) {
        return new ListValue(
                values.stream().map(v -> (Attribute) new TextValue(v)).toList());
    }
}
