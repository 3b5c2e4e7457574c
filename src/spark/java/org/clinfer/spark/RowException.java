package org.clinfer.spark;

/** A row that cannot be read; the message says which column, and why. */
final class RowException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    RowException(String message) {
        super(message);
    }

    RowException(String message, Throwable cause) {
        super(message, cause);
    }
}
