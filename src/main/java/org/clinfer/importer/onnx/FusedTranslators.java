package org.clinfer.importer.onnx;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/**
 * The operators that ONNX Runtime's optimizer makes of several and keeps in models that it writes, in its domain
 * com.microsoft: most are made of others, because the plan finds for the device at hand what goes together.
 */
final class FusedTranslators {

    /** The operator set whose Conv and Gemm the fused ones extend. */
    private static final long STANDARD = 13;

    private static final float SKIP_EPSILON = 1e-12f;
    private static final float ROOT_EPSILON = 1e-5f;
    private static final float QUICK = 1.702f;

    private FusedTranslators() {}

    static Map<String, OnnxTranslator> all() {
        Map<String, OnnxTranslator> all = new HashMap<>();
        all.put("FusedConv", FusedTranslators::conv);
        all.put("FusedGemm", FusedTranslators::gemm);
        all.put("FusedMatMul", FusedTranslators::matMul);
        all.put("TransposeMatMul", FusedTranslators::matMul);
        all.put("FusedMatMulActivation", FusedTranslators::matMul);
        all.put("Gelu", (node, graph) -> gelu(node, graph, "NONE", false));
        all.put("BiasGelu", (node, graph) -> gelu(node, graph, "NONE", true));
        all.put("FastGelu", (node, graph) -> gelu(node, graph, "TANH", node.hasInput(1)));
        all.put("QuickGelu", FusedTranslators::quickGelu);
        all.put("SkipLayerNormalization", (node, graph) -> skipNorm(node, graph, "SkipLayerNorm", 5));
        all.put("SkipSimplifiedLayerNormalization", (node, graph) -> skipNorm(node, graph, "SkipRmsNorm", 4));
        all.put("EmbedLayerNormalization", FusedTranslators::embedLayerNorm);
        all.put("RotaryEmbedding", RotaryEmbedding::ofRuntime);
        all.put("Attention", PackedAttention::ofReals);
        all.put("QAttention", PackedAttention::ofCodes);
        all.put("GroupQueryAttention", (node, graph) -> new GroupQueryAttention(node, graph).translate());
        all.put("MatMulNBits", BlockQuantization::product);
        all.put("GatherBlockQuantized", BlockQuantization::rows);
        all.put("MultiHeadAttention", (node, graph) -> new MultiHeadAttention(node, graph).translate());
        return all;
    }

    /** Of ONNX's own domain by name, but known to ONNX Runtime alone. */
    static Map<String, OnnxTranslator> ofStandardDomain() {
        return Map.of("SimplifiedLayerNormalization", FusedTranslators::rootNorm);
    }

