package org.clinfer.describe;

import org.clinfer.errors.BadInputException;

/** An operator description that cannot be read; the message names file, JSON path and reason. */
public final class DescriptionException extends BadInputException {

    private static final long serialVersionUID = 1L;

    DescriptionException(String message) {
        super(message);
    }

    DescriptionException(String message, Throwable cause) {
        super(message, cause);
    }
}
