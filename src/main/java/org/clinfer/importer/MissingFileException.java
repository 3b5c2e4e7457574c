package org.clinfer.importer;

import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;

/** A file beside a model is not there. */
public final class MissingFileException extends GraphException {

    private static final long serialVersionUID = 1L;

    MissingFileException(SourceRef source, String location, Throwable cause) {
        super(source, "the external file '" + location + "' is missing; it must stand beside the model", cause);
    }
}
