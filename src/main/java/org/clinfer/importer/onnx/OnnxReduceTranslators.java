package org.clinfer.importer.onnx;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** The reductions, which ONNX has for truths, too. */
final class OnnxReduceTranslators {

    private OnnxReduceTranslators() {}

    static Map<String, OnnxTranslator> all() {
        Map<String, OnnxTranslator> all = new HashMap<>();
        DirectOperators.all().values().stream()
                .filter(op -> op.name().startsWith("Reduce"))
                .forEach(op -> all.put(op.name(), (node, graph) -> reduce(op, node, graph)));
        return all;
    }

    private static void reduce(DirectOperators.Operator op, OnnxNode node, OnnxGraphWriter graph) {
        Params params = DirectTranslators.params(op, node);
        if (graph.types().of(node.input(0)).dtype().equals(Optional.of(DType.BOOL))) {
            truths(node, graph, params);
        } else {
            DirectTranslators.translate(op, node, graph, node.inputs(), params);
        }
    }

    /** Largest and smallest truths, as the numbers 0 and 1. */
    private static void truths(OnnxNode node, OnnxGraphWriter graph, Params params) {
        Steps steps = new Steps(node, graph);
        String numbers = steps.cast(node.input(0), DType.UINT8);
        String reduced = steps.add(node.op(), params, numbers, node.optionalInput(1));
        steps.last("Cast", new Params().put("to", DType.BOOL.label()), reduced);
    }
}
