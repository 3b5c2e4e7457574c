package org.clinfer.expr;

import java.util.Optional;

/** The operators between two operands; a higher precedence binds tighter. */
enum BinaryOperator {
    OR("||", 1),
    AND("&&", 2),
    EQUAL("==", 3),
    NOT_EQUAL("!=", 3),
    LESS("<", 4),
    LESS_EQUAL("<=", 4),
    GREATER(">", 4),
    GREATER_EQUAL(">=", 4),
    ADD("+", 5),
    SUBTRACT("-", 5),
    MULTIPLY("*", 6),
    DIVIDE("/", 6),
    REMAINDER("%", 6);

    private final String symbol;
    private final int precedence;

    BinaryOperator(String symbol, int precedence) {
        this.symbol = symbol;
        this.precedence = precedence;
    }

    String symbol() {
        return symbol;
    }

    int precedence() {
        return precedence;
    }

    boolean isComparison() {
        return precedence == EQUAL.precedence || precedence == LESS.precedence;
    }

    boolean isEquality() {
        return this == EQUAL || this == NOT_EQUAL;
    }

    /** {@return whether both operands have to be numbers; texts and lists can be put together by the plus sign} */
    boolean isOfNumbers() {
        return !isLogical() && !isEquality() && this != ADD;
    }

    boolean isLogical() {
        return this == AND || this == OR;
    }

    static Optional<BinaryOperator> of(String symbol) {
        for (BinaryOperator operator : values()) {
            if (operator.symbol.equals(symbol)) {
                return Optional.of(operator);
            }
        }
        return Optional.empty();
    }
}
