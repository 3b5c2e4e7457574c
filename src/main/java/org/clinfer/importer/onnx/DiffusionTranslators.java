package org.clinfer.importer.onnx;

import java.util.List;
import java.util.Map;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** The operators that ONNX Runtime's optimizer makes of diffusion models, whose pictures have the channels last. */
final class DiffusionTranslators {

    /** The operator set whose Conv NhwcConv extends. */
    private static final long STANDARD = 13;

    private static final float EPSILON = 1e-5f;

    private DiffusionTranslators() {}

    static Map<String, OnnxTranslator> all() {
        return Map.of(
                "GroupNorm", DiffusionTranslators::groupNorm,
                "SkipGroupNorm", DiffusionTranslators::skipGroupNorm,
                "BiasAdd", DiffusionTranslators::biasAdd,
                "BiasSplitGelu", DiffusionTranslators::biasSplitGelu,
                "NhwcConv", DiffusionTranslators::convolution);
    }

    private static void groupNorm(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(3, 3);
        normalize(node, new Steps(node, graph), node.input(0));
    }

    /** The addend may have one pixel for all, and then two axes or four. */
    private static void skipGroupNorm(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(4, 5);
        Steps steps = new Steps(node, graph);
        String skip = node.input(3);
        if (steps.rank(skip) == 2) {
            skip = steps.unsqueezed(steps.unsqueezed(skip, 1), 1);
        }
        String sum = steps.add("Add", node.input(0), skip);
        if (node.hasInput(4)) {
            sum = steps.add("Add", sum, node.input(4));
        }
        if (!node.flag("channels_last", true)) {
            throw node.unsupportedUse("channels_last 0");
        }
        steps.output(1, "Identity", sum);
        normalize(node, steps, sum);
    }

    private static void normalize(OnnxNode node, Steps steps, String x) {
        long groups = node.integer("groups");
        if (groups < 1) {
            throw node.malformed("groups must be at least 1, but is " + groups);
        }
        long activation = node.integer("activation");
        if (activation != 0 && activation != 1) {
            throw node.malformed("activation must be 0 or 1, but is " + activation);
        }
        boolean last = node.flag("channels_last", true);
        Params params = new Params().put("num_groups", groups).put("epsilon", node.real("epsilon", EPSILON));
        DType dtype = steps.dtype(node.input(0));
        String normal = steps.add(
                "GroupNorm",
                params,
                last ? steps.transposed(x, 0, 3, 1, 2) : x,
                perChannel(node, steps, 1, dtype),
                perChannel(node, steps, 2, dtype));
        String active = activation == 0 ? normal : steps.add("Swish", new Params().put("alpha", 1.0), normal);
        if (last) {
            steps.last("Transpose", new Params().put("perm", new long[] {0, 2, 3, 1}), active);
        } else {
            steps.last("Identity", active);
        }
    }

    /** Float32 even where the picture is of narrower floats. */
    private static String perChannel(OnnxNode node, Steps steps, int input, DType dtype) {
        String given = node.input(input);
        return steps.dtype(given) == dtype ? given : steps.cast(given, dtype);
    }

    private static void biasAdd(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(3, 3);
        Steps steps = new Steps(node, graph);
        steps.last("Add", steps.add("Add", node.input(0), node.input(1)), node.input(2));
    }

    /** The first half of the features times Gelu of the second. */
    private static void biasSplitGelu(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 2);
        Steps steps = new Steps(node, graph);
        String sum = steps.add("Add", node.input(0), node.input(1));
        String half = steps.add("Div", steps.sizes(sum, -1), steps.vector(2));
        String first = steps.slice(sum, -1, steps.vector(0), half);
        String second = steps.slice(sum, -1, half, steps.vector(Long.MAX_VALUE));
        steps.last("Mul", first, steps.add("Gelu", new Params().put("approximate", "NONE"), second));
    }

    private static void convolution(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 3);
        Steps steps = new Steps(node, graph);
        String x = steps.transposed(node.input(0), 0, 3, 1, 2);
        String weights = steps.transposed(node.input(1), 0, 3, 1, 2);
        List<String> inputs = List.of(x, weights, node.optionalInput(2));
        String y = steps.standard(OnnxConvolutionTranslators::conv, STANDARD, inputs);
        steps.last("Transpose", new Params().put("perm", new long[] {0, 2, 3, 1}), y);
    }
}
