package org.clinfer.importer.onnx;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** The reductions, which ONNX has for truths and integers, too. */
final class OnnxReduceTranslators {

    private static final Set<String> REAL = Set.of("ReduceMean", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp");

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
        Optional<DType> dtype = graph.types().of(node.input(0)).dtype();
        if (dtype.equals(Optional.of(DType.BOOL))) {
            through(op, DType.UINT8, DType.BOOL, node, graph, params);
        } else if (REAL.contains(node.op()) && dtype.filter(DType::isInteger).isPresent()) {
            through(op, DType.FLOAT64, dtype.get(), node, graph, params);
        } else {
            DirectTranslators.translate(op, node, graph, node.inputs(), params);
        }
    }

    /**
     * Computed in another type: truths as the numbers 0 and 1, means, roots and logarithms of integers as reals that are cut
     * off.
     */
    private static void through(
            DirectOperators.Operator op, DType other, DType own, OnnxNode node, OnnxGraphWriter graph, Params params) {
        Steps steps = new Steps(node, graph);
        String numbers = steps.cast(node.input(0), other);
        String reduced = steps.add(op.op(), params, numbers, node.optionalInput(1));
        steps.last("Cast", new Params().put("to", own.label()), reduced);
    }
}
