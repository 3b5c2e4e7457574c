package org.clinfer.plan.rule;

import java.util.Optional;
import org.clinfer.describe.Binding;
import org.clinfer.infer.CheckedNode;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * A float32 value that DequantizeLinear makes.
 *
 * @param quantized the name of the quantized values
 * @param data the quantized values where they are constant
 * @param position the DequantizeLinear; empty where it was folded
 */
record Dequantized(String quantized, Optional<Tensor> data, QuantizationParameters steps, Optional<Integer> position) {

    private static final String OP = "DequantizeLinear";

    static Optional<Dequantized> of(String value, Rewriting graph) {
        Optional<Part> part = Part.making(value, OP, graph);
        return part.isPresent()
                ? part.flatMap(found -> of(found, graph))
                : graph.origin(value, OP).flatMap(node -> of(node, graph));
    }

    private static Optional<Dequantized> of(Part part, Rewriting graph) {
        String quantized = part.input(0);
        return isSingle(part.binding())
                ? QuantizationParameters.of(graph.type(quantized).dtype(), part, graph)
                        .map(steps -> new Dequantized(
                                quantized, graph.constant(quantized), steps, Optional.of(part.position())))
                : Optional.empty();
    }

    private static Optional<Dequantized> of(CheckedNode node, Rewriting graph) {
        String quantized = node.node().inputs().get(0);
        String zero = node.node().inputs().size() > 2 ? node.node().inputs().get(2) : "";
        DType type = graph.type(quantized).dtype();
        return isSingle(node.binding())
                ? QuantizationParameters.of(
                                type, node.binding(), node.node().inputs().get(1), zero, graph)
                        .map(steps -> new Dequantized(quantized, graph.constant(quantized), steps, Optional.empty()))
                : Optional.empty();
    }

    private static boolean isSingle(Binding binding) {
        return binding.text("real_type").equals("float32");
    }

    /** Quantized values of one byte with one scale, which are computed. */
    boolean isPlain() {
        return steps.isOfBytes() && steps.isOne() && data.isEmpty();
    }

    /** The node that makes numbers of them, if only one other uses these. */
    Optional<Integer> own(String value, Rewriting graph) {
        return graph.users(value).stream().distinct().count() == 1 && !graph.isOutput(value)
                ? position
                : Optional.empty();
    }
}
