package org.clinfer.expr;

import java.util.List;

/** Reads the arguments of functions and says what is wrong with them. */
final class Arguments {

    private Arguments() {}

    static List<ExpressionValue> list(String function, ExpressionValue value) {
        if (value instanceof ExpressionValue.ListOf list) {
            return list.elements();
        }
        throw wrong(function, "a list", value);
    }

    static long integer(String function, ExpressionValue value) {
        if (value instanceof ExpressionValue.Int integer) {
            return integer.value();
        }
        throw wrong(function, "an int", value);
    }

    static double real(String function, ExpressionValue value) {
        if (Operators.isNumber(value)) {
            return Operators.number(value);
        }
        throw wrong(function, "a number", value);
    }

    static String text(String function, ExpressionValue value) {
        if (value instanceof ExpressionValue.Text text) {
            return text.value();
        }
        throw wrong(function, "a string", value);
    }

    static Failure wrong(String function, String expected, ExpressionValue value) {
        return new Failure(function + "() expects " + expected + ", not " + value.described());
    }
}
