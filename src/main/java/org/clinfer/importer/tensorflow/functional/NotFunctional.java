package org.clinfer.importer.tensorflow.functional;

/** Control flow is of no form that becomes functions: it stays as it is. */
final class NotFunctional extends RuntimeException {

    private static final long serialVersionUID = 1;

    NotFunctional() {
        super("control flow of another form", null, false, false);
    }
}
