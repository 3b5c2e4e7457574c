package org.clinfer.expr;

import java.util.List;
import java.util.function.DoubleUnaryOperator;

/** Functions of numbers. */
final class NumberFunctions {

    private static final double LONG_LIMIT = 0x1p63;

    private NumberFunctions() {}

    static Value floorDiv(List<Value> arguments) {
        return divided("floor_div", arguments, false);
    }

    static Value ceilDiv(List<Value> arguments) {
        return divided("ceil_div", arguments, true);
    }

    private static Value divided(String function, List<Value> arguments, boolean up) {
        Value dividend = arguments.get(0);
        Value divisor = arguments.get(1);
        if (dividend instanceof Value.Unknown || divisor instanceof Value.Unknown) {
            return divisor.equals(Value.of(1)) ? dividend : Constants.UNKNOWN;
        }
        long above = Arguments.integer(function, dividend);
        long below = Arguments.integer(function, divisor);
        if (below == 0) {
            throw new Failure("division by zero: " + function + "(" + above + ", 0)");
        }
        if (above == Long.MIN_VALUE && below == -1) {
            throw new Failure(function + "(" + above + ", -1) overflows 64 bits");
        }
        long down = Math.floorDiv(above, below);
        return Value.of(up && down * below != above ? down + 1 : down);
    }

    static Value floorMod(List<Value> arguments) {
        long above = Arguments.integer("mod", arguments.get(0));
        long below = Arguments.integer("mod", arguments.get(1));
        if (below == 0) {
            throw new Failure("division by zero: mod(" + above + ", 0)");
        }
        return Value.of(Math.floorMod(above, below));
    }

    /** The largest ({@code sign} 1) or smallest (-1) of the arguments or of the one list. */
    static Value extreme(String function, List<Value> arguments, int sign) {
        boolean fromList = arguments.size() == 1 && arguments.get(0) instanceof Value.ListOf;
        List<Value> values = fromList ? Arguments.list(function, arguments.get(0)) : arguments;
        if (values.isEmpty()) {
            throw new Failure(function + "() of an empty list");
        }
        Value best = values.get(0);
        for (Value value : values) {
            if (value instanceof Value.Unknown) {
                return values.size() == 1 ? value : Constants.UNKNOWN;
            }
            Arguments.real(function, value);
            best = Operators.compare(value, best) * sign > 0 ? value : best;
        }
        return best;
    }

    /** A function of a real number; where it is not defined the value is NaN or infinite. */
    static Value real(String name, Value value, DoubleUnaryOperator function) {
        return Value.of(function.applyAsDouble(Arguments.real(name, value)));
    }

    static Value pow(List<Value> arguments) {
        return Value.of(Math.pow(Arguments.real("pow", arguments.get(0)), Arguments.real("pow", arguments.get(1))));
    }

    static Value abs(Value value) {
        if (value instanceof Value.Int integer) {
            return integer.value() < 0 ? Operators.negate(value) : value;
        }
        return Value.of(Math.abs(Arguments.real("abs", value)));
    }

    /** Rounds to an int; ints and unknowns pass through. */
    static Value toInt(String function, Value value, DoubleUnaryOperator rounding) {
        if (value instanceof Value.Int || value instanceof Value.Unknown) {
            return value;
        }
        double rounded = rounding.applyAsDouble(Arguments.real(function, value));
        if (!(rounded >= -LONG_LIMIT && rounded < LONG_LIMIT)) {
            throw new Failure(function + "(" + value + ") does not fit 64 bits");
        }
        return Value.of((long) rounded);
    }

    static Value truncate(Value value) {
        if (value instanceof Value.Bool bool) {
            return Value.of(bool.value() ? 1 : 0);
        }
        return toInt("int", value, v -> v < 0 ? Math.ceil(v) : Math.floor(v));
    }

    static Value sqrt(Value value) {
        double number = Arguments.real("sqrt", value);
        if (number < 0) {
            throw new Failure("sqrt(" + value + ") of a negative number");
        }
        return Value.of(Math.sqrt(number));
    }
}
