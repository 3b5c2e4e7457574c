package org.clinfer.importer;

/** The type of a value is not known, because a refused layer would give it. */
public final class UntypedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UntypedException() {
        super("the type of what a refused layer would give", null, false, false);
    }
}
