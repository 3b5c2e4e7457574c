package org.clinfer.profile;

import org.clinfer.errors.BadInputException;

/** A profile or rule file that cannot be used; the message begins with file and line. */
public final class ProfileException extends BadInputException {

    private static final long serialVersionUID = 1L;

    /**
     * A defect of a profile or of rules.
     *
     * @param message the sentence about it, with file and place
     */
    public ProfileException(String message) {
        super(message);
    }

    /**
     * A defect that something else found.
     *
     * @param message the sentence about it, with file and place
     * @param cause what found it
     */
    public ProfileException(String message, Throwable cause) {
        super(message, cause);
    }
}
