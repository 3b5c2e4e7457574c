package org.clinfer.graph;

import org.clinfer.errors.BadInputException;
import org.clinfer.errors.Printable;

/**
 * A model that is malformed or breaks an operator's description. The message starts with the source reference and is one
 * line, cut where it is long, whatever the names in the model are; {@link #whole} has all of it.
 */
public class GraphException extends BadInputException {

    private static final long serialVersionUID = 1L;

    private final String whole;

    public GraphException(SourceRef source, String message) {
        super(line(source, message));
        this.whole = Printable.of(source + ": " + message);
    }

    public GraphException(SourceRef source, String message, Throwable cause) {
        super(line(source, message), cause);
        this.whole = Printable.of(source + ": " + message);
    }

    /** A long source leaves room for the reason. */
    private static String line(SourceRef source, String message) {
        return Printable.message(Printable.shortened(source.toString()) + ": " + message);
    }

    /** The message in its whole length, on one line. */
    public String whole() {
        return whole;
    }
}
