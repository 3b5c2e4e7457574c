package org.clinfer.importer.onnx.export;

import java.util.List;
import java.util.Map;

/** Gemm, MatMul and InnerProduct. */
final class MatrixWriters {

    private MatrixWriters() {}

    static Map<String, NodeWriter> all() {
        return Map.of(
                "Gemm", MatrixWriters::gemm, "MatMul", MatrixWriters::matMul, "InnerProduct", MatrixWriters::product);
    }

    private static void gemm(Use use, ModelWriter model) {
        use.requireFloats();
        Attributes attributes = new Attributes()
                .put("alpha", use.real("alpha", 1))
                .put("beta", use.real("beta", 1))
                .put("transA", use.flag("transpose_a", false))
                .put("transB", use.flag("transpose_b", false));
        model.add(use, "Gemm", use.inputs(), attributes);
    }

    private static void matMul(Use use, ModelWriter model) {
        use.requireFloats();
        model.add(use, "MatMul", use.inputs(), new Attributes());
    }

    /** Rows times transposed weights; the result has four axes. */
    private static void product(Use use, ModelWriter model) {
        use.requireFloats();
        use.ignore("bias_term"); // follows from the inputs
        String rows = model.step(use, "Flatten", List.of(use.input(0)), new Attributes().put("axis", 1L));
        String weights = use.input(1);
        if (use.rank(1) != 2) {
            weights = model.reshaped(use, weights, use.size(1, 0), -1);
        }
        Attributes attributes = new Attributes().put("transB", 1L);
        String result = model.step(use, "Gemm", List.of(rows, weights, use.input(2)), attributes);
        model.add(use, "Unsqueeze", List.of(result, model.vector(use, "axes", 2, 3)), new Attributes());
    }
}
