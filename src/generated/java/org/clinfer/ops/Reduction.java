package org.clinfer.ops;

import javax.annotation.processing.Generated;

/**
 * A choice in ScatterElements, ScatterND.
 *
 * <p>{@code toString} gives the spelling of the operator's description.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public enum Reduction {
    /** The spelling {@code none}. */
    NONE("none"),
    /** The spelling {@code add}. */
    ADD("add"),
    /** The spelling {@code mul}. */
    MUL("mul"),
    /** The spelling {@code max}. */
    MAX("max"),
    /** The spelling {@code min}. */
    MIN("min");

    private final String spelling;

    Reduction(String spelling) {
        this.spelling = spelling;
    }

    @Override
    public String toString() {
        return spelling;
    }
}
