package org.clinfer.importer.onnx;

import java.util.Map;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** Losses, which models keep that were exported with them. */
final class LossTranslators {

    private LossTranslators() {}

    static Map<String, OnnxTranslator> all() {
        return Map.of(
                "NegativeLogLikelihoodLoss",
                LossTranslators::likelihood,
                "SoftmaxCrossEntropyLoss",
                LossTranslators::crossEntropy);
    }

    private static Params withoutAxes() {
        return new Params().put("keep_dims", false);
    }

    private static void likelihood(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 3);
        loss(node, graph, node.input(0));
    }

    private static void crossEntropy(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 3);
        Steps steps = new Steps(node, graph);
        String logarithms = steps.add("LogSoftmax", new Params().put("axis", 1L), node.input(0));
        loss(node, graph, logarithms);
        steps.output(1, "Identity", logarithms);
    }

    /** The negative element of each target's class times the weight of the class; targets to be ignored count nothing. */
    private static void loss(OnnxNode node, OnnxGraphWriter graph, String logarithms) {
        Steps steps = new Steps(node, graph);
        DType dtype = steps.dtype(node.input(0));
        String reduction = node.text("reduction", "mean");
        String target = steps.cast(node.input(1), DType.INT64);
        boolean ignores = node.has("ignore_index");
        String counts = "";
        if (ignores) {
            counts = steps.add("Not", steps.add("Equal", target, steps.whole(node.integer("ignore_index", 0))));
            target = steps.add("Where", counts, target, steps.whole(0));
        }
        String zero = steps.scalar(dtype, 0);
        String chosen =
                steps.add("GatherElements", new Params().put("axis", 1L), logarithms, steps.unsqueezed(target, 1));
        String losses = steps.add("Neg", steps.add("Squeeze", new Params().put("axis", new long[] {1}), chosen));
        String weights = "";
        if (node.hasInput(2)) {
            weights = steps.add("Gather", new Params().put("axis", 0L), node.input(2), target);
            losses = steps.add("Mul", losses, weights);
        }
        if (ignores) {
            losses = steps.add("Where", counts, losses, zero);
            weights = weights.isEmpty() ? steps.cast(counts, dtype) : steps.add("Where", counts, weights, zero);
        }
        switch (reduction) {
            case "none" -> steps.last("Identity", losses);
            case "sum" -> steps.last("ReduceSum", withoutAxes(), losses);
            case "mean" -> {
                if (weights.isEmpty()) {
                    steps.last("Mean", withoutAxes(), losses);
                } else {
                    String sum = steps.add("ReduceSum", withoutAxes(), losses);
                    steps.last("Div", sum, steps.add("ReduceSum", withoutAxes(), weights));
                }
            }
            default -> throw node.malformed("attribute 'reduction' must be none, sum or mean, but is " + reduction);
        }
    }
}
