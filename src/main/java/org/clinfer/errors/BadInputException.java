package org.clinfer.errors;

/** A model, a file, a description or a parameter is wrong; another one would do. */
public abstract class BadInputException extends ClinferException {

    private static final long serialVersionUID = 1L;

    /**
     * Something that the user gave and that cannot be taken.
     *
     * @param message the sentence about it
     */
    protected BadInputException(String message) {
        super(message);
    }

    /**
     * Something that the user gave, and the failure that it led to.
     *
     * @param message the sentence about it
     * @param cause the failure
     */
    protected BadInputException(String message, Throwable cause) {
        super(message, cause);
    }
}
