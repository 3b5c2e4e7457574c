package org.clinfer.errors;

/** A model, a file, a description or a parameter is wrong; another one would do. */
public abstract class BadInputException extends ClinferException {

    private static final long serialVersionUID = 1L;

    protected BadInputException(String message) {
        super(message);
    }

    protected BadInputException(String message, Throwable cause) {
        super(message, cause);
    }
}
