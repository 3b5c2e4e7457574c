package org.clinfer.importer.tensorflow.checkpoint;

/** A table that breaks its format; caught where the file is known. */
final class DamagedTableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DamagedTableException(String message) {
        super(message);
    }
}
