package org.clinfer.expr;

import java.util.ArrayList;
import java.util.List;

/** Functions that apply a lambda to the elements of a list. */
final class LambdaFunctions {

    private LambdaFunctions() {}

    static ExpressionValue map(List<ExpressionValue> elements, ExpressionNode.Lambda lambda, Evaluation run) {
        List<ExpressionValue> results = new ArrayList<>(run.reserve(elements.size()));
        for (ExpressionValue element : elements) {
            results.add(run.of(lambda, element));
        }
        return ExpressionValue.list(results);
    }

    /** The elements for which the lambda holds; unknown as soon as it cannot be decided for one. */
    static ExpressionValue filter(List<ExpressionValue> elements, ExpressionNode.Lambda lambda, Evaluation run) {
        List<ExpressionValue> results = new ArrayList<>();
        for (ExpressionValue element : elements) {
            ExpressionValue keep = Operators.condition(run.of(lambda, element));
            if (keep instanceof ExpressionValue.Unknown) {
                return keep;
            }
            if (keep.equals(Constants.TRUE)) {
                results.add(element);
            }
        }
        run.reserve(results.size());
        return ExpressionValue.list(results);
    }

    /** {@code decisive} is the answer for one element that decides for all; the opposite holds when none gives it. */
    static ExpressionValue decide(
            List<ExpressionValue> elements, ExpressionNode.Lambda lambda, Evaluation run, boolean decisive) {
        boolean unknown = false;
        for (ExpressionValue element : elements) {
            ExpressionValue answer = Operators.condition(run.of(lambda, element));
            if (answer.equals(ExpressionValue.of(decisive))) {
                return answer;
            }
            unknown |= answer instanceof ExpressionValue.Unknown;
        }
        return unknown ? Constants.UNKNOWN : ExpressionValue.of(!decisive);
    }
}
