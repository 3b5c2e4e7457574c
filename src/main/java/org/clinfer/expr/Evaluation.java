package org.clinfer.expr;

/** One run of an expression: its scope and what it may still spend. */
final class Evaluation {

    private final Expr expression;
    private Scope scope;
    private int steps;
    private long elements;
    private long reads;

    Evaluation(Expr expression, Scope scope) {
        this.expression = expression;
        this.scope = scope;
    }

    Scope scope() {
        return scope;
    }

    /** Takes what has been spent from what several evaluations share. */
    void bookOn(Budget budget) {
        budget.spend(steps, elements, reads);
    }

    /** Books the work of looking at a value with all that is in it. */
    void look(ExpressionValue value) {
        reads += value.weight();
        if (reads > Limits.READS) {
            throw new Failure("the evaluation reads more than " + Limits.READS + " list elements");
        }
    }

    /** The value of one node; failures get their position here. */
    ExpressionValue of(ExpressionNode node) {
        if (++steps > Limits.STEPS) {
            throw expression.failure(node.at().start(), "the evaluation takes more than " + Limits.STEPS + " steps");
        }
        try {
            return node.evaluate(this);
        } catch (Failure failure) {
            throw expression.failure(node.at().start(), failure.reason());
        }
    }

    /** The value of a lambda's body with its parameter bound. */
    ExpressionValue of(ExpressionNode.Lambda lambda, ExpressionValue argument) {
        Scope outside = scope;
        scope = outside.with(lambda.parameter(), argument);
        try {
            return of(lambda.body());
        } finally {
            scope = outside;
        }
    }

    /** Books the elements of a list before it is made. */
    int reserve(long size) {
        if (size > Limits.LIST_SIZE) {
            throw new Failure("a list of " + size + " elements is larger than the " + Limits.LIST_SIZE + " allowed");
        }
        elements += size;
        if (elements > Limits.ELEMENTS) {
            throw new Failure("the evaluation makes more than " + Limits.ELEMENTS + " list elements");
        }
        return (int) size;
    }
}
