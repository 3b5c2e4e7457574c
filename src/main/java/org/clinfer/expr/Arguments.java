package org.clinfer.expr;

import java.util.List;

/** Reads the arguments of functions and says what is wrong with them. */
final class Arguments {

    private Arguments() {}

    static List<Value> list(String function, Value value) {
        if (value instanceof Value.ListOf list) {
            return list.elements();
        }
        throw wrong(function, "a list", value);
    }

    static long integer(String function, Value value) {
        if (value instanceof Value.Int integer) {
            return integer.value();
        }
        throw wrong(function, "an int", value);
    }

    static double real(String function, Value value) {
        if (Operators.isNumber(value)) {
            return Operators.number(value);
        }
        throw wrong(function, "a number", value);
    }

    static String text(String function, Value value) {
        if (value instanceof Value.Text text) {
            return text.value();
        }
        throw wrong(function, "a string", value);
    }

    static Failure wrong(String function, String expected, Value value) {
        return new Failure(function + "() expects " + expected + ", not " + value.described());
    }
}
