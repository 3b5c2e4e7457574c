package org.clinfer.importer.onnx;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** The reductions, whose axes moved from an attribute to an input in operator set 18 (ReduceSum: 13). */
final class ReduceTranslators {

    private static final List<String> OPERATORS = List.of(
            "ReduceMean",
            "ReduceSum",
            "ReduceMax",
            "ReduceMin",
            "ReduceProd",
            "ReduceL1",
            "ReduceL2",
            "ReduceSumSquare",
            "ReduceLogSum",
            "ReduceLogSumExp");

    private ReduceTranslators() {}

    static Map<String, Translator> all() {
        Map<String, Translator> all = new HashMap<>();
        OPERATORS.forEach(op -> all.put(op, ReduceTranslators::reduce));
        return all;
    }

    private static void reduce(OnnxNode node, GraphWriter graph) {
        boolean axesAreInput = node.opset() >= (node.op().equals("ReduceSum") ? 13 : 18);
        node.requireInputs(1, axesAreInput ? 2 : 1);
        Params params = new Params()
                .put("keep_dims", node.flag("keepdims", true))
                .put("noop_with_empty_axis", axesAreInput && node.flag("noop_with_empty_axes", false));
        if (!axesAreInput) {
            node.integers("axes").ifPresent(axes -> params.put("axis", axes));
        }
        if (graph.types().of(node.input(0)).dtype().equals(Optional.of(DType.BOOL))) {
            truths(node, graph, params);
        } else {
            graph.add(node, node.op().equals("ReduceMean") ? "Mean" : node.op(), node.inputs(), params);
        }
    }

    /** Largest and smallest truths, as the numbers 0 and 1. */
    private static void truths(OnnxNode node, GraphWriter graph, Params params) {
        Steps steps = new Steps(node, graph);
        String numbers = steps.cast(node.input(0), DType.UINT8);
        String reduced = steps.add(node.op(), params, numbers, node.optionalInput(1));
        steps.last("Cast", new Params().put("to", DType.BOOL.label()), reduced);
    }
}
