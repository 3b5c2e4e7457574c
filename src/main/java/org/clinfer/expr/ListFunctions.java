package org.clinfer.expr;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Functions of lists. */
final class ListFunctions {

    private ListFunctions() {}

    static Value length(Value value) {
        if (value instanceof Value.Text text) {
            return Value.of(text.value().length());
        }
        return Value.of(Arguments.list("len", value).size());
    }

    static Value sum(Value list) {
        Value sum = Value.of(0);
        for (Value element : Arguments.list("sum", list)) {
            sum = Operators.add(sum, element);
        }
        return sum;
    }

    static Value product(Value list) {
        Value product = Value.of(1);
        for (Value element : Arguments.list("product", list)) {
            product = Operators.multiply(product, element);
        }
        return product;
    }

    /** {@code range(n)} = 0 … n-1, {@code range(a, b)} = a … b-1; empty where there is none. */
    static Value range(List<Value> arguments, Evaluation run) {
        long first = arguments.size() == 1 ? 0 : Arguments.integer("range", arguments.get(0));
        long end = Arguments.integer("range", arguments.get(arguments.size() - 1));
        long size = end <= first ? 0 : end - first;
        List<Value> values = new ArrayList<>(run.reserve(size < 0 ? Long.MAX_VALUE : size));
        for (long value = first; value < end; value++) {
            values.add(Value.of(value));
        }
        return Value.list(values);
    }

    static Value contains(List<Value> arguments) {
        if (arguments.get(0) instanceof Value.Unknown) {
            return Constants.UNKNOWN;
        }
        boolean unknown = false;
        for (Value element : Arguments.list("contains", arguments.get(0))) {
            Value same = Operators.equal(element, arguments.get(1));
            if (same.equals(Constants.TRUE)) {
                return same;
            }
            unknown |= same instanceof Value.Unknown;
        }
        return unknown ? Constants.UNKNOWN : Constants.FALSE;
    }

    /** Index of the first equal element, or -1. */
    static Value indexOf(List<Value> arguments) {
        if (arguments.get(0) instanceof Value.Unknown) {
            return Constants.UNKNOWN;
        }
        List<Value> elements = Arguments.list("index_of", arguments.get(0));
        for (int i = 0; i < elements.size(); i++) {
            Value same = Operators.equal(elements.get(i), arguments.get(1));
            if (same instanceof Value.Unknown) {
                return same;
            }
            if (same.equals(Constants.TRUE)) {
                return Value.of(i);
            }
        }
        return Value.of(-1);
    }

    static Value slice(List<Value> arguments, Evaluation run) {
        List<Value> elements = Arguments.list("slice", arguments.get(0));
        long from = Arguments.integer("slice", arguments.get(1));
        long to = Arguments.integer("slice", arguments.get(2));
        if (from < 0 || to < from || to > elements.size()) {
            throw new Failure(
                    "slice from " + from + " to " + to + " is outside a list of " + elements.size() + " elements");
        }
        run.reserve(to - from);
        return Value.list(elements.subList((int) from, (int) to));
    }

    static Value reverse(List<Value> arguments, Evaluation run) {
        List<Value> elements = new ArrayList<>(Arguments.list("reverse", arguments.get(0)));
        run.reserve(elements.size());
        Collections.reverse(elements);
        return Value.list(elements);
    }

    /** Numbers or strings in ascending order; unknown if one of them is. */
    static Value sort(List<Value> arguments, Evaluation run) {
        List<Value> elements = new ArrayList<>(Arguments.list("sort", arguments.get(0)));
        run.reserve(elements.size());
        if (elements.stream().anyMatch(Value.Unknown.class::isInstance)) {
            return Constants.UNKNOWN;
        }
        boolean texts = elements.stream().allMatch(Value.Text.class::isInstance);
        for (Value element : elements) {
            if (!texts && !Operators.isNumber(element)) {
                throw Arguments.wrong("sort", "a list of numbers or of strings", arguments.get(0));
            }
        }
        elements.sort(Operators::compare);
        return Value.list(elements);
    }

    static Value fill(List<Value> arguments, Evaluation run) {
        if (arguments.get(0) instanceof Value.Unknown) {
            return Constants.UNKNOWN;
        }
        long size = Arguments.integer("fill", arguments.get(0));
        if (size < 0) {
            throw new Failure("fill() of " + size + " elements");
        }
        return Value.list(Collections.nCopies(run.reserve(size), arguments.get(1)));
    }

    static Value set(List<Value> arguments, Evaluation run) {
        if (arguments.get(0) instanceof Value.Unknown || arguments.get(1) instanceof Value.Unknown) {
            return Constants.UNKNOWN;
        }
        List<Value> elements = new ArrayList<>(Arguments.list("set", arguments.get(0)));
        run.reserve(elements.size());
        long index = Arguments.integer("set", arguments.get(1));
        if (index < 0 || index >= elements.size()) {
            throw new Failure("index " + index + " is outside a list of " + elements.size() + " elements");
        }
        elements.set((int) index, arguments.get(2));
        return Value.list(elements);
    }

    static Value padLeft(List<Value> arguments, Evaluation run) {
        if (arguments.get(0) instanceof Value.Unknown || arguments.get(1) instanceof Value.Unknown) {
            return Constants.UNKNOWN;
        }
        List<Value> elements = Arguments.list("pad_left", arguments.get(0));
        long length = Arguments.integer("pad_left", arguments.get(1));
        if (length < elements.size()) {
            throw new Failure("pad_left() to " + length + " elements, but the list has " + elements.size());
        }
        int size = run.reserve(length);
        List<Value> padded = new ArrayList<>(size);
        padded.addAll(Collections.nCopies(size - elements.size(), arguments.get(2)));
        padded.addAll(elements);
        return Value.list(padded);
    }
}
