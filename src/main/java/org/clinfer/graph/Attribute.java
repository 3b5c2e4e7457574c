package org.clinfer.graph;

import java.util.Arrays;
import java.util.List;

/** The value of one operator parameter. */
public sealed interface Attribute {

    record IntValue(long value) implements Attribute {
        @Override
        public String toString() {
            return Long.toString(value);
        }
    }

    record RealValue(double value) implements Attribute {
        @Override
        public String toString() {
            return Double.toString(value);
        }
    }

    record BoolValue(boolean value) implements Attribute {
        @Override
        public String toString() {
            return Boolean.toString(value);
        }
    }

    record TextValue(String value) implements Attribute {
        @Override
        public String toString() {
            return value;
        }
    }

    /** A list of numbers, booleans or texts; all elements are of one kind. */
    record ListValue(List<Attribute> values) implements Attribute {
        public ListValue {
            values = List.copyOf(values);
        }

        @Override
        public String toString() {
            return values.toString();
        }
    }

    static Attribute of(long value) {
        return new IntValue(value);
    }

    static Attribute of(double value) {
        return new RealValue(value);
    }

    static Attribute of(boolean value) {
        return new BoolValue(value);
    }

    static Attribute of(String value) {
        return new TextValue(value);
    }

    static Attribute ofInts(long... values) {
        return new ListValue(
                Arrays.stream(values).mapToObj(v -> (Attribute) new IntValue(v)).toList());
    }

    static Attribute ofReals(double... values) {
        return new ListValue(Arrays.stream(values)
                .mapToObj(v -> (Attribute) new RealValue(v))
                .toList());
    }

    static Attribute ofTexts(List<String> values) {
        return new ListValue(
                values.stream().map(v -> (Attribute) new TextValue(v)).toList());
    }
}
