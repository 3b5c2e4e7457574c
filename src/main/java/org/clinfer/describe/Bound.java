package org.clinfer.describe;

import org.clinfer.expr.Expr;

/**
 * A limit of a number parameter; for an array it holds for every element, element by element where it is a list.
 *
 * @param limit the right side of the comparison
 */
public record Bound(Relation relation, Expr limit) {

    /** The comparison that has to hold between the parameter and the limit. */
    public enum Relation {
        EQ("=="),
        NE("!="),
        GT(">"),
        GE(">="),
        LT("<"),
        LE("<=");

        private final String symbol;

        Relation(String symbol) {
            this.symbol = symbol;
        }

        public String symbol() {
            return symbol;
        }
    }
}
