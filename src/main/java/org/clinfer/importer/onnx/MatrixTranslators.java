package org.clinfer.importer.onnx;

import java.util.Map;
import org.clinfer.importer.Params;

/** Gemm and MatMul. */
final class MatrixTranslators {

    private MatrixTranslators() {}

    static Map<String, Translator> all() {
        return Map.of("Gemm", MatrixTranslators::gemm, "MatMul", MatrixTranslators::matMul);
    }

    static void gemm(OnnxNode node, GraphWriter graph) {
        node.requireInputs(node.opset() < 11 ? 3 : 2, 3);
        node.ignore("broadcast"); // before operator set 7; the addend broadcasts by itself
        Params params = new Params()
                .put("alpha", node.real("alpha", 1))
                .put("beta", node.real("beta", 1))
                .put("transpose_a", node.integer("transA", 0) != 0)
                .put("transpose_b", node.integer("transB", 0) != 0);
        graph.add(node, "Gemm", node.inputs(), params);
    }

    private static void matMul(OnnxNode node, GraphWriter graph) {
        node.requireInputs(2, 2);
        graph.add(node, "MatMul", node.inputs(), new Params());
    }
}
