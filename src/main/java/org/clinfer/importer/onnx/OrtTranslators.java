package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** Operators of ONNX Runtime's domain that are ones of ONNX in another form, or a few of them. */
final class OrtTranslators {

    /** The operator sets whose operators those of ONNX Runtime were first, or extend. */
    private static final long OLD = 11;

    private static final long GRID_SAMPLE = 16;
    private static final long TRILU = 14;
    private static final long CACHED = 27;
    private static final long[] CHANNELS_SECOND = {0, 3, 1, 2};
    private static final long[] CHANNELS_LAST = {0, 2, 3, 1};

    private final Map<String, OnnxTranslator> standard;

    /** @param standard ONNX's own operators */
    OrtTranslators(Map<String, OnnxTranslator> standard) {
        this.standard = standard;
    }

    Map<String, OnnxTranslator> all() {
        Map<String, OnnxTranslator> all = new HashMap<>();
        all.put("GatherND", (node, graph) -> same(node, graph, "GatherND", OLD));
        all.put("Pad", (node, graph) -> same(node, graph, "Pad", OLD));
        all.put("GridSample", (node, graph) -> same(node, graph, "GridSample", GRID_SAMPLE));
        all.put("Trilu", (node, graph) -> same(node, graph, "Trilu", TRILU));
        all.put("Range", OrtTranslators::range);
        all.put("ExpandDims", OrtTranslators::expandDims);
        all.put("TorchEmbedding", OrtTranslators::embedding);
        all.put("Unique", this::unique);
        all.put("NhwcMaxPool", (node, graph) -> channelsLast(node, graph, "MaxPool", List.of(0)));
        all.put("NhwcFusedConv", OrtTranslators::fusedConvolution);
        all.put("QLinearConv", this::quantizedConvolution);
        all.put("BiasSoftmax", this::biasSoftmax);
        all.put("BiasDropout", OrtTranslators::biasDropout);
        all.put("BitmaskBiasDropout", OrtTranslators::biasDropout);
        all.put("BitmaskDropout", OrtTranslators::dropout);
        all.put("CDist", OrtTranslators::distances);
        all.put("ComplexMul", (node, graph) -> complexProduct(node, graph, false));
        all.put("ComplexMulConj", (node, graph) -> complexProduct(node, graph, true));
        all.put("GemmFastGelu", OrtTranslators::gemmFastGelu);
        all.put("MulInteger", OrtTranslators::integerProduct);
        all.put("ReduceSumInteger", OrtTranslators::integerSum);
        all.put("UnfoldTensor", OrtTranslators::unfold);
        all.put("RelativePositionBias", OrtTranslators::relativePositionBias);
        all.put("GemmaRotaryEmbedding", OrtTranslators::gemmaRotation);
        all.put("QEmbedLayerNormalization", this::embedLayerNorm);
        all.put("GatedAdd", OrtTranslators::gatedAdd);
        all.put("GatedRMSNorm", OrtTranslators::gatedNorm);
        all.put("LinearAttention", (node, graph) -> cached(node, graph, "LinearAttention"));
        all.put("CausalConvWithState", (node, graph) -> cached(node, graph, "CausalConvWithState"));
        all.put("LinearAttentionGate", OrtTranslators::attentionGate);
        return all;
    }

    private void same(OnnxNode node, OnnxGraphWriter graph, String op, long version) {
        as(node, graph, op, version, node.inputs(), node.allOutputs());
    }

    /** The node as another operator, which has all of its attributes but some. */
    private void as(
            OnnxNode node,
            OnnxGraphWriter graph,
            String op,
            long version,
            List<String> inputs,
            List<String> outputs,
            String... without) {
        OnnxNode plain = node.as(op, version, inputs, outputs, Set.of(without));
        Objects.requireNonNull(standard.get(op)).translate(plain, graph);
        plain.requireAllConsumed();
    }

    /** ONNX's operator, unless an attribute asks for more than that has. */
    private void cached(OnnxNode node, OnnxGraphWriter graph, String op) {
        Map<String, Long> plain = Map.of("state_window", 0L, "channels_last", 0L, "dilation", 1L, "ndim", 1L);
        plain.forEach((attribute, usual) -> {
            if (node.integer(attribute, usual) != usual) {
                throw node.unsupportedUse(attribute + " " + node.integer(attribute, usual));
            }
        });
        as(
                node,
                graph,
                op,
                CACHED,
                node.inputs(),
                node.allOutputs(),
                plain.keySet().toArray(String[]::new));
    }

