package org.clinfer.expr;

/** A token of an expression: its kind, its text (for a string, what is between the quotes) and where it stands. */
record Token(Kind kind, String text, int start, int end) {

    enum Kind {
        INTEGER,
        REAL,
        STRING,
        NAME,
        SYMBOL,
        END
    }

    boolean is(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    /** The text of the token in messages. */
    String shown() {
        return kind == Kind.END ? "the end" : kind == Kind.STRING ? "the text '" + text + "'" : "'" + text + "'";
    }
}
