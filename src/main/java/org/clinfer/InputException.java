package org.clinfer;

/** What the caller supplied does not fit the model: a missing or unknown input, a wrong shape or data type. */
public final class InputException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InputException(String message) {
        super(message);
    }
}
