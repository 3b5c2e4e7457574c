package org.clinfer.describe;

import org.clinfer.expr.Expr;

/** A value derived from inputs and parameters, for later expressions and for implementations. */
public record PrivDescription(Type type, String name, Expr value) {

    /** The type that the value has to have. */
    public enum Type {
        INT("an int"),
        INTS("a list of ints"),
        REAL("a number"),
        REALS("a list of numbers"),
        BOOL("a bool"),
        STRING("a string"),
        STRINGS("a list of strings"),
        LIST("a list");

        private final String shown;

        Type(String shown) {
            this.shown = shown;
        }

        /** The name of the type in messages. */
        String shown() {
            return shown;
        }
    }
}
