package org.clinfer.importer.onnx;

/** Turns one ONNX node into canonical nodes. */
@FunctionalInterface
interface OnnxTranslator {

    /**
     * Reads what it understands of {@code node}, which marks it as consumed, and writes the canonical nodes.
     *
     * @throws org.clinfer.graph.UnsupportedException for a value that Clinfer's operator does not have
     */
    void translate(OnnxNode node, OnnxGraphWriter graph);
}
