package org.clinfer.importer.onnx.export;

import java.util.List;
import java.util.Map;

/** InnerProduct. */
final class MatrixWriters {

    private MatrixWriters() {}

    static Map<String, NodeWriter> all() {
        return Map.of("InnerProduct", MatrixWriters::product);
    }

    /** Rows times transposed weights; the result has four axes. */
    private static void product(Use use, ModelWriter model) {
        use.requireFloats();
        use.ignore("bias_term"); // follows from the inputs
        String rows = model.step(use, "Flatten", List.of(use.input(0)), new AttributeWriter().put("axis", 1L));
        String weights = use.input(1);
        if (use.rank(1) != 2) {
            weights = model.reshaped(use, weights, use.size(1, 0), -1);
        }
        AttributeWriter attributes = new AttributeWriter().put("transB", 1L);
        String result = model.step(use, "Gemm", List.of(rows, weights, use.input(2)), attributes);
        model.add(use, "Unsqueeze", List.of(result, model.vector(use, "axes", 2, 3)), new AttributeWriter());
    }
}
