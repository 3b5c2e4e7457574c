package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.clinfer.importer.Params;

/**
 * Operators on quantized values that ONNX Runtime has beside those of ONNX, in its domain com.microsoft. Those without
 * sums of products are what they are defined by: dequantized, computed, and quantized again.
 */
final class OrtQuantizedTranslators {

    static final String DOMAIN = "com.microsoft";

    private OrtQuantizedTranslators() {}

    static Map<String, OnnxTranslator> all() {
        Map<String, OnnxTranslator> all = new HashMap<>();
        all.put("QuantizeLinear", QuantizeTranslators::quantize);
        all.put("DequantizeLinear", QuantizeTranslators::dequantize);
        all.put("QLinearAdd", (node, graph) -> binary(node, graph, "Add"));
        all.put("QLinearMul", (node, graph) -> binary(node, graph, "Mul"));
        all.put("QLinearLeakyRelu", OrtQuantizedTranslators::leakyRelu);
        all.put("QLinearSigmoid", OrtQuantizedTranslators::sigmoid);
        all.put("QLinearSoftmax", OrtQuantizedTranslators::softmax);
        all.put("QLinearConcat", OrtQuantizedTranslators::concat);
        all.put("QLinearWhere", OrtQuantizedTranslators::where);
        all.put("QLinearAveragePool", OrtQuantizedTranslators::averagePool);
        all.put("QLinearGlobalAveragePool", OrtQuantizedTranslators::globalAveragePool);
        all.put("QLinearReduceMean", OrtQuantizedTranslators::mean);
        all.put("QGemm", OrtQuantizedTranslators::gemm);
        all.put("DynamicQuantizeMatMul", OrtQuantizedTranslators::dynamicProduct);
        all.put("MatMulIntegerToFloat", OrtQuantizedTranslators::floatProduct);
        return all;
    }

    private static void binary(OnnxNode node, OnnxGraphWriter graph, String op) {
        node.requireInputs(2, 8);
        Quantization steps = new Quantization(node, graph);
        List<String> reals = List.of(steps.dequantized(0), steps.dequantized(3));
        steps.quantized(graph.addStep(node, op, reals, new Params()), 6, 0);
    }

    private static void unary(OnnxNode node, OnnxGraphWriter graph, String op, Params params) {
        node.requireInputs(2, 5);
        Quantization steps = new Quantization(node, graph);
        steps.quantized(graph.addStep(node, op, List.of(steps.dequantized(0)), params), 3, 0);
    }

    private static void leakyRelu(OnnxNode node, OnnxGraphWriter graph) {
        unary(node, graph, "LeakyRelu", new Params().put("alpha", node.real("alpha", 0.01f)));
    }

    private static void sigmoid(OnnxNode node, OnnxGraphWriter graph) {
        unary(node, graph, "Sigmoid", new Params());
    }

    /** The attribute opset tells which Softmax of ONNX it is. */
    private static void softmax(OnnxNode node, OnnxGraphWriter graph) {
        boolean flatten = node.integer("opset") < 13;
        unary(
                node,
                graph,
                "Softmax",
                new Params().put("axis", node.integer("axis", -1)).put("flatten", flatten));
    }

