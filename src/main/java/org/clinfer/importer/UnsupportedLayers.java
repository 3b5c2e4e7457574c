package org.clinfer.importer;

/** The treatment of layers that Clinfer has no operator for, or not for this use of them, and of malformed ones. */
public enum UnsupportedLayers {

    /** A model that has one is refused, with all of them in one message: for models that are to be run. */
    REFUSED,

    /** An {@link org.clinfer.graph.Opaque opaque} node stands for each: for models that are judged. */
    OPAQUE
}
