package org.clinfer.importer.tensorflow;

/** Turns one TensorFlow node into operators of ours. */
@FunctionalInterface
interface TfTranslator {

    /**
     * Writes the operators and gives the node's outputs.
     *
     * @throws org.clinfer.graph.UnsupportedException for a use of the operator that Clinfer does not have
     */
    void translate(TfCall call);
}
