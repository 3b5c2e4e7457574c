package org.clinfer.ops;

import javax.annotation.processing.Generated;

/**
 * A choice in ScatterElements, ScatterND.
 *
 * <p>{@code toString} gives the spelling of the operator's description.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public enum Reduction {
    NONE("none"),
    ADD("add"),
    MUL("mul"),
    MAX("max"),
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
