package org.clinfer.importer.onnx;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** ONNX Runtime's mixture of experts, and products with weights in the 16 values of bitsandbytes. */
final class MixtureTranslators {

    /** The values of FP4 and of NF4, by their codes. */
    private static final double[][] CODES = {
        {
            0,
            5.208333333e-03,
            0.66666667,
            1,
            0.33333333,
            0.5,
            0.16666667,
            0.25,
            -0.0,
            -5.208333333e-03,
            -0.66666667,
            -1,
            -0.33333333,
            -0.5,
            -0.16666667,
            -0.25
        },
        {
            -1,
            -0.6961928009986877,
            -0.5250730514526367,
            -0.39491748809814453,
            -0.28444138169288635,
            -0.18477343022823334,
            -0.09105003625154495,
            0,
            0.07958029955625534,
            0.16093020141124725,
            0.24611230194568634,
            0.33791524171829224,
            0.44070982933044434,
            0.5626170039176941,
            0.7229568362236023,
            1
        }
    };

    private static final int FC1 = 2;
    private static final int FC2 = 4;
    private static final int FC3 = 6;

    private MixtureTranslators() {}

    static Map<String, OnnxTranslator> all() {
        return Map.of("MoE", MixtureTranslators::experts, "MatMulBnb4", (node, graph) -> tableProduct(node, graph));
    }

    /** All experts compute all rows; the shares of those that are not chosen are 0. */
    private static void experts(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(3, 8);
        if (node.integer("use_sparse_mixer", 0) != 0) {
            throw node.unsupportedUse("use_sparse_mixer");
        }
        Steps steps = new Steps(node, graph);
        String rows = steps.add(
                "Reshape", node.input(0), steps.concat(List.of(steps.vector(-1), steps.sizes(node.input(0), -1))));
        String y = layer(node, steps, activated(node, steps, rows), FC2);
        String shares = steps.unsqueezed(steps.transposed(shares(node, graph, steps), 1, 0), 2);
        Params first = new Params().put("axis", new long[] {0}).put("keep_dims", false);
        String sum = steps.add("ReduceSum", first, steps.add("Mul", y, shares));
        steps.last("Reshape", sum, steps.shape(node.input(0)));
    }

    /** The products of rows and each expert's weights, with the axes expert, row and feature. */
    private static String layer(OnnxNode node, Steps steps, String x, int weights) {
        String product = steps.add("MatMul", x, steps.transposed(node.input(weights), 0, 2, 1));
        return node.hasInput(weights + 1)
                ? steps.add("Add", product, steps.unsqueezed(node.input(weights + 1), 1))
                : product;
    }

    private static String activated(OnnxNode node, Steps steps, String rows) {
        String type = node.text("activation_type", "relu");
        long fusion = node.integer("swiglu_fusion", 0);
        double alpha = node.real("activation_alpha", 1);
        double beta = node.real("activation_beta", 0);
        String all = layer(node, steps, rows, FC1);
        if (type.equals("swiglu")) {
            return gated(node, steps, rows, all, fusion, alpha, beta);
        }
        node.ignore("swiglu_limit");
        String active = switch (type) {
            case "relu" -> steps.add("Relu", all);
            case "gelu" -> steps.add("Gelu", new Params().put("approximate", "TANH"), all);
            case "silu" -> steps.add("Swish", new Params().put("alpha", 1.0), all);
            case "identity" -> all;
            default -> throw node.malformed("activation_type is '" + type + "'");
        };
        return node.hasInput(FC3) ? steps.add("Mul", active, layer(node, steps, rows, FC3)) : active;
    }

    /** Two layers side by side, whose features may alternate, or in two inputs. */
    private static String gated(
            OnnxNode node, Steps steps, String rows, String all, long fusion, double alpha, double beta) {
        DType dtype = steps.dtype(all);
        String gate;
        String line;
        if (fusion == 0) {
            gate = all;
            line = layer(node, steps, rows, FC3);
        } else {
            boolean alternates = fusion == 1;
            String pairs =
                    steps.add("Reshape", all, alternates ? steps.vector(0, 0, -1, 2) : steps.vector(0, 0, 2, -1));
            Params along = new Params().put("axis", alternates ? 3L : 2L);
            gate = steps.add("Gather", along, pairs, steps.whole(0));
            line = steps.add("Gather", along, pairs, steps.whole(1));
        }
        if (node.has("swiglu_limit")) {
            double limit = node.real("swiglu_limit");
            gate = steps.add("Min", gate, steps.scalar(dtype, limit));
            line = steps.add("Clip", new Params().put("min", -limit).put("max", limit), line);
        }
        String swish = steps.add("Swish", new Params().put("alpha", alpha), gate);
        return steps.add("Mul", swish, beta == 0 ? line : steps.add("Add", line, steps.scalar(dtype, beta)));
    }

    /** The share of each expert in each row, with the axes row and expert. */
    private static String shares(OnnxNode node, OnnxGraphWriter graph, Steps steps) {
        String scores = node.input(1);
        Params last = new Params().put("axis", -1L);
        String values = graph.freshName(node.output());
        String places = graph.freshName(node.output());
        boolean isNormal = node.integer("normalize_routing_weights", 0) != 0;
        String given = isNormal ? scores : steps.add("Softmax", last, scores);
        String k = steps.vector(node.integer("k", 1));
        graph.addStep(node, node.name() + "/best", "TopK", List.of(given, k), List.of(values, places), last);
        String chosen = isNormal ? steps.add("Softmax", last, values) : values;
        String none = steps.add("Expand", steps.scalar(steps.dtype(scores), 0), steps.shape(scores));
        return steps.add("ScatterElements", last, none, places, chosen);
    }

    /** Weights whose codes name values of a table, times a scale for each block; they become real numbers. */
    private static void tableProduct(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(3, 3);
        node.ignore("training_mode");
        long rows = node.integer("N");
        long columns = node.integer("K");
        long block = node.integer("block_size");
        long type = node.integer("quant_type");
        if (rows < 1
                || columns < 1
                || columns > Integer.MAX_VALUE / rows
                || block < 1
                || !Set.of(0L, 1L).contains(type)) {
            throw node.malformed("N " + rows + ", K " + columns + ", block_size " + block + ", quant_type " + type);
        }
        Tensor codes = constant(node, graph, 1, (rows * columns + 1) / 2);
        Tensor scales = constant(node, graph, 2, (rows * columns + block - 1) / block);
        ByteBuffer bytes = codes.bytes();
        Tensor weights = Tensor.allocate(scales.dtype(), rows, columns);
        for (long i = 0; i < weights.elements(); i++) {
            int pair = bytes.get((int) (i / 2)) & 0xff;
            int code = i % 2 == 0 ? pair >> 4 : pair & 0xf;
            weights.setDouble(i, CODES[(int) type][code] * scales.getDouble(i / block));
        }
        Steps steps = new Steps(node, graph);
        String table = steps.constant(weights);
        steps.last("MatMul", node.input(0), node.flag("transB", true) ? steps.transposed(table, 1, 0) : table);
    }

    private static Tensor constant(OnnxNode node, OnnxGraphWriter graph, int input, long least) {
        Tensor given = graph.constant(node.input(input))
                .orElseThrow(() -> node.unsupportedUse("input " + input + " that is no constant"));
        if (given.elements() < least) {
            throw node.malformed("input " + input + " has " + given.elements() + " elements, not " + least);
        }
        return given;
    }
}
