package org.clinfer;

/**
 * What the caller supplied does not fit: a missing or unknown input of a model, a wrong shape or data type, an operator's
 * kernel that is not as its description says.
 */
public final class InputException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InputException(String message) {
        super(message);
    }
}
