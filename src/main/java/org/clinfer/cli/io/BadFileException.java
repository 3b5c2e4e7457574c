package org.clinfer.cli.io;

import java.nio.file.Path;
import org.clinfer.errors.BadInputException;

/** A file that was given is not what it should be; the message starts with the file. */
public final class BadFileException extends BadInputException {

    private static final long serialVersionUID = 1L;

    public BadFileException(Path file, String message) {
        super(file + ": " + message);
    }

    public BadFileException(Path file, String message, Throwable cause) {
        super(file + ": " + message, cause);
    }
}
