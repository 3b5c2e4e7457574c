package org.clinfer.conformance;

import java.util.Map;

/** Matrix products with more than two operands. */
final class LinearTranslations {

    private LinearTranslations() {}

    static Map<String, Translation> all() {
        return Map.of(
                "Gemm", Translation.single(LinearTranslations::gemm),
                "InnerProduct", Translation.single(LinearTranslations::innerProduct));
    }

    private static String gemm(OracleCall call, OnnxGraph graph) {
        return graph.step("Gemm", call.inputs())
                .withReals(call.params(), "alpha", "beta")
                .with("transA", call.params().flag("transpose_a", false))
                .with("transB", call.params().flag("transpose_b", false))
                .out();
    }

    private static String innerProduct(OracleCall call, OnnxGraph graph) {
        String images = graph.step("Flatten", call.input(0)).out();
        String weights = graph.step("Flatten", call.input(1)).out();
        String products = graph.step("Gemm", images, weights, call.input(2))
                .with("transB", true)
                .out();
        return graph.step("Unsqueeze", products, graph.ints(2, 3)).out();
    }
}
