package org.clinfer.image;

import org.clinfer.errors.BadInputException;
import org.clinfer.text.Printable;

/** A picture, or a file of labels, that cannot be read: the message is one line and begins with the file. */
public final class PictureException extends BadInputException {

    private static final long serialVersionUID = 1L;

    PictureException(String source, String message) {
        super(Printable.message(source + ": " + message));
    }

    PictureException(String source, String message, Throwable cause) {
        super(Printable.message(source + ": " + message), cause);
    }
}
