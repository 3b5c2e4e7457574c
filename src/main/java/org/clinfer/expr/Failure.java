package org.clinfer.expr;

/** An operation that has no result; the evaluation adds where it happened and makes it an {@link ExprException}. */
final class Failure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Failure(String reason) {
        super(reason, null, false, false);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
