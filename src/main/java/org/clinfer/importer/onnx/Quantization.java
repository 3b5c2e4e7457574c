package org.clinfer.importer.onnx;

import java.util.List;
import java.util.Optional;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** The common part of the operators on quantized values: steps from those to real numbers and back. */
final class Quantization {

    private final OnnxNode node;
    private final OnnxGraphWriter graph;

    Quantization(OnnxNode node, OnnxGraphWriter graph) {
        this.node = node;
        this.graph = graph;
    }

    /** A scale as float32, which operators take alone; {@code ""} where it is left out. */
    String scale(String value) {
        boolean isFloat = graph.types().of(value).dtype().equals(Optional.of(DType.FLOAT32));
        return value.isEmpty() || isFloat
                ? value
                : graph.addStep(node, "Cast", List.of(value), new Params().put("to", DType.FLOAT32.label()));
    }

    /** The type of a value that must be known. */
    DType type(String value, String what) {
        return graph.types()
                .of(value)
                .dtype()
                .orElseThrow(() -> node.unsupportedUse("a " + what + " whose data type is not known"));
    }

    /** Quantized values, with their scale and zero point behind them among the inputs, as real numbers. */
    String dequantized(int quantized) {
        List<String> inputs =
                List.of(node.input(quantized), scale(node.input(quantized + 1)), node.optionalInput(quantized + 2));
        return graph.addStep(node, "DequantizeLinear", inputs, new Params());
    }

    /**
     * The node's output: real numbers as quantized values.
     *
     * @param scale the position of the scale among the inputs; the zero point follows it
     * @param like the position of quantized values of the type that the output has where there is no zero point
     */
    void quantized(String reals, int scale, int like) {
        Params params = new Params();
        if (!node.hasInput(scale + 1)) {
            params.put(
                    "code_type",
                    type(node.input(like), "zero point left out and an input").label());
        }
        List<String> inputs = List.of(reals, scale(node.input(scale)), node.optionalInput(scale + 1));
        graph.add(node, "QuantizeLinear", inputs, params);
    }

    /** A float32 scalar as a constant. */
    String constant(float value) {
        String name = graph.freshName(node.output());
        graph.addConstant(name, Tensor.scalar(value));
        return name;
    }
}
