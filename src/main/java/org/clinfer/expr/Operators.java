package org.clinfer.expr;

import java.util.ArrayList;
import java.util.List;

/** Arithmetic, comparison and logic on values, three-valued. */
final class Operators {

    private static final Value ZERO = Value.of(0);
    private static final Value ONE = Value.of(1);

    private Operators() {}

    /** The name of this kind of value in messages. */
    static String kind(Value value) {
        if (value instanceof Value.Int) {
            return "int";
        } else if (value instanceof Value.Real) {
            return "real";
        } else if (value instanceof Value.Bool) {
            return "bool";
        } else if (value instanceof Value.Text) {
            return "string";
        } else if (value instanceof Value.ListOf) {
            return "list";
        } else if (value instanceof Value.TensorArg) {
            return "tensor";
        } else if (value instanceof Value.Fields) {
            return "group of fields";
        }
        return value instanceof Value.Absent ? "null" : "unknown";
    }

    static Value apply(BinaryOperator operator, Value left, Value right, Evaluation run) {
        run.look(left);
        return switch (operator) {
            case EQUAL -> equal(left, right);
            case NOT_EQUAL -> not(equal(left, right));
            case LESS, LESS_EQUAL, GREATER, GREATER_EQUAL -> ordered(operator, left, right);
            case ADD -> add(left, right, run);
            case MULTIPLY -> multiply(left, right);
            case SUBTRACT -> isUnknown(left) && right.equals(ZERO) ? left : arithmetic(operator, left, right);
            case DIVIDE -> isUnknown(left) && right.equals(ONE) ? left : arithmetic(operator, left, right);
            case REMAINDER -> arithmetic(operator, left, right);
            case AND, OR -> throw new IllegalArgumentException(operator + " does not evaluate both operands");
        };
    }

    private static boolean isUnknown(Value value) {
        return value instanceof Value.Unknown;
    }

    /** The value as a condition: a bool or unknown. */
    static Value condition(Value value) {
        if (value instanceof Value.Bool || value instanceof Value.Unknown) {
            return value;
        }
        throw new Failure("a condition must be a bool, not " + value.described());
    }

    static Value not(Value value) {
        return condition(value) instanceof Value.Bool bool ? Value.of(!bool.value()) : Constants.UNKNOWN;
    }

    static Value negate(Value value) {
        if (value instanceof Value.Real real) {
            return Value.of(-real.value());
        }
        return arithmetic(BinaryOperator.SUBTRACT, ZERO, value);
    }

    static Value multiply(Value left, Value right) {
        if (isUnknown(right) && left.equals(ONE)) {
            return right;
        }
        return isUnknown(left) && right.equals(ONE) ? left : arithmetic(BinaryOperator.MULTIPLY, left, right);
    }

    static Value add(Value left, Value right) {
        if (isUnknown(right) && left.equals(ZERO)) {
            return right;
        }
        return isUnknown(left) && right.equals(ZERO) ? left : arithmetic(BinaryOperator.ADD, left, right);
    }

    private static Value add(Value left, Value right, Evaluation run) {
        if (left instanceof Value.ListOf first && right instanceof Value.ListOf second) {
            long size = (long) first.elements().size() + second.elements().size();
            List<Value> joined = new ArrayList<>(run.reserve(size));
            joined.addAll(first.elements());
            joined.addAll(second.elements());
            return Value.list(joined);
        }
        if (left instanceof Value.Text first && right instanceof Value.Text second) {
            long length = (long) first.value().length() + second.value().length();
            if (length > Limits.LIST_SIZE) {
                throw new Failure("a string of " + length + " characters is too long");
            }
            run.reserve(length);
            return Value.of(first.value() + second.value());
        }
        return add(left, right);
    }

    /** Arithmetic on numbers; an unknown operand gives an unknown, any other operand is a failure. */
    static Value arithmetic(BinaryOperator operator, Value left, Value right) {
        if (left instanceof Value.Int first && right instanceof Value.Int second) {
            return integers(operator, first.value(), second.value());
        }
        boolean numbers = (isNumber(left) || isUnknown(left)) && (isNumber(right) || isUnknown(right));
        if (!numbers) {
            throw new Failure(
                    "'" + operator.symbol() + "' cannot take " + left.described() + " and " + right.described());
        }
        if (isUnknown(left) || isUnknown(right)) {
            return Constants.UNKNOWN;
        }
        double first = number(left);
        double second = number(right);
        return Value.of(
                switch (operator) {
                    case ADD -> first + second;
                    case SUBTRACT -> first - second;
                    case MULTIPLY -> first * second;
                    case DIVIDE -> first / second;
                    default -> first % second;
                });
    }

