package org.clinfer.errors;

import org.clinfer.text.Printable;

/**
 * Something that the caller supplied does not fit: a missing or unknown input of a model, a wrong shape or data type,
 * an operator's kernel that is not as its description says. The message is one line, whatever the names in it are.
 */
public final class InputException extends BadInputException {

    private static final long serialVersionUID = 1L;

    /**
     * An input, an option or a property that cannot be taken.
     *
     * @param message the sentence about it
     */
    public InputException(String message) {
        super(Printable.message(message));
    }
}
