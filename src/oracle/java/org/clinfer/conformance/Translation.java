package org.clinfer.conformance;

import java.util.List;

/** How a case of one operator is said in ONNX. */
@FunctionalInterface
interface Translation {

    /**
     * Adds the nodes and returns the names of the outputs.
     *
     * @throws Inexpressible if ONNX, or ONNX Runtime, does not have what the case asks for
     */
    List<String> translate(OracleCall call, OnnxGraph graph);

    /** A translation with one output. */
    static Translation single(Single single) {
        return (call, graph) -> List.of(single.translate(call, graph));
    }

    /** Gives the only output. */
    @FunctionalInterface
    interface Single {
        String translate(OracleCall call, OnnxGraph graph);
    }
}
