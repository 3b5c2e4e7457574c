package org.clinfer.expr;

import java.util.List;
import java.util.function.DoubleUnaryOperator;

/** Functions of numbers. */
final class NumberFunctions {

    private static final double LONG_LIMIT = 0x1p63;

    private NumberFunctions() {}

    static ExpressionValue floorDiv(List<ExpressionValue> arguments) {
        return divided("floor_div", arguments, false);
    }

    static ExpressionValue ceilDiv(List<ExpressionValue> arguments) {
        return divided("ceil_div", arguments, true);
    }

    private static ExpressionValue divided(String function, List<ExpressionValue> arguments, boolean up) {
        ExpressionValue dividend = arguments.get(0);
        ExpressionValue divisor = arguments.get(1);
        if (dividend instanceof ExpressionValue.Unknown || divisor instanceof ExpressionValue.Unknown) {
            return divisor.equals(ExpressionValue.of(1)) ? dividend : Constants.UNKNOWN;
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
        return ExpressionValue.of(up && down * below != above ? down + 1 : down);
    }

    static ExpressionValue floorMod(List<ExpressionValue> arguments) {
        long above = Arguments.integer("mod", arguments.get(0));
        long below = Arguments.integer("mod", arguments.get(1));
        if (below == 0) {
            throw new Failure("division by zero: mod(" + above + ", 0)");
        }
        return ExpressionValue.of(Math.floorMod(above, below));
    }

    /** The largest ({@code sign} 1) or smallest (-1) of the arguments or of the one list. */
    static ExpressionValue extreme(String function, List<ExpressionValue> arguments, int sign) {
        boolean fromList = arguments.size() == 1 && arguments.get(0) instanceof ExpressionValue.ListOf;
        List<ExpressionValue> values = fromList ? Arguments.list(function, arguments.get(0)) : arguments;
        if (values.isEmpty()) {
            throw new Failure(function + "() of an empty list");
        }
        ExpressionValue best = values.get(0);
        for (ExpressionValue value : values) {
            if (value instanceof ExpressionValue.Unknown) {
                return values.size() == 1 ? value : Constants.UNKNOWN;
            }
            Arguments.real(function, value);
            best = Operators.compare(value, best) * sign > 0 ? value : best;
        }
        return best;
    }

    /** A function of a real number; where it is not defined the value is NaN or infinite. */
    static ExpressionValue real(String name, ExpressionValue value, DoubleUnaryOperator function) {
        return ExpressionValue.of(function.applyAsDouble(Arguments.real(name, value)));
    }

    static ExpressionValue pow(List<ExpressionValue> arguments) {
        return ExpressionValue.of(
                Math.pow(Arguments.real("pow", arguments.get(0)), Arguments.real("pow", arguments.get(1))));
    }

    static ExpressionValue abs(ExpressionValue value) {
        if (value instanceof ExpressionValue.Int integer) {
            return integer.value() < 0 ? Operators.negate(value) : value;
        }
        return ExpressionValue.of(Math.abs(Arguments.real("abs", value)));
    }

    /** Rounds to an int; ints and unknowns pass through. */
    static ExpressionValue toInt(String function, ExpressionValue value, DoubleUnaryOperator rounding) {
        if (value instanceof ExpressionValue.Int || value instanceof ExpressionValue.Unknown) {
            return value;
        }
        double rounded = rounding.applyAsDouble(Arguments.real(function, value));
        if (!(rounded >= -LONG_LIMIT && rounded < LONG_LIMIT)) {
            throw new Failure(function + "(" + value + ") does not fit 64 bits");
        }
        return ExpressionValue.of((long) rounded);
    }

    static ExpressionValue truncate(ExpressionValue value) {
        if (value instanceof ExpressionValue.Bool bool) {
            return ExpressionValue.of(bool.value() ? 1 : 0);
        }
        return toInt("int", value, v -> v < 0 ? Math.ceil(v) : Math.floor(v));
    }

    static ExpressionValue sqrt(ExpressionValue value) {
        double number = Arguments.real("sqrt", value);
        if (number < 0) {
            throw new Failure("sqrt(" + value + ") of a negative number");
        }
        return ExpressionValue.of(Math.sqrt(number));
    }
}
