package org.clinfer.expr;

/** The values there is one of. */
final class Constants {

    static final Value UNKNOWN = new Value.Unknown("?");
    static final Value ABSENT = new Value.Absent();
    static final Value TRUE = new Value.Bool(true);
    static final Value FALSE = new Value.Bool(false);

    private Constants() {}
}
