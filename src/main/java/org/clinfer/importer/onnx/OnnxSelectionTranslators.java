package org.clinfer.importer.onnx;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.clinfer.importer.Params;
import org.clinfer.tensor.Tensor;

/** Operators that join, cut or pad along axes. */
final class OnnxSelectionTranslators {

    private static final Set<String> PAD_MODES = Set.of("constant", "reflect", "edge", "wrap");

    private OnnxSelectionTranslators() {}

    static Map<String, OnnxTranslator> all() {
        return Map.of(
                "Concat", OnnxSelectionTranslators::concat,
                "Split", OnnxSelectionTranslators::split,
                "Pad", OnnxSelectionTranslators::pad);
    }

    private static void concat(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(Math.max(1, node.inputs().size()), Integer.MAX_VALUE);
        long axis = node.opset() < 4 ? node.integer("axis", 1) : node.integer("axis");
        graph.add(node, "Concat", node.inputs(), new Params().put("axis", axis));
    }

    /** The sizes are an input in operator sets 1 and from 13 on, an attribute before. */
    private static void split(OnnxNode node, OnnxGraphWriter graph) {
        int parts = node.allOutputs().size();
        boolean sizesAreInput = node.opset() == 1 || node.opset() >= 13;
        node.requireInputs(1, sizesAreInput ? 2 : 1);
        if (node.integer("num_outputs", parts) != parts) {
            throw node.malformed(
                    "num_outputs is " + node.integer("num_outputs", parts) + ", but it has " + parts + " outputs");
        }
        Params params = new Params().put("axis", node.integer("axis", 0)).put("num_outputs", parts);
        if (node.opset() < 13) {
            node.integers("split").ifPresent(sizes -> params.put("split", sizes));
        }
        graph.add(node, "Split", node.inputs(), node.allOutputs(), params);
    }

    private static void pad(OnnxNode node, OnnxGraphWriter graph) {
        String mode = node.text("mode", "constant");
        if (!PAD_MODES.contains(mode)) {
            throw node.unsupportedUse("mode " + mode);
        }
        Params params = new Params().put("mode", mode.toUpperCase(Locale.ROOT));
        if (node.opset() >= 11) {
            node.requireInputs(2, 4);
            graph.add(node, "Pad", mode.equals("wrap") ? cut(node, graph) : node.inputs(), params);
            return;
        }
        node.requireInputs(1, 1);
        params.put("pads", node.requiredIntegers(node.opset() == 1 ? "paddings" : "pads"))
                .put("constant_value", node.real("value", 0));
        graph.add(node, "Pad", List.of(node.input(0)), params);
    }

    /** The inputs of a Pad that repeats what is left of x where widths below 0 cut it. */
    private static List<String> cut(OnnxNode node, OnnxGraphWriter graph) {
        String pads = node.input(1);
        Optional<long[]> widths = graph.constant(pads).map(Tensor::toLongArray);
        boolean isOneWay = widths.filter(all -> LongStream.of(all).allMatch(width -> width >= 0)
                        || LongStream.of(all).allMatch(width -> width <= 0))
                .isPresent();
        if (isOneWay) {
            return node.inputs();
        }
        Steps steps = new Steps(node, graph);
        String zero = steps.vector(0);
        Params constant = new Params().put("mode", "CONSTANT");
        String left =
                steps.add("Pad", constant, node.input(0), steps.add("Min", pads, zero), "", node.optionalInput(3));
        return List.of(left, steps.add("Max", pads, zero), node.optionalInput(2), node.optionalInput(3));
    }
}
