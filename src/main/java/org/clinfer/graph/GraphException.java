package org.clinfer.graph;

import org.clinfer.errors.BadInputException;
import org.clinfer.text.Printable;

/**
 * A model that is malformed or breaks an operator's description. The message starts with the source reference and is one
 * line, cut where it is long, whatever the names in the model are; {@link #whole} has all of it.
 */
public class GraphException extends BadInputException {

    private static final long serialVersionUID = 1L;

    private final String whole;
    private final String reason;
    private final transient SourceRef source;

    /**
     * A defect of a model.
     *
     * @param source its place in the file
     * @param message the sentence about it, without the place
     */
    public GraphException(SourceRef source, String message) {
        super(line(source, message));
        this.whole = Printable.of(source + ": " + message);
        this.reason = Printable.message(message);
        this.source = source;
    }

    /**
     * A defect of a model that something else found.
     *
     * @param source its place in the file
     * @param message the sentence about it, without the place
     * @param cause what found it
     */
    public GraphException(SourceRef source, String message, Throwable cause) {
        super(line(source, message), cause);
        this.whole = Printable.of(source + ": " + message);
        this.reason = Printable.message(message);
        this.source = source;
    }

    /** A long source leaves room for the reason. */
    private static String line(SourceRef source, String message) {
        return Printable.message(Printable.shortened(source.toString()) + ": " + message);
    }

    /** {@return the sentence without the place in the file} */
    public String reason() {
        return reason;
    }

    /**
     * {@return whether this place in the file is the one that is at fault}
     *
     * @param place the place in question
     */
    public boolean isAt(SourceRef place) {
        return place.equals(source);
    }

    /** {@return the message in its whole length, on one line} */
    public String whole() {
        return whole;
    }
}
