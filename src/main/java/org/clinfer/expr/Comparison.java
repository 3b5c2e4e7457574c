package org.clinfer.expr;

import java.util.Optional;

/**
 * The comparison that makes a condition false.
 *
 * @param text the comparison as written
 * @param left its left side
 * @param operator {@code <}, {@code <=}, {@code >}, {@code >=}, {@code ==} or {@code !=}
 * @param right its right side
 */
public record Comparison(String text, Side left, String operator, Side right) {

    /**
     * One side.
     *
     * @param text the side as written
     * @param value what it is
     * @param isGiven whether it is a constant, or a field of a group of fields, and nothing else: a limit, not a demand
     */
    public record Side(String text, ExpressionValue value, boolean isGiven) {}

    /** The side that is a limit: the given one, the right one where neither or both are. */
    public Side limit() {
        return isLimitLeft() ? left : right;
    }

    /** The side that is held against the limit. */
    public Side actual() {
        return isLimitLeft() ? right : left;
    }

    private boolean isLimitLeft() {
        return left.isGiven() && !right.isGiven();
    }

    /** By how much the actual value misses the limit; empty where they are no numbers, or are compared for being equal. */
    public Optional<ExpressionValue> margin() {
        boolean ordered = operator.startsWith("<") || operator.startsWith(">");
        if (!ordered || !Operators.isNumber(left.value) || !Operators.isNumber(right.value)) {
            return Optional.empty();
        }
        try {
            ExpressionValue difference = Operators.arithmetic(BinaryOperator.SUBTRACT, left.value, right.value);
            return Optional.of(Operators.number(difference) < 0 ? Operators.negate(difference) : difference);
        } catch (Failure overflow) {
            return Optional.empty();
        }
    }
}
