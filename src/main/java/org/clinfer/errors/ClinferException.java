package org.clinfer.errors;

import org.jspecify.annotations.Nullable;

/**
 * Everything that Clinfer throws on purpose, with a message that explains itself. What a Java program gets wrong by itself,
 * such as a call after {@code close()}, is an {@link IllegalStateException} or an {@link IllegalArgumentException}.
 */
public abstract class ClinferException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * An exception that Clinfer throws on purpose.
     *
     * @param message the sentence for the user; null where a subclass makes it
     */
    protected ClinferException(@Nullable String message) {
        super(message);
    }

    /**
     * An exception with the failure behind it.
     *
     * @param message the sentence for the user; null where a subclass makes it
     * @param cause the failure
     */
    protected ClinferException(@Nullable String message, Throwable cause) {
        super(message, cause);
    }
}
