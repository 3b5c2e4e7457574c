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

    /**
     * {@return whether ONNX has the operator for this use of it; where it has not, a composed operator is written in
     * parts}
     */
    default boolean takes(Use use) {
        return true;
    }
}