    /** Scale and zero point of the output stand first, then each input with its own. */
    private static void concat(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, Integer.MAX_VALUE);
        Quantization steps = new Quantization(node, graph);
        int given = node.inputs().size();
        List<String> parts = new ArrayList<>();
        for (int codes = 2; codes < given; codes += 3) {
            parts.add(steps.dequantized(codes));
        }
        if (parts.isEmpty()) {
            throw node.malformed("it joins no inputs");
        }
        String joined = graph.addStep(node, "Concat", parts, new Params().put("axis", node.integer("axis")));
        steps.quantized(joined, 0, 2);
    }

    private static void where(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(9, 9);
        Quantization steps = new Quantization(node, graph);
        List<String> inputs = List.of(node.input(0), steps.dequantized(1), steps.dequantized(4));
        steps.quantized(graph.addStep(node, "Where", inputs, new Params()), 7, 1);
    }

    private static void averagePool(OnnxNode node, OnnxGraphWriter graph) {
        Params params = new Params()
                .put("kernel_size", node.requiredIntegers("kernel_shape"))
                .put("ceil_mode", node.flag("ceil_mode", false) ? "CEIL" : "FLOOR")
                .put("count_include_pad", node.flag("count_include_pad", false));
        new OnnxWindow(node).putPadding(params);
        node.integers("strides").ifPresent(strides -> params.put("strides", strides));
        node.integers("dilations").ifPresent(dilation -> params.put("dilation", dilation));
        pool(node, graph, params);
    }

    private static void globalAveragePool(OnnxNode node, OnnxGraphWriter graph) {
        pool(node, graph, new Params().put("is_global", true));
    }

    private static void pool(OnnxNode node, OnnxGraphWriter graph, Params params) {
        if (!node.flag("channels_last", false)) {
            unary(node, graph, "AvgPool", params);
            return;
        }
        node.requireInputs(2, 5);
        OptionalInt rank = graph.types().rank(node.input(0));
        int axes = rank.orElseThrow(() -> node.unsupportedUse("channels_last and a number of axes that is not known"));
        if (axes < 3) {
            throw node.malformed("channels_last needs at least 3 axes, but the input has " + axes);
        }
        Quantization steps = new Quantization(node, graph);
        long[] first = LongStream.concat(LongStream.of(0, axes - 1), LongStream.range(1, axes - 1))
                .toArray();
        long[] last = LongStream.concat(
                        LongStream.of(0), LongStream.concat(LongStream.range(2, axes), LongStream.of(1)))
                .toArray();
        String turned =
                graph.addStep(node, "Transpose", List.of(steps.dequantized(0)), new Params().put("perm", first));
        String pooled = graph.addStep(node, "AvgPool", List.of(turned), params);
        steps.quantized(graph.addStep(node, "Transpose", List.of(pooled), new Params().put("perm", last)), 3, 0);
    }

    private static void mean(OnnxNode node, OnnxGraphWriter graph) {
        Params params = new Params().put("keep_dims", node.flag("keepdims", true));
        params.put("axis", node.integers("axes").orElse(new long[0]));
        unary(node, graph, "Mean", params);
    }

    /** Without a scale of the output the product is of real numbers. */
    private static void gemm(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(6, 9);
        Quantization steps = new Quantization(node, graph);
        String scale = steps.scale(node.input(1));
        double alpha = node.real("alpha", 1);
        if (alpha != 1) {
            scale = graph.addStep(node, "Mul", List.of(scale, steps.constant((float) alpha)), new Params());
        }
        String yScale = steps.scale(node.optionalInput(7));
        String yZero = node.optionalInput(8);
        if (!yScale.isEmpty() && yZero.isEmpty()) {
            throw node.unsupportedUse("y_scale and no y_zero_point");
        }
        List<String> inputs = List.of(
                turned(node, graph, 0, "transA"),
                turned(node, graph, 3, "transB"),
                node.optionalInput(6),
                node.input(2),
                node.input(5),
                scale,
                steps.scale(node.input(4)),
                yScale,
                yScale.isEmpty() ? "" : yZero);
        graph.add(node, "QuantizedMatMul", inputs, new Params());
    }

    private static String turned(OnnxNode node, OnnxGraphWriter graph, int input, String attribute) {
        return node.flag(attribute, false)
                ? graph.addStep(
                        node,
                        "Transpose",
                        List.of(node.input(input)),
                        new Params()
                                .put("perm", IntStream.of(1, 0).asLongStream().toArray()))
                : node.input(input);
    }

    private static void dynamicProduct(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(3, 5);
        Quantization steps = new Quantization(node, graph);
        String scale = graph.freshName(node.output());
        String zero = graph.freshName(node.output());
        QuantizeTranslators.dynamicSteps(node, graph, node.input(0), scale, zero);
        String codes = graph.addStep(node, "QuantizeLinear", List.of(node.input(0), scale, zero), new Params());
        List<String> inputs =
                List.of(codes, node.input(1), "", zero, node.optionalInput(3), scale, steps.scale(node.input(2)));
        withBias(node, graph, inputs, node.optionalInput(4));
    }

    private static void floatProduct(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(4, 7);
        Quantization steps = new Quantization(node, graph);
        List<String> inputs = List.of(
                node.input(0),
                node.input(1),
                "",
                node.optionalInput(4),
                node.optionalInput(5),
                steps.scale(node.input(2)),
                steps.scale(node.input(3)));
        withBias(node, graph, inputs, node.optionalInput(6));
    }

    /** A bias of real numbers is added to the product of real numbers. */
    private static void withBias(OnnxNode node, OnnxGraphWriter graph, List<String> inputs, String bias) {
        if (bias.isEmpty()) {
            graph.add(node, "QuantizedMatMul", inputs, new Params());
        } else {
            String product = graph.addStep(node, "QuantizedMatMul", inputs, new Params());
            graph.add(node, "Add", List.of(product, bias), new Params());
        }
    }
}
