package org.clinfer.expr;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Functions of lists. */
final class ListFunctions {

    private ListFunctions() {}

    static ExpressionValue length(ExpressionValue value) {
        if (value instanceof ExpressionValue.Text text) {
            return ExpressionValue.of(text.value().length());
        }
        return ExpressionValue.of(Arguments.list("len", value).size());
    }

    static ExpressionValue sum(ExpressionValue list) {
        ExpressionValue sum = ExpressionValue.of(0);
        for (ExpressionValue element : Arguments.list("sum", list)) {
            sum = Operators.add(sum, element);
        }
        return sum;
    }

    static ExpressionValue product(ExpressionValue list) {
        ExpressionValue product = ExpressionValue.of(1);
        for (ExpressionValue element : Arguments.list("product", list)) {
            product = Operators.multiply(product, element);
        }
        return product;
    }

    /** {@code range(n)} = 0 … n-1, {@code range(a, b)} = a … b-1; empty where there is none. */
    static ExpressionValue range(List<ExpressionValue> arguments, Evaluation run) {
        long first = arguments.size() == 1 ? 0 : Arguments.integer("range", arguments.get(0));
        long end = Arguments.integer("range", arguments.get(arguments.size() - 1));
        long size = end <= first ? 0 : end - first;
        List<ExpressionValue> values = new ArrayList<>(run.reserve(size < 0 ? Long.MAX_VALUE : size));
        for (long value = first; value < end; value++) {
            values.add(ExpressionValue.of(value));
        }
        return ExpressionValue.list(values);
    }

    static ExpressionValue contains(List<ExpressionValue> arguments) {
        if (arguments.get(0) instanceof ExpressionValue.Unknown) {
            return Constants.UNKNOWN;
        }
        boolean unknown = false;
        for (ExpressionValue element : Arguments.list("contains", arguments.get(0))) {
            ExpressionValue same = Operators.equal(element, arguments.get(1));
            if (same.equals(Constants.TRUE)) {
                return same;
            }
            unknown |= same instanceof ExpressionValue.Unknown;
        }
        return unknown ? Constants.UNKNOWN : Constants.FALSE;
    }

    /** Index of the first equal element, or -1. */
    static ExpressionValue indexOf(List<ExpressionValue> arguments) {
        if (arguments.get(0) instanceof ExpressionValue.Unknown) {
            return Constants.UNKNOWN;
        }
        List<ExpressionValue> elements = Arguments.list("index_of", arguments.get(0));
        for (int i = 0; i < elements.size(); i++) {
            ExpressionValue same = Operators.equal(elements.get(i), arguments.get(1));
            if (same instanceof ExpressionValue.Unknown) {
                return same;
            }
            if (same.equals(Constants.TRUE)) {
                return ExpressionValue.of(i);
            }
        }
        return ExpressionValue.of(-1);
    }

    static ExpressionValue slice(List<ExpressionValue> arguments, Evaluation run) {
        List<ExpressionValue> elements = Arguments.list("slice", arguments.get(0));
        long from = Arguments.integer("slice", arguments.get(1));
        long to = Arguments.integer("slice", arguments.get(2));
        if (from < 0 || to < from || to > elements.size()) {
            throw new Failure(
                    "slice from " + from + " to " + to + " is outside a list of " + elements.size() + " elements");
        }
        run.reserve(to - from);
        return ExpressionValue.list(elements.subList((int) from, (int) to));
    }

    static ExpressionValue reverse(List<ExpressionValue> arguments, Evaluation run) {
        List<ExpressionValue> elements = new ArrayList<>(Arguments.list("reverse", arguments.get(0)));
        run.reserve(elements.size());
        Collections.reverse(elements);
        return ExpressionValue.list(elements);
    }

    /** Numbers or strings in ascending order; unknown if one of them is. */
    static ExpressionValue sort(List<ExpressionValue> arguments, Evaluation run) {
        List<ExpressionValue> elements = new ArrayList<>(Arguments.list("sort", arguments.get(0)));
        run.reserve(elements.size());
        if (elements.stream().anyMatch(ExpressionValue.Unknown.class::isInstance)) {
            return Constants.UNKNOWN;
        }
        boolean texts = elements.stream().allMatch(ExpressionValue.Text.class::isInstance);
        for (ExpressionValue element : elements) {
            if (!texts && !Operators.isNumber(element)) {
                throw Arguments.wrong("sort", "a list of numbers or of strings", arguments.get(0));
            }
        }
        elements.sort(Operators::compare);
        return ExpressionValue.list(elements);
    }

    static ExpressionValue fill(List<ExpressionValue> arguments, Evaluation run) {
        if (arguments.get(0) instanceof ExpressionValue.Unknown) {
            return Constants.UNKNOWN;
        }
        long size = Arguments.integer("fill", arguments.get(0));
        if (size < 0) {
            throw new Failure("fill() of " + size + " elements");
        }
        return ExpressionValue.list(Collections.nCopies(run.reserve(size), arguments.get(1)));
    }

    static ExpressionValue set(List<ExpressionValue> arguments, Evaluation run) {
        if (arguments.get(0) instanceof ExpressionValue.Unknown
                || arguments.get(1) instanceof ExpressionValue.Unknown) {
            return Constants.UNKNOWN;
        }
        List<ExpressionValue> elements = new ArrayList<>(Arguments.list("set", arguments.get(0)));
        run.reserve(elements.size());
        long index = Arguments.integer("set", arguments.get(1));
        if (index < 0 || index >= elements.size()) {
            throw new Failure("index " + index + " is outside a list of " + elements.size() + " elements");
        }
        elements.set((int) index, arguments.get(2));
        return ExpressionValue.list(elements);
    }

    static ExpressionValue padLeft(List<ExpressionValue> arguments, Evaluation run) {
        if (arguments.get(0) instanceof ExpressionValue.Unknown
                || arguments.get(1) instanceof ExpressionValue.Unknown) {
            return Constants.UNKNOWN;
        }
        List<ExpressionValue> elements = Arguments.list("pad_left", arguments.get(0));
        long length = Arguments.integer("pad_left", arguments.get(1));
        if (length < elements.size()) {
            throw new Failure("pad_left() to " + length + " elements, but the list has " + elements.size());
        }
        int size = run.reserve(length);
        List<ExpressionValue> padded = new ArrayList<>(size);
        padded.addAll(Collections.nCopies(size - elements.size(), arguments.get(2)));
        padded.addAll(elements);
        return ExpressionValue.list(padded);
    }
}
