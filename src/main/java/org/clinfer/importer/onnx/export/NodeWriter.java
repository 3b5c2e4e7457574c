package org.clinfer.importer.onnx.export;

/** Turns one canonical node into ONNX nodes. */
@FunctionalInterface
interface NodeWriter {

    /**
     * Reads the parameters of {@code use}, which marks them as consumed, and writes the ONNX nodes.
     *
     * @throws org.clinfer.graph.UnsupportedException for what ONNX cannot say
     */
    void write(Use use, ModelWriter model);
}
