package org.clinfer.importer.onnx;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** Quantized values: quantizing, dequantizing, and the convolutions and products of quantized values. */
final class QuantizeTranslators {

    /** Quantized values of 8 bits without a sign. */
    private static final float HIGHEST_BYTE = 255;

    private QuantizeTranslators() {}

    static Map<String, OnnxTranslator> all() {
        Map<String, OnnxTranslator> all = new HashMap<>();
        all.put("QuantizeLinear", QuantizeTranslators::quantize);
        all.put("DequantizeLinear", QuantizeTranslators::dequantize);
        all.put("DynamicQuantizeLinear", QuantizeTranslators::dynamicQuantize);
        all.put("QLinearConv", QuantizeTranslators::convolution);
        all.put("ConvInteger", QuantizeTranslators::integerConvolution);
        all.put("QLinearMatMul", QuantizeTranslators::product);
        all.put("MatMulInteger", QuantizeTranslators::integerProduct);
        return all;
    }

    static void quantize(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 3);
        Quantization steps = new Quantization(node, graph);
        Params params = axes(node);
        Optional<DType> asked = type(node, "output_dtype");
        if (asked.equals(Optional.of(DType.FLOAT8E8M0))) {
            throw node.unsupportedUse("codes of float8e8m0");
        }
        asked.ifPresent(type -> params.put("code_type", type.label()));
        Optional<DType> precision = type(node, "precision")
                .or(() -> graph.types()
                        .of(node.input(1))
                        .dtype()
                        .filter(type -> type.isFloating() && !type.isSmallFloat()));
        if (node.integer("saturate", 1) == 0) {
            params.put("saturate", false);
        }
        precision.ifPresent(type -> params.put("precision", type.label()));
        List<String> inputs = List.of(node.input(0), steps.scale(node.input(1)), node.optionalInput(2));
        graph.add(node, "QuantizeLinear", inputs, params);
    }

    static void dequantize(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 3);
        Quantization steps = new Quantization(node, graph);
        Params params = axes(node);
        DType real = type(node, "output_dtype")
                .or(() -> graph.types().of(node.input(1)).dtype())
                .orElse(DType.FLOAT32);
        if (real == DType.FLOAT8E8M0) {
            throw node.unsupportedUse("a scale of float8e8m0 without output_dtype");
        }
        params.put("real_type", real.label());
        List<String> inputs = List.of(node.input(0), steps.scale(node.input(1)), node.optionalInput(2));
        graph.add(node, "DequantizeLinear", inputs, params);
    }

    private static Params axes(OnnxNode node) {
        return new Params().put("axis", node.integer("axis", 1)).put("block_size", node.integer("block_size", 0));
    }

    /** A data type that an attribute names; 0 names none. */
    private static Optional<DType> type(OnnxNode node, String attribute) {
        long number = node.integer(attribute, 0);
        if (number != (int) number) {
            throw node.malformed("attribute '" + attribute + "' is " + number + ", which is no data type");
        }
        return number == 0
                ? Optional.empty()
                : Optional.of(OnnxElementTypes.require((int) number, node.source(), "attribute '" + attribute + "'"));
    }

    private static void dynamicQuantize(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        List<String> outputs = node.outputs();
        String scale = outputs.size() > 1 && !outputs.get(1).isEmpty() ? outputs.get(1) : graph.freshName("scale");
        String zero = outputs.size() > 2 && !outputs.get(2).isEmpty() ? outputs.get(2) : graph.freshName("zero");
        dynamicSteps(node, graph, node.input(0), scale, zero);
        graph.add(node, "QuantizeLinear", List.of(node.input(0), scale, zero), new Params());
    }

    /** The scale and the zero point of bytes that hold all values of a tensor, and 0. */
    static void dynamicSteps(OnnxNode node, OnnxGraphWriter graph, String x, String scale, String zero) {
        Quantization steps = new Quantization(node, graph);
        String none = steps.constant(0);
        String byteRange = steps.constant(HIGHEST_BYTE);
        String largest = graph.addStep(node, "ReduceMax", List.of(x), new Params());
        String smallest = graph.addStep(node, "ReduceMin", List.of(x), new Params());
        String high = graph.addStep(node, "Max", List.of(largest, none), new Params());
        String low = graph.addStep(node, "Min", List.of(smallest, none), new Params());
        String width = graph.addStep(node, "Sub", List.of(high, low), new Params());
        graph.addStep(node, "Div", List.of(width, byteRange), scale, new Params());
        String below = graph.addStep(node, "Sub", List.of(none, low), new Params());
        Params code = new Params().put("code_type", DType.UINT8.label());
        graph.addStep(node, "QuantizeLinear", List.of(below, scale), zero, code);
    }

    static void convolution(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(8, 9);
        Quantization steps = new Quantization(node, graph);
        List<String> inputs = List.of(
                node.input(0),
                node.input(3),
                node.optionalInput(8),
                node.input(2),
                node.input(5),
                steps.scale(node.input(1)),
                steps.scale(node.input(4)),
                steps.scale(node.input(6)),
                node.input(7));
        graph.add(node, "QuantizedConv", inputs, window(node, graph, 3));
    }

    private static void integerConvolution(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 4);
        List<String> inputs = List.of(node.input(0), node.input(1), "", node.optionalInput(2), node.optionalInput(3));
        graph.add(node, "QuantizedConv", inputs, window(node, graph, 1));
    }

    private static Params window(OnnxNode node, OnnxGraphWriter graph, int weights) {
        OnnxWindow window = new OnnxWindow(node);
        window.padMode(); // refuses an unknown mode
        requireKernel(node, graph.types().of(node.input(weights)));
        Params params = new Params().put("groups", node.integer("group", 1));
        node.integers("strides").ifPresent(strides -> params.put("strides", strides));
        node.integers("dilations").ifPresent(dilations -> params.put("dilations", dilations));
        if (!window.autoPad().equals("NOTSET")) {
            params.put("auto_pad", window.autoPad().toLowerCase(Locale.ROOT));
        }
        window.pads().ifPresent(pads -> {
            int half = pads.length / 2;
            params.put("pads_begin", Arrays.copyOfRange(pads, 0, half));
            params.put("pads_end", Arrays.copyOfRange(pads, half, pads.length));
        });
        return params;
    }

    private static void requireKernel(OnnxNode node, KnownType weights) {
        long[] kernel = node.integers("kernel_shape").orElse(new long[0]);
        for (int axis = 0; axis < kernel.length; axis++) {
            long size = kernel[axis];
            if (weights.size(axis + 2).filter(known -> known != size).isPresent()) {
                throw node.malformed("kernel_shape is " + Arrays.toString(kernel) + ", but the weights are "
                        + weights.shape().map(Object::toString).orElse("unknown"));
            }
        }
    }

    private static void product(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(8, 8);
        Quantization steps = new Quantization(node, graph);
        List<String> inputs = List.of(
                node.input(0),
                node.input(3),
                "",
                node.input(2),
                node.input(5),
                steps.scale(node.input(1)),
                steps.scale(node.input(4)),
                steps.scale(node.input(6)),
                node.input(7));
        graph.add(node, "QuantizedMatMul", inputs, new Params());
    }

    private static void integerProduct(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 4);
        List<String> inputs = List.of(node.input(0), node.input(1), "", node.optionalInput(2), node.optionalInput(3));
        graph.add(node, "QuantizedMatMul", inputs, new Params());
    }
}
