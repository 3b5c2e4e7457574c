package org.clinfer.expr;

/** The values there is one of. */
final class Constants {

    static final ExpressionValue UNKNOWN = new ExpressionValue.Unknown("?");
    static final ExpressionValue ABSENT = new ExpressionValue.Absent();
    static final ExpressionValue TRUE = new ExpressionValue.Bool(true);
    static final ExpressionValue FALSE = new ExpressionValue.Bool(false);

    private Constants() {}
}
