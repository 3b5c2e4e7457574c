package org.clinfer.describe;

/** An operator description that cannot be read; the message names file, JSON path and reason. */
public final class DescriptionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DescriptionException(String message) {
        super(message);
    }

    DescriptionException(String message, Throwable cause) {
        super(message, cause);
    }
}
