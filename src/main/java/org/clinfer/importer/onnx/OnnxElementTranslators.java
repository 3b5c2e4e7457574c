package org.clinfer.importer.onnx;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.clinfer.importer.Params;

/** Activations that ONNX says in other words, or said so before. */
final class OnnxElementTranslators {

    private OnnxElementTranslators() {}

    static Map<String, OnnxTranslator> all() {
        return Map.of(
                "Selu", OnnxElementTranslators::selu,
                "Gelu", OnnxElementTranslators::gelu,
                "Clip", OnnxElementTranslators::clip,
                "PRelu", OnnxElementTranslators::prelu);
    }

    private static void unary(OnnxNode node, OnnxGraphWriter graph, Params params) {
        node.requireInputs(1, 1);
        node.ignore("consumed_inputs");
        graph.add(node, node.op(), node.inputs(), params);
    }

    /** Before operator set 6 the defaults have fewer digits. */
    private static void selu(OnnxNode node, OnnxGraphWriter graph) {
        DirectOperators.Operator op = DirectTranslators.operator("Selu");
        Params params = DirectTranslators.params(op, node);
        if (node.opset() < 6) {
            params.put("alpha", node.real("alpha", 1.6732f)).put("gamma", node.real("gamma", 1.0507f));
        }
        DirectTranslators.translate(op, node, graph, node.inputs(), params);
    }

    private static void gelu(OnnxNode node, OnnxGraphWriter graph) {
        String approximate = node.text("approximate", "none");
        if (!approximate.equals("none") && !approximate.equals("tanh")) {
            throw node.malformed("attribute 'approximate' must be none or tanh, but is '" + approximate + "'");
        }
        unary(node, graph, new Params().put("approximate", approximate.toUpperCase(Locale.ROOT)));
    }

    private static void clip(OnnxNode node, OnnxGraphWriter graph) {
        if (node.opset() >= 11) {
            node.requireInputs(1, 3);
            graph.add(node, "Clip", node.inputs(), new Params());
            return;
        }
        Params params = new Params();
        boolean bounded = node.opset() >= 6;
        if (bounded || node.has("min")) {
            params.put("min", node.real("min", -Float.MAX_VALUE));
        }
        if (bounded || node.has("max")) {
            params.put("max", node.real("max", Float.MAX_VALUE));
        }
        unary(node, graph, params);
    }

    /** Before operator set 7 a slope vector has one value per channel instead of broadcasting. */
    private static void prelu(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 2);
        node.ignore("consumed_inputs");
        String slope = node.input(1);
        if (node.opset() < 7 && graph.types().of(slope).size(0).orElse(0L) != 1) {
            int rank = graph.types()
                    .rank(node.input(0))
                    .orElseThrow(
                            () -> node.unsupportedUse("one slope per channel and an input whose rank is not known"));
            long[] axes =
                    IntStream.range(1, Math.max(rank - 1, 1)).asLongStream().toArray();
            if (axes.length > 0) {
                slope = graph.addStep(node, "Unsqueeze", List.of(slope), new Params().put("axis", axes));
            }
        }
        graph.add(node, "PRelu", Arrays.asList(node.input(0), slope), new Params().put("per_channel", false));
    }
}
