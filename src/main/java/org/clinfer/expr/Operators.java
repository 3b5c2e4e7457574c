package org.clinfer.expr;

import java.util.ArrayList;
import java.util.List;

/** Arithmetic, comparison and logic on values, three-valued. */
final class Operators {

    private static final ExpressionValue ZERO = ExpressionValue.of(0);
    private static final ExpressionValue ONE = ExpressionValue.of(1);

    private Operators() {}

    /** The name of this kind of value in messages. */
    static String kind(ExpressionValue value) {
        if (value instanceof ExpressionValue.Int) {
            return "int";
        } else if (value instanceof ExpressionValue.Real) {
            return "real";
        } else if (value instanceof ExpressionValue.Bool) {
            return "bool";
        } else if (value instanceof ExpressionValue.Text) {
            return "string";
        } else if (value instanceof ExpressionValue.ListOf) {
            return "list";
        } else if (value instanceof ExpressionValue.TensorArg) {
            return "tensor";
        } else if (value instanceof ExpressionValue.Fields) {
            return "group of fields";
        }
        return value instanceof ExpressionValue.Absent ? "null" : "unknown";
    }

    static ExpressionValue apply(BinaryOperator operator, ExpressionValue left, ExpressionValue right, Evaluation run) {
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

    private static boolean isUnknown(ExpressionValue value) {
        return value instanceof ExpressionValue.Unknown;
    }

    /** The value as a condition: a bool or unknown. */
    static ExpressionValue condition(ExpressionValue value) {
        if (value instanceof ExpressionValue.Bool || value instanceof ExpressionValue.Unknown) {
            return value;
        }
        throw new Failure("a condition must be a bool, not " + value.described());
    }

    static ExpressionValue not(ExpressionValue value) {
        return condition(value) instanceof ExpressionValue.Bool bool
                ? ExpressionValue.of(!bool.value())
                : Constants.UNKNOWN;
    }

    static ExpressionValue negate(ExpressionValue value) {
        if (value instanceof ExpressionValue.Real real) {
            return ExpressionValue.of(-real.value());
        }
        return arithmetic(BinaryOperator.SUBTRACT, ZERO, value);
    }

    static ExpressionValue multiply(ExpressionValue left, ExpressionValue right) {
        if (isUnknown(right) && left.equals(ONE)) {
            return right;
        }
        return isUnknown(left) && right.equals(ONE) ? left : arithmetic(BinaryOperator.MULTIPLY, left, right);
    }

    static ExpressionValue add(ExpressionValue left, ExpressionValue right) {
        if (isUnknown(right) && left.equals(ZERO)) {
            return right;
        }
        return isUnknown(left) && right.equals(ZERO) ? left : arithmetic(BinaryOperator.ADD, left, right);
    }

    private static ExpressionValue add(ExpressionValue left, ExpressionValue right, Evaluation run) {
        if (left instanceof ExpressionValue.ListOf first && right instanceof ExpressionValue.ListOf second) {
            long size = (long) first.elements().size() + second.elements().size();
            List<ExpressionValue> joined = new ArrayList<>(run.reserve(size));
            joined.addAll(first.elements());
            joined.addAll(second.elements());
            return ExpressionValue.list(joined);
        }
        if (left instanceof ExpressionValue.Text first && right instanceof ExpressionValue.Text second) {
            long length = (long) first.value().length() + second.value().length();
            if (length > Limits.LIST_SIZE) {
                throw new Failure("a string of " + length + " characters is too long");
            }
            run.reserve(length);
            return ExpressionValue.of(first.value() + second.value());
        }
        return add(left, right);
    }

    /** Arithmetic on numbers; an unknown operand gives an unknown, any other operand is a failure. */
    static ExpressionValue arithmetic(BinaryOperator operator, ExpressionValue left, ExpressionValue right) {
        if (left instanceof ExpressionValue.Int first && right instanceof ExpressionValue.Int second) {
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
        return ExpressionValue.of(
                switch (operator) {
                    case ADD -> first + second;
                    case SUBTRACT -> first - second;
                    case MULTIPLY -> first * second;
                    case DIVIDE -> first / second;
                    default -> first % second;
                });
    }

    private static ExpressionValue integers(BinaryOperator operator, long left, long right) {
        boolean divides = operator == BinaryOperator.DIVIDE || operator == BinaryOperator.REMAINDER;
        if (divides && right == 0) {
            throw new Failure("division by zero: " + left + " " + operator.symbol() + " 0");
        }
        try {
            return ExpressionValue.of(
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

    static boolean isNumber(ExpressionValue value) {
        return value instanceof ExpressionValue.Int || value instanceof ExpressionValue.Real;
    }

    /** The number as a double. */
    static double number(ExpressionValue value) {
        return value instanceof ExpressionValue.Int integer
                ? (double) integer.value()
                : ((ExpressionValue.Real) value).value();
    }

    private static ExpressionValue ordered(BinaryOperator operator, ExpressionValue left, ExpressionValue right) {
        if (isUnknown(left) && isUnknown(right)) {
            boolean inclusive = operator == BinaryOperator.LESS_EQUAL || operator == BinaryOperator.GREATER_EQUAL;
            return isSameUnknown(left, right) ? ExpressionValue.of(inclusive) : Constants.UNKNOWN;
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
        return ExpressionValue.of(
                switch (operator) {
                    case LESS -> order < 0;
                    case LESS_EQUAL -> order <= 0;
                    case GREATER -> order > 0;
                    default -> order >= 0;
                });
    }

    private static boolean isText(ExpressionValue value) {
        return value instanceof ExpressionValue.Text || value instanceof ExpressionValue.Unknown;
    }

    private static boolean isNaN(ExpressionValue value) {
        return value instanceof ExpressionValue.Real real && Double.isNaN(real.value());
    }

    /** Order of two known numbers or two texts; -0.0 equals 0.0. */
    static int compare(ExpressionValue left, ExpressionValue right) {
        if (left instanceof ExpressionValue.Int first && right instanceof ExpressionValue.Int second) {
            return Long.compare(first.value(), second.value());
        }
        if (left instanceof ExpressionValue.Text first && right instanceof ExpressionValue.Text second) {
            return first.value().compareTo(second.value());
        }
        return Double.compare(number(left) + 0.0, number(right) + 0.0);
    }

    private static boolean isSameUnknown(ExpressionValue left, ExpressionValue right) {
        return left.equals(right) && !left.equals(Constants.UNKNOWN);
    }

    /** Equality: TRUE, FALSE or unknown; different kinds are a failure, except that null may meet anything. */
    static ExpressionValue equal(ExpressionValue left, ExpressionValue right) {
        if (isUnknown(left) || isUnknown(right)) {
            return isSameUnknown(left, right) ? Constants.TRUE : Constants.UNKNOWN;
        }
        if (left.isAbsent() || right.isAbsent()) {
            return ExpressionValue.of(left.isAbsent() && right.isAbsent());
        }
        if (isNumber(left) && isNumber(right)) {
            return ExpressionValue.of(!isNaN(left) && !isNaN(right) && compare(left, right) == 0);
        }
        if (left instanceof ExpressionValue.ListOf first && right instanceof ExpressionValue.ListOf second) {
            return equalLists(first.elements(), second.elements());
        }
        boolean bools = left instanceof ExpressionValue.Bool && right instanceof ExpressionValue.Bool;
        boolean plain = bools || (left instanceof ExpressionValue.Text && right instanceof ExpressionValue.Text);
        if (!plain) {
            throw new Failure("'==' cannot compare " + left.described() + " with " + right.described());
        }
        return ExpressionValue.of(left.equals(right));
    }

    private static ExpressionValue equalLists(List<ExpressionValue> left, List<ExpressionValue> right) {
        if (left.size() != right.size()) {
            return Constants.FALSE;
        }
        ExpressionValue result = Constants.TRUE;
        for (int i = 0; i < left.size(); i++) {
            ExpressionValue same = equal(left.get(i), right.get(i));
            if (same.equals(Constants.FALSE)) {
                return same;
            }
            result = same.equals(Constants.TRUE) ? result : same;
        }
        return result;
    }
}
