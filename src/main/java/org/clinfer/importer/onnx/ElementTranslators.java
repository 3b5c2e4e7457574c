package org.clinfer.importer.onnx;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.clinfer.importer.Params;

/** Element-wise operators with one input: activations and arithmetic. */
final class ElementTranslators {

    /** Operators without parameters. */
    private static final List<String> PLAIN = List.of(
            "Relu",
            "Sigmoid",
            "Tanh",
            "HardSwish",
            "Softplus",
            "Softsign",
            "Exp",
            "Log",
            "Sqrt",
            "Abs",
            "Neg",
            "Reciprocal",
            "Floor",
            "Ceil",
            "Round",
            "Sign",
            "Erf",
            "Sin",
            "Cos",
            "Not",
            "Identity");

    private ElementTranslators() {}

    static Map<String, Translator> all() {
        Map<String, Translator> all = new HashMap<>();
        PLAIN.forEach(op -> all.put(op, (node, graph) -> unary(node, graph, new Params())));
        all.put("LeakyRelu", (node, graph) -> unary(node, graph, real(node, "alpha", 0.01f)));
        all.put("Elu", (node, graph) -> unary(node, graph, real(node, "alpha", 1)));
        all.put(
                "HardSigmoid",
                (node, graph) -> unary(node, graph, real(node, "alpha", 0.2f).put("beta", node.real("beta", 0.5f))));
        all.put("Selu", ElementTranslators::selu);
        all.put("Gelu", ElementTranslators::gelu);
        all.put("Swish", (node, graph) -> unary(node, graph, real(node, "alpha", 1)));
        all.put("Clip", ElementTranslators::clip);
        all.put("PRelu", ElementTranslators::prelu);
        return all;
    }

    private static Params real(OnnxNode node, String name, float otherwise) {
        return new Params().put(name, node.real(name, otherwise));
    }

    private static void unary(OnnxNode node, GraphWriter graph, Params params) {
        node.requireInputs(1, 1);
        node.ignore("consumed_inputs");
        graph.add(node, node.op(), node.inputs(), params);
    }

    private static void selu(OnnxNode node, GraphWriter graph) {
        boolean first = node.opset() < 6;
        Params params = new Params()
                .put("alpha", node.real("alpha", first ? 1.6732f : 1.6732632f))
                .put("gamma", node.real("gamma", first ? 1.0507f : 1.050701f));
        unary(node, graph, params);
    }

    private static void gelu(OnnxNode node, GraphWriter graph) {
        String approximate = node.text("approximate", "none");
        if (!approximate.equals("none") && !approximate.equals("tanh")) {
            throw node.malformed("attribute 'approximate' must be none or tanh, but is '" + approximate + "'");
        }
        unary(node, graph, new Params().put("approximate", approximate.toUpperCase(Locale.ROOT)));
    }

    private static void clip(OnnxNode node, GraphWriter graph) {
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
    private static void prelu(OnnxNode node, GraphWriter graph) {
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
