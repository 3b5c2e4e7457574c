package org.clinfer.cli;

import org.clinfer.errors.BadInputException;

/** The command line asks for something that makes no sense; the message says what, and what would. */
final class UsageException extends BadInputException {

    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
