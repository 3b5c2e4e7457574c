package org.clinfer.graph;

import org.clinfer.text.Printable;

/** A well-formed model that uses something Clinfer does not have, such as an operator or a data type. */
public sealed class UnsupportedException extends GraphException permits FallbackException {

    private static final long serialVersionUID = 1L;

    private final String feature;

    /**
     * The refusal of a use that is sound.
     *
     * @param source the place in the model
     * @param feature what is missing, short enough for a list: {@code operator Loop}, {@code data type uint16}
     * @param message the whole sentence
     */
    public UnsupportedException(SourceRef source, String feature, String message) {
        super(source, message);
        this.feature = Printable.message(feature);
    }

    /** {@return the missing feature, short enough for a list} */
    public String feature() {
        return feature;
    }
}
