package org.clinfer.graph;

/** A model that is malformed or breaks an operator's description; the message starts with the source reference. */
public class GraphException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public GraphException(SourceRef source, String message) {
        super(source + ": " + message);
    }

    public GraphException(SourceRef source, String message, Throwable cause) {
        super(source + ": " + message, cause);
    }
}