    static void conv(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 4);
        Steps steps = new Steps(node, graph);
        double[] params = node.reals("activation_params").orElse(new double[0]);
        String function = node.text("activation", "");
        List<String> inputs = List.of(node.input(0), node.input(1), node.optionalInput(2));
        String sum =
                steps.standard(OnnxConvolutionTranslators::conv, STANDARD, inputs, "activation", "activation_params");
        if (node.hasInput(3)) {
            sum = steps.add("Add", sum, node.input(3));
        }
        activation(node, steps, function, params, sum);
    }

    private static void gemm(OnnxNode node, OnnxGraphWriter graph) {
        Steps steps = new Steps(node, graph);
        String sum = steps.standard(
                DirectTranslators::gemm,
                STANDARD,
                node.inputs(),
                "activation",
                "activation_alpha",
                "activation_beta",
                "activation_gamma");
        fusedActivation(node, steps, sum);
    }

    /** An activation with a parameter in an attribute each. */
    private static void fusedActivation(OnnxNode node, Steps steps, String sum) {
        double[] params = Stream.of("activation_alpha", "activation_beta", "activation_gamma")
                .filter(node::has)
                .mapToDouble(node::real)
                .toArray();
        activation(node, steps, node.text("activation", ""), params, sum);
    }

    private static void activation(OnnxNode node, Steps steps, String function, double[] given, String x) {
        switch (function) {
            case "" -> steps.last("Identity", x);
            case "Relu", "Sigmoid", "Tanh" -> steps.last(function, x);
            case "LeakyRelu" -> steps.last("LeakyRelu", new Params().put("alpha", param(given, 0, 0.01f)), x);
            case "HardSigmoid" -> {
                Params line = new Params().put("alpha", param(given, 0, 0.2f)).put("beta", param(given, 1, 0.5f));
                steps.last("HardSigmoid", line, x);
            }
            case "Clip" -> {
                if (given.length != 2) {
                    throw node.malformed("the activation Clip needs 2 parameters, but has " + given.length);
                }
                steps.last("Clip", new Params().put("min", given[0]).put("max", given[1]), x);
            }
            default -> throw node.unsupportedUse("activation " + function);
        }
    }

    private static double param(double[] given, int index, float otherwise) {
        return index < given.length ? given[index] : otherwise;
    }

    private static void matMul(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 2);
        Steps steps = new Steps(node, graph);
        String a = turned(steps, ofBatches(node, steps, 0, "transBatchA"), node.flag("transA", false));
        String b = turned(steps, ofBatches(node, steps, 1, "transBatchB"), node.flag("transB", false));
        double alpha = node.real("alpha", 1);
        boolean isActivated = node.op().equals("FusedMatMulActivation");
        if (alpha == 1 && !isActivated) {
            steps.last("MatMul", a, b);
            return;
        }
        String product = steps.add("MatMul", a, b);
        String factor = steps.scalar(steps.dtype(a), alpha);
        if (isActivated) {
            fusedActivation(node, steps, steps.add("Mul", product, factor));
        } else {
            steps.last("Mul", product, factor);
        }
    }

    /** The first axis goes behind the other ones of batches, where an attribute asks for it. */
    private static String ofBatches(OnnxNode node, Steps steps, int input, String attribute) {
        String given = node.input(input);
        return node.flag(attribute, false) ? steps.moved(given, 0, Math.max(0, steps.rank(given) - 2)) : given;
    }

    /** With the last two axes exchanged; a vector stays one. */
    private static String turned(Steps steps, String matrices, boolean turn) {
        if (!turn || steps.rank(matrices) < 2) {
            return matrices;
        }
        int rank = steps.rank(matrices);
        long[] perm = LongStream.range(0, rank).toArray();
        perm[rank - 1] = rank - 2L;
        perm[rank - 2] = rank - 1L;
        return steps.transposed(matrices, perm);
    }

    private static void gelu(OnnxNode node, OnnxGraphWriter graph, String approximate, boolean biased) {
        node.requireInputs(biased ? 2 : 1, biased ? 2 : 1);
        graph.add(node, biased ? "BiasGelu" : "Gelu", node.inputs(), new Params().put("approximate", approximate));
    }

    private static void quickGelu(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        graph.add(node, "Swish", node.inputs(), new Params().put("alpha", node.real("alpha", QUICK)));
    }

    /** The fourth output is the sum that is normalized. */
    private static void skipNorm(OnnxNode node, OnnxGraphWriter graph, String op, int mostInputs) {
        node.requireInputs(3, mostInputs);
        refuseStatistics(node, graph);
        addWithSum(node, graph, op, node.inputs(), 3);
    }

    /** Adds a normalization of a sum, which is an output, too, where the model uses it. */
    private static void addWithSum(OnnxNode node, OnnxGraphWriter graph, String op, List<String> inputs, int sum) {
        List<String> outputs = graph.isOutputUsed(node, sum)
                ? List.of(node.output(), node.outputs().get(sum))
                : List.of(node.output());
        graph.add(node, op, inputs, outputs, new Params().put("epsilon", node.real("epsilon", SKIP_EPSILON)));
    }

    /** The mask is not an input of EmbedLayerNorm: the second output alone depends on it. */
    static void embedLayerNorm(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 9);
        List<String> inputs = List.of(
                node.input(0),
                node.optionalInput(1),
                node.input(2),
                node.input(3),
                node.optionalInput(4),
                node.input(5),
                node.input(6),
                node.optionalInput(8));
        addWithSum(node, graph, "EmbedLayerNorm", inputs, 2);
        wordCounts(node, graph, new Steps(node, graph));
    }

    /** The number of words of each batch, by its mask; 0 without one. */
    private static void wordCounts(OnnxNode node, OnnxGraphWriter graph, Steps steps) {
        node.ignore("mask_index_type"); // says no more than what the second output is used for
        if (!graph.isOutputUsed(node, 1)) {
            return;
        }
        if (!node.hasInput(7)) {
            Params zeros = new Params().put("value", 0.0).put("dtype", DType.INT32.label());
            String none = steps.add("ConstantOfShape", zeros, steps.sizes(node.input(0), 0));
            steps.output(1, "Reshape", none, steps.vector(-1));
            return;
        }
        String mask = node.input(7);
        String words = steps.cast(steps.add("Equal", mask, steps.scalar(steps.dtype(mask), 1)), DType.INT32);
        Params rows = new Params().put("axis", new long[] {1}).put("keep_dims", false);
        steps.output(1, "Reshape", steps.add("ReduceSum", rows, words), steps.vector(-1));
    }

    private static void rootNorm(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 2);
        refuseStatistics(node, graph);
        node.ignore("stash_type");
        Params params =
                new Params().put("axis", node.integer("axis", -1)).put("epsilon", node.real("epsilon", ROOT_EPSILON));
        graph.add(node, "RmsNorm", OnnxNormalizationTranslators.withWholeRows(node, graph), params);
    }

    private static void refuseStatistics(OnnxNode node, OnnxGraphWriter graph) {
        if (graph.isOutputUsed(node, 1) || graph.isOutputUsed(node, 2)) {
            throw node.unsupportedUse("outputs of mean or deviation");
        }
    }
}