    private static Value integers(BinaryOperator operator, long left, long right) {
        boolean divides = operator == BinaryOperator.DIVIDE || operator == BinaryOperator.REMAINDER;
        if (divides && right == 0) {
            throw new Failure("division by zero: " + left + " " + operator.symbol() + " 0");
        }
        try {
            return Value.of(
                    switch (operator) {
                        case ADD -> Math.addExact(left, right);
                        case SUBTRACT -> Math.subtractExact(left, right);
                        case MULTIPLY -> Math.multiplyExact(left, right);
                        case DIVIDE -> right == -1 ? Math.negateExact(left) : left / right;
                        default -> right == -1 ? 0 : left % right;
                    });
        } catch (ArithmeticException overflow) {
            throw new Failure(left + " " + operator.symbol() + " " + right + " overflows 64 bits");
        }
    }

    static boolean isNumber(Value value) {
        return value instanceof Value.Int || value instanceof Value.Real;
    }

    /** The number as a double. */
    static double number(Value value) {
        return value instanceof Value.Int integer ? (double) integer.value() : ((Value.Real) value).value();
    }

    private static Value ordered(BinaryOperator operator, Value left, Value right) {
        if (isUnknown(left) && isUnknown(right)) {
            boolean inclusive = operator == BinaryOperator.LESS_EQUAL || operator == BinaryOperator.GREATER_EQUAL;
            return isSameUnknown(left, right) ? Value.of(inclusive) : Constants.UNKNOWN;
        }
        boolean numbers = (isNumber(left) || isUnknown(left)) && (isNumber(right) || isUnknown(right));
        boolean comparable = numbers || (isText(left) && isText(right));
        if (!comparable) {
            throw new Failure(
                    "'" + operator.symbol() + "' cannot compare " + left.described() + " with " + right.described());
        }
        if (isUnknown(left) || isUnknown(right)) {
            return Constants.UNKNOWN;
        }
        if (isNaN(left) || isNaN(right)) {
            return Constants.FALSE;
        }
        int order = compare(left, right);
        return Value.of(
                switch (operator) {
                    case LESS -> order < 0;
                    case LESS_EQUAL -> order <= 0;
                    case GREATER -> order > 0;
                    default -> order >= 0;
                });
    }

    private static boolean isText(Value value) {
        return value instanceof Value.Text || value instanceof Value.Unknown;
    }

    private static boolean isNaN(Value value) {
        return value instanceof Value.Real real && Double.isNaN(real.value());
    }

    /** Order of two known numbers or two texts; -0.0 equals 0.0. */
    static int compare(Value left, Value right) {
        if (left instanceof Value.Int first && right instanceof Value.Int second) {
            return Long.compare(first.value(), second.value());
        }
        if (left instanceof Value.Text first && right instanceof Value.Text second) {
            return first.value().compareTo(second.value());
        }
        return Double.compare(number(left) + 0.0, number(right) + 0.0);
    }

    private static boolean isSameUnknown(Value left, Value right) {
        return left.equals(right) && !left.equals(Constants.UNKNOWN);
    }

    /** Equality: TRUE, FALSE or unknown; different kinds are a failure, except that null may meet anything. */
    static Value equal(Value left, Value right) {
        if (isUnknown(left) || isUnknown(right)) {
            return isSameUnknown(left, right) ? Constants.TRUE : Constants.UNKNOWN;
        }
        if (left.isAbsent() || right.isAbsent()) {
            return Value.of(left.isAbsent() && right.isAbsent());
        }
        if (isNumber(left) && isNumber(right)) {
            return Value.of(!isNaN(left) && !isNaN(right) && compare(left, right) == 0);
        }
        if (left instanceof Value.ListOf first && right instanceof Value.ListOf second) {
            return equalLists(first.elements(), second.elements());
        }
        boolean bools = left instanceof Value.Bool && right instanceof Value.Bool;
        boolean plain = bools || (left instanceof Value.Text && right instanceof Value.Text);
        if (!plain) {
            throw new Failure("'==' cannot compare " + left.described() + " with " + right.described());
        }
        return Value.of(left.equals(right));
    }

    private static Value equalLists(List<Value> left, List<Value> right) {
        if (left.size() != right.size()) {
            return Constants.FALSE;
        }
        Value result = Constants.TRUE;
        for (int i = 0; i < left.size(); i++) {
            Value same = equal(left.get(i), right.get(i));
            if (same.equals(Constants.FALSE)) {
                return same;
            }
            result = same.equals(Constants.TRUE) ? result : same;
        }
        return result;
    }
}