    private static void range(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 3);
        Steps steps = new Steps(node, graph);
        DType dtype = steps.dtype(node.input(0));
        String delta = node.hasInput(2) ? node.input(2) : steps.scalar(dtype, 1);
        steps.last("Range", node.input(0), node.input(1), delta);
    }

    private static void expandDims(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 2);
        Steps steps = new Steps(node, graph);
        steps.last(
                "Unsqueeze",
                node.input(0),
                steps.add("Reshape", steps.cast(node.input(1), DType.INT64), steps.vector(1)));
    }

    private static void embedding(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 4);
        graph.add(node, "Gather", List.of(node.input(0), node.input(1)), new Params().put("axis", 0L));
    }

    /** The outputs are those of ONNX's but for the positions of the first ones, in the order of these. */
    private void unique(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        List<String> outputs = new ArrayList<>(node.allOutputs());
        outputs.add(1, "");
        Unique.ofFirst(node.as("Unique", OLD, node.inputs(), outputs, Set.of()), graph);
    }

    /** The operator between transpositions of some inputs and of the output. */
    private void channelsLast(OnnxNode node, OnnxGraphWriter graph, String op, List<Integer> turned) {
        Steps steps = new Steps(node, graph);
        List<String> inputs = new ArrayList<>(node.inputs());
        turned.forEach(input -> inputs.set(input, steps.transposed(node.input(input), CHANNELS_SECOND)));
        String y = graph.freshName(node.output());
        as(node, graph, op, OLD + 1, inputs, List.of(y), "channels_last");
        steps.last("Transpose", new Params().put("perm", CHANNELS_LAST), y);
    }

    private void quantizedConvolution(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(8, 9);
        if (node.flag("channels_last", false)) {
            channelsLast(node, graph, "QLinearConv", List.of(0));
        } else {
            as(node, graph, "QLinearConv", OLD, node.inputs(), node.allOutputs(), "channels_last");
        }
    }

    private static void fusedConvolution(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 4);
        Steps steps = new Steps(node, graph);
        List<String> inputs = new ArrayList<>(node.inputs());
        inputs.set(0, steps.transposed(node.input(0), CHANNELS_SECOND));
        if (node.hasInput(3)) {
            inputs.set(3, steps.transposed(node.input(3), CHANNELS_SECOND));
        }
        String y = graph.freshName(node.output());
        OnnxNode plain = node.as("FusedConv", 1, inputs, List.of(y), Set.of());
        FusedTranslators.conv(plain, graph);
        plain.requireAllConsumed();
        steps.last("Transpose", new Params().put("perm", CHANNELS_LAST), y);
    }

    /** All axes from {@code axis} on count as one, as those of Softmax did. */
    private void biasSoftmax(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 2);
        node.ignore("is_inner_broadcast"); // follows from the sizes
        String sum = new Steps(node, graph).add("Add", node.input(0), node.input(1));
        as(node, graph, "Softmax", OLD, List.of(sum), node.allOutputs(), "is_inner_broadcast");
    }

    private static void refuseTraining(OnnxNode node, OnnxGraphWriter graph, int input) {
        node.ignore("seed");
        boolean isInference = !node.hasInput(input)
                || graph.element(node.input(input)).filter(is -> is == 0).isPresent();
        if (!isInference) {
            throw node.unsupportedUse("training_mode");
        }
        if (graph.isOutputUsed(node, 1)) {
            throw node.unsupportedUse("an output of the mask");
        }
    }

    private static void dropout(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 3);
        refuseTraining(node, graph, 2);
        graph.add(node, "Identity", List.of(node.input(0)), new Params());
    }

    private static void biasDropout(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 5);
        refuseTraining(node, graph, 4);
        Steps steps = new Steps(node, graph);
        if (node.hasInput(2)) {
            steps.last("Add", steps.add("Add", node.input(0), node.input(1)), node.input(2));
        } else {
            steps.last("Add", node.input(0), node.input(1));
        }
    }

    /** By squares and products, around the mean of the second rows, where they are small. */
    private static void distances(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 2);
        Steps steps = new Steps(node, graph);
        DType dtype = steps.dtype(node.input(0));
        String metric = node.text("metric", "sqeuclidean");
        if (!Set.of("sqeuclidean", "euclidean").contains(metric)) {
            throw node.malformed("metric is '" + metric + "'");
        }
        Params rows = new Params().put("axis", new long[] {1}).put("keep_dims", true);
        String mean = steps.add("Mean", new Params().put("axis", new long[] {0}).put("keep_dims", true), node.input(1));
        String a = steps.add("Sub", node.input(0), mean);
        String b = steps.add("Sub", node.input(1), mean);
        String squares = steps.add(
                "Add",
                steps.add("ReduceSumSquare", rows, a),
                steps.transposed(steps.add("ReduceSumSquare", rows, b), 1, 0));
        String products = steps.add("MatMul", a, steps.transposed(b, 1, 0));
        String square =
                steps.add("Relu", steps.add("Sub", squares, steps.add("Mul", products, steps.scalar(dtype, 2))));
        steps.last(metric.equals("euclidean") ? "Sqrt" : "Identity", square);
    }

    /** Numbers whose real and imaginary parts stand side by side. */
    private static void complexProduct(OnnxNode node, OnnxGraphWriter graph, boolean conjugate) {
        node.requireInputs(2, 2);
        Steps steps = new Steps(node, graph);
        String[] parts = new String[4];
        for (int i = 0; i < 4; i++) {
            parts[i] = steps.slice(node.input(i / 2), -1, i % 2, i % 2 == 0 ? 1 : 2);
        }
        String equal = steps.add("Mul", parts[0], parts[2]);
        String imaginary = steps.add("Mul", parts[1], parts[3]);
        String first = steps.add("Mul", parts[1], parts[2]);
        String second = steps.add("Mul", parts[0], parts[3]);
        steps.last(
                "Concat",
                new Params().put("axis", -1L),
                steps.add(conjugate ? "Add" : "Sub", equal, imaginary),
                steps.add(conjugate ? "Sub" : "Add", first, second));
    }

    private static void gemmFastGelu(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 3);
        Steps steps = new Steps(node, graph);
        String product = steps.add("MatMul", node.input(0), node.input(1));
        String sum = node.hasInput(2) ? steps.add("Add", product, node.input(2)) : product;
        steps.last("Gelu", new Params().put("approximate", "TANH"), sum);
    }

    private static void integerProduct(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(3, 4);
        Steps steps = new Steps(node, graph);
        String a = steps.cast(node.input(0), DType.INT32);
        String b = steps.cast(node.input(2), DType.INT32);
        steps.last("Mul", aboveZero(node, steps, a, 1), aboveZero(node, steps, b, 3));
    }

    private static String aboveZero(OnnxNode node, Steps steps, String codes, int zero) {
        return node.hasInput(zero) ? steps.add("Sub", codes, steps.cast(node.input(zero), DType.INT32)) : codes;
    }

    private static void integerSum(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        Params params = new Params()
                .put("axis", node.requiredIntegers("axes"))
                .put("keep_dims", node.integer("keepdims", 1) != 0);
        steps.last("ReduceSum", params, steps.cast(node.input(0), DType.INT32));
    }

    /** Windows of an axis, whose elements become the last axis. */
    private static void unfold(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        int rank = steps.rank(node.input(0));
        long given = node.integer("dim", -1);
        long axis = given < 0 ? given + rank : given;
        long size = node.integer("size");
        long step = node.integer("step", 1);
        if (axis < 0 || axis >= rank || size < 1 || step < 1) {
            throw node.malformed("dim " + given + ", size " + size + " and step " + step + " of " + rank + " axes");
        }
        String last = steps.add("Sub", steps.size(node.input(0), axis), steps.whole(size - 1));
        String starts = steps.add("Range", steps.whole(0), last, steps.whole(step));
        String places = steps.add("Add", steps.unsqueezed(starts, 1), steps.range(steps.whole(size), 0));
        String windows = steps.add("Gather", new Params().put("axis", axis), node.input(0), places);
        long[] perm = new long[rank + 1];
        for (int i = 0; i < rank; i++) {
            perm[i] = i <= axis ? i : i + 1L;
        }
        perm[rank] = axis + 1;
        steps.last("Transpose", new Params().put("perm", perm), windows);
    }

    /** A row of the table for each pair of positions: near ones have a row each, far ones share one by their logarithms. */
    private static void relativePositionBias(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(3, 3);
        Steps steps = new Steps(node, graph);
        boolean isBidirectional = node.integer("is_bidirectional", 0) != 0;
        long most = node.integer("max_distance");
        long all = steps.knownSize(node.input(0), 0)
                .orElseThrow(() -> node.unsupportedUse("a table whose size is not known beforehand"));
        long buckets = isBidirectional ? all / 2 : all;
        long exact = buckets / 2;
        if (exact < 1 || most <= exact) {
            throw node.malformed("max_distance " + most + " of " + all + " rows");
        }
        String queries = steps.range(length(node, steps, 1), 1);
        String ahead = steps.add("Sub", steps.range(length(node, steps, 2), 0), queries);
        String none = steps.whole(0);
        String far = isBidirectional ? steps.add("Abs", ahead) : steps.add("Neg", steps.add("Min", ahead, none));
        String real = steps.cast(steps.add("Max", far, steps.whole(1)), DType.FLOAT32);
        String logarithm = steps.add("Log", steps.add("Div", real, steps.scalar(DType.FLOAT32, (double) exact)));
        double factor = (buckets - exact) / Math.log((double) most / exact);
        String shared = steps.cast(steps.add("Mul", logarithm, steps.scalar(DType.FLOAT32, factor)), DType.INT64);
        String bounded = steps.add("Min", steps.add("Add", shared, steps.whole(exact)), steps.whole(buckets - 1));
        String bucket = steps.add("Where", steps.add("Less", far, steps.whole(exact)), far, bounded);
        if (isBidirectional) {
            String later =
                    steps.add("Mul", steps.cast(steps.add("Greater", ahead, none), DType.INT64), steps.whole(buckets));
            bucket = steps.add("Add", bucket, later);
        }
        String rows = steps.add("Gather", new Params().put("axis", 0L), node.input(0), bucket);
        steps.last("Unsqueeze", new Params().put("axis", new long[] {0}), steps.transposed(rows, 2, 0, 1));
    }

    private static String length(OnnxNode node, Steps steps, int input) {
        return steps.add("Squeeze", steps.add("Reshape", steps.cast(node.input(input), DType.INT64), steps.vector(1)));
    }

    /** Queries and keys with their halves exchanged already. */
    private static void gemmaRotation(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(5, 5);
        Steps steps = new Steps(node, graph);
        DType dtype = steps.dtype(node.input(1));
        String angles = steps.unsqueezed(node.input(0), 1);
        String cosines = steps.cast(steps.add("Cos", angles), dtype);
        String sines = steps.cast(steps.add("Sin", angles), dtype);
        for (int i = 0; i < 2; i++) {
            String straight = steps.add("Mul", node.input(1 + 2 * i), cosines);
            steps.output(i, "Add", straight, steps.add("Mul", node.input(2 + 2 * i), sines));
        }
    }

    /** EmbedLayerNormalization of tables that are dequantized first. */
    private void embedLayerNorm(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(13, 18);
        Quantization steps = new Quantization(node, graph);
        List<String> inputs = new ArrayList<>(List.of(node.input(0), node.optionalInput(1)));
        for (int table = 2; table < 7; table++) {
            List<String> codes =
                    List.of(node.optionalInput(table), node.optionalInput(table + 6), node.optionalInput(table + 11));
            inputs.add(
                    codes.get(0).isEmpty()
                            ? ""
                            : graph.addStep(
                                    node,
                                    "DequantizeLinear",
                                    List.of(codes.get(0), steps.scale(codes.get(1)), codes.get(2)),
                                    new Params()));
        }
        inputs.add(node.optionalInput(7));
        OnnxNode plain = node.as("EmbedLayerNormalization", 1, inputs, node.allOutputs(), Set.of());
        FusedTranslators.embedLayerNorm(plain, graph);
        plain.requireAllConsumed();
    }

    private static void gatedAdd(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(3, 3);
        Steps steps = new Steps(node, graph);
        steps.last("Add", node.input(0), steps.add("Mul", node.input(1), node.input(2)));
    }

    /** Groups of as many neighbours as there are scales, in float32. */
    private static void gatedNorm(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(3, 3);
        Steps steps = new Steps(node, graph);
        DType dtype = steps.dtype(node.input(0));
        String sizes = steps.concat(List.of(steps.vector(-1), steps.sizes(node.input(1), 0)));
        String x = steps.add("Reshape", steps.cast(node.input(0), DType.FLOAT32), sizes);
        String gate = steps.add("Reshape", steps.cast(node.input(2), DType.FLOAT32), sizes);
        Params params = new Params().put("axis", -1L).put("epsilon", node.real("epsilon", 1e-5f));
        String normal = steps.add("RmsNorm", params, x, steps.cast(node.input(1), DType.FLOAT32));
        String gated = steps.add("Mul", normal, steps.add("Swish", new Params().put("alpha", 1.0), gate));
        steps.last("Reshape", steps.cast(gated, dtype), steps.shape(node.input(0)));
    }

    private static void attentionGate(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(3, 4);
        Steps steps = new Steps(node, graph);
        DType dtype = steps.dtype(node.input(0));
        String sum = steps.add("Add", steps.cast(node.input(0), DType.FLOAT32), node.input(1));
        String decay = steps.add("Mul", steps.add("Softplus", sum), node.input(2));
        steps.output(0, "Identity", steps.cast(decay, dtype));
        if (node.hasInput(3)) {
            String beta = steps.add("Sigmoid", steps.cast(node.input(3), DType.FLOAT32));
            steps.output(1, "Identity", steps.cast(beta, dtype));
        }
    }
}
