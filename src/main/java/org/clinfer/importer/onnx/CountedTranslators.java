package org.clinfer.importer.onnx;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.clinfer.importer.Params;

/** Operators whose sizes data decide: there is room for as many results as there may be, which is cut to their number. */
final class CountedTranslators {

    private CountedTranslators() {}

    static Map<String, OnnxTranslator> all() {
        return Map.of(
                "NonMaxSuppression", CountedTranslators::nonMaxSuppression,
                "NonZero", CountedTranslators::nonZero,
                "Compress", CountedTranslators::compress,
                "Unique", Unique::translate);
    }

    private static void nonMaxSuppression(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 5);
        Params params = new Params().put("center_point_box", node.flag("center_point_box", false));
        String chosen = graph.freshName(node.output());
        String count = graph.freshName(node.output());
        String name = node.name() + "/all";
        graph.addStep(node, name, "NonMaxSuppression", node.inputs(), List.of(chosen, count), params);
        new Steps(node, graph).last("Slice", first(0), chosen, "", count);
    }

    private static void nonZero(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        String count = graph.freshName(node.output());
        String indices = indices(node, graph, node.input(0), count);
        new Steps(node, graph).last("Slice", first(1), indices, "", count);
    }

    /** The elements where a condition holds, which may be shorter than the axis; without an axis of all elements. */
    private static void compress(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 2);
        Steps steps = new Steps(node, graph);
        String held = positions(node, graph, node.input(1));
        if (node.has("axis")) {
            steps.last("Gather", new Params().put("axis", node.integer("axis")), node.input(0), held);
            return;
        }
        String all = steps.add("Reshape", node.input(0), steps.vector(-1));
        steps.last("Gather", new Params().put("axis", 0L), all, held);
    }

    /** The positions at which a vector of truths holds. */
    static String positions(OnnxNode node, OnnxGraphWriter graph, String truths) {
        Steps steps = new Steps(node, graph);
        String count = graph.freshName(node.output());
        String indices = indices(node, graph, truths, count);
        return steps.add("Reshape", steps.add("Slice", first(1), indices, "", count), steps.vector(-1));
    }

    private static String indices(OnnxNode node, OnnxGraphWriter graph, String x, String count) {
        String indices = graph.freshName(node.output());
        graph.addStep(node, node.name() + "/all", "NonZero", Arrays.asList(x), List.of(indices, count), new Params());
        return indices;
    }

    /** The parameters that a Slice needs beside the number of elements to take the first ones of an axis. */
    private static Params first(long axis) {
        return new Params().put("starts", new long[] {0}).put("axes", new long[] {axis});
    }
}
