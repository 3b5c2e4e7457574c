package org.clinfer.profile;

import org.clinfer.errors.BadInputException;

/** A profile or rule file that cannot be used; the message begins with file and line. */
public final class ProfileException extends BadInputException {

    private static final long serialVersionUID = 1L;

    public ProfileException(String message) {
        super(message);
    }

    public ProfileException(String message, Throwable cause) {
        super(message, cause);
    }
}
