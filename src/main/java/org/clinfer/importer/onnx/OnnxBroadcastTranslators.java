package org.clinfer.importer.onnx;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.LongStream;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Mean, and arithmetic and comparisons that broadcast as they did before operator set 7. */
final class OnnxBroadcastTranslators {

    /** Those that there were before operator set 7. */
    private static final List<String> BINARY =
            List.of("Add", "Sub", "Mul", "Div", "Pow", "Less", "Greater", "Equal", "And", "Or", "Xor");

    private OnnxBroadcastTranslators() {}

    static Map<String, OnnxTranslator> all() {
        Map<String, OnnxTranslator> all = new HashMap<>();
        BINARY.forEach(op -> all.put(op, OnnxBroadcastTranslators::binary));
        all.put("Mean", OnnxBroadcastTranslators::mean);
        return all;
    }

    private static void binary(OnnxNode node, OnnxGraphWriter graph) {
        String right = node.opset() < 7 ? alignedRight(node, graph) : node.input(1);
        DirectTranslators.translate(node, graph, List.of(node.input(0), right));
    }

    /**
     * Before operator set 7 the right operand broadcasts on request only, and {@code axis} says with which axes of the
     * left one its own line up; numpy's rule lines up the last ones, so ones are appended.
     */
    private static String alignedRight(OnnxNode node, OnnxGraphWriter graph) {
        boolean broadcast = node.flag("broadcast", false);
        if (!node.has("axis")) {
            return node.input(1);
        }
        long axis = node.integer("axis");
        OptionalInt rightRank = graph.types().rank(node.input(1));
        if (!broadcast || rightRank.orElse(1) == 0) {
            return node.input(1);
        }
        OptionalInt leftRank = graph.types().rank(node.input(0));
        if (leftRank.isEmpty() || rightRank.isEmpty()) {
            throw node.unsupportedUse("broadcast along an axis and inputs whose rank is not known");
        }
        int left = leftRank.getAsInt();
        int right = rightRank.getAsInt();
        long first = axis < 0 ? axis + left : axis;
        if (first < 0 || first + right > left) {
            throw node.malformed("axis " + axis + " does not fit inputs of rank " + left + " and " + right);
        }
        long[] appended = LongStream.range(right, left - first).toArray();
        return appended.length == 0
                ? node.input(1)
                : graph.addStep(node, "Unsqueeze", List.of(node.input(1)), new Params().put("axis", appended));
    }

    /** The sum times 1 / n. */
    private static void mean(OnnxNode node, OnnxGraphWriter graph) {
        int count = node.inputs().size();
        node.requireInputs(Math.max(1, count), Integer.MAX_VALUE);
        node.ignore("consumed_inputs");
        if (count == 1) {
            graph.add(node, "Identity", node.inputs(), new Params());
            return;
        }
        DType dtype = node.inputs().stream()
                .flatMap(input -> graph.types().of(input).dtype().stream())
                .findFirst()
                .orElseThrow(() -> node.unsupportedUse("inputs whose data type is not known"));
        Tensor share = Tensor.allocate(dtype);
        share.setDouble(0, 1.0 / count);
        String shareName = graph.freshName(node.output() + "/share");
        graph.addConstant(shareName, share);
        String sum = graph.addStep(node, "Sum", node.inputs(), new Params());
        graph.add(node, "Mul", List.of(sum, shareName), new Params());
    }
}
