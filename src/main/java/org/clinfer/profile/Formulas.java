package org.clinfer.profile;

import java.util.Map;
import java.util.OptionalDouble;
import org.clinfer.expr.Expr;
import org.clinfer.expr.ExprException;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.jspecify.annotations.Nullable;

/** The values of formulas that share names; a name is computed where a formula needs it. */
final class Formulas {

    private final SharedNames lets;
    private final Scope scope;

    /** @param lets names and what they stand for, in order; each sees those before it */
    Formulas(Map<String, Expr> lets, Scope scope) {
        this.lets = new SharedNames(lets);
        this.scope = scope;
    }

    /** A number that is finite and not negative; empty where it is something else, or something in it is not known. */
    OptionalDouble number(Expr formula) {
        try {
            Scope known = scope;
            for (Map.Entry<String, Expr> let : lets.needed(formula.names()).entrySet()) {
                known = known.with(let.getKey(), let.getValue().evaluate(known));
            }
            double number = real(formula.evaluate(known));
            return number >= 0 && number < Double.POSITIVE_INFINITY
                    ? OptionalDouble.of(number)
                    : OptionalDouble.empty();
        } catch (ExprException unknown) {
            return OptionalDouble.empty();
        }
    }

    /** The number of a formula, or another one where there is no formula. */
    OptionalDouble number(@Nullable Expr formula, double otherwise) {
        return formula == null ? OptionalDouble.of(otherwise) : number(formula);
    }

    private static double real(ExpressionValue value) {
        if (value instanceof ExpressionValue.Int whole) {
            return whole.value();
        }
        return value instanceof ExpressionValue.Real real ? real.value() : -1;
    }
}
