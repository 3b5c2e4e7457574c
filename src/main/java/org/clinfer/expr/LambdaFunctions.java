package org.clinfer.expr;

import java.util.ArrayList;
import java.util.List;

/** Functions that apply a lambda to the elements of a list. */
final class LambdaFunctions {

    private LambdaFunctions() {}

    static Value map(List<Value> elements, Node.Lambda lambda, Evaluation run) {
        List<Value> results = new ArrayList<>(run.reserve(elements.size()));
        for (Value element : elements) {
            results.add(run.of(lambda, element));
        }
        return Value.list(results);
    }

    /** The elements for which the lambda holds; unknown as soon as it cannot be decided for one. */
    static Value filter(List<Value> elements, Node.Lambda lambda, Evaluation run) {
        List<Value> results = new ArrayList<>();
        for (Value element : elements) {
            Value keep = Operators.condition(run.of(lambda, element));
            if (keep instanceof Value.Unknown) {
                return keep;
            }
            if (keep.equals(Constants.TRUE)) {
                results.add(element);
            }
        }
        run.reserve(results.size());
        return Value.list(results);
    }

    /** {@code decisive} is the answer for one element that decides for all; the opposite holds when none gives it. */
    static Value decide(List<Value> elements, Node.Lambda lambda, Evaluation run, boolean decisive) {
        boolean unknown = false;
        for (Value element : elements) {
            Value answer = Operators.condition(run.of(lambda, element));
            if (answer.equals(Value.of(decisive))) {
                return answer;
            }
            unknown |= answer instanceof Value.Unknown;
        }
        return unknown ? Constants.UNKNOWN : Value.of(!decisive);
    }
}
