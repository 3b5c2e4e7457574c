package org.clinfer.conformance;

import java.util.List;
import java.util.Map;
import org.clinfer.tensor.DType;

/** Operators of transformers, which ONNX Runtime has beside those of ONNX. */
final class TransformerTranslations {

    private TransformerTranslations() {}

    static Map<String, Translation> all() {
        return Map.of(
                "BiasGelu",
                Translation.single(TransformerTranslations::biasGelu),
                "SkipLayerNorm",
                (call, graph) -> skipNorm(call, graph, "SkipLayerNormalization"),
                "SkipRmsNorm",
                (call, graph) -> skipNorm(call, graph, "SkipSimplifiedLayerNormalization"),
                "EmbedLayerNorm",
                TransformerTranslations::embedLayerNorm);
    }

    private static String biasGelu(OracleCall call, OnnxGraph graph) {
        boolean isTanh = call.params().text("approximate", "NONE").equals("TANH");
        return graph.runtimeStep(isTanh ? "FastGelu" : "BiasGelu", call.inputs())
                .out();
    }

    /** The sum is the fourth output. */
    private static List<String> skipNorm(OracleCall call, OnnxGraph graph, String op) {
        OnnxGraph.Step step = graph.runtimeStep(op, call.inputs())
                .with("epsilon", call.params().real("epsilon", 1e-12));
        if (call.params().outputs() == 1) {
            return step.out(1);
        }
        List<String> outputs = step.out(4);
        return List.of(outputs.get(0), outputs.get(3));
    }

    /** All indices are int32; the second output says how many words the mask leaves, which is left out. */
    private static List<String> embedLayerNorm(OracleCall call, OnnxGraph graph) {
        List<String> outputs = graph.runtimeStep(
                        "EmbedLayerNormalization",
                        narrow(call, graph, 0),
                        narrow(call, graph, 1),
                        call.input(2),
                        call.input(3),
                        call.input(4),
                        call.input(5),
                        call.input(6),
                        "",
                        narrow(call, graph, 7))
                .with("epsilon", call.params().real("epsilon", 1e-12))
                .out(3);
        return call.params().outputs() == 1 ? outputs.subList(0, 1) : List.of(outputs.get(0), outputs.get(2));
    }

    private static String narrow(OracleCall call, OnnxGraph graph, int input) {
        return call.params().hasInput(input)
                ? graph.step("Cast", call.input(input))
                        .with("to", OnnxGraph.number(DType.INT32))
                        .out()
                : "";
    }
}
