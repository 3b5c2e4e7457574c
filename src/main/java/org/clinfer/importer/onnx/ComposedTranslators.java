package org.clinfer.importer.onnx;

import static java.util.Map.entry;

import java.util.Arrays;
import java.util.Map;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** Operators that a few others say exactly: tests, selections by position, and normalisations by their formulas. */
final class ComposedTranslators {

    private static final float EPSILON = 1e-5f;

    private ComposedTranslators() {}

    static Map<String, OnnxTranslator> all() {
        return Map.ofEntries(
                entry("IsNaN", ComposedTranslators::isNaN),
                entry("IsInf", ComposedTranslators::isInf),
                entry("Hardmax", ComposedTranslators::hardmax),
                entry("OneHot", ComposedTranslators::oneHot),
                entry("EyeLike", ComposedTranslators::eyeLike),
                entry("Trilu", ComposedTranslators::trilu),
                entry("CenterCropPad", ComposedTranslators::centerCropPad),
                entry("LpNormalization", ComposedTranslators::lpNormalization),
                entry("GroupNormalization", ComposedTranslators::groupNormalization),
                entry("MeanVarianceNormalization", ComposedTranslators::meanVarianceNormalization),
                entry("Mish", ComposedTranslators::mish),
                entry("CumProd", (node, graph) -> new CumulativeProduct(node, graph).translate()),
                entry("SwiGLU", ComposedTranslators::swiGlu),
                entry("AffineGrid", (node, graph) -> new AffineGrid(node, graph).translate()),
                entry("Einsum", OnnxEinsum::translate),
                entry("TfIdfVectorizer", NgramCounts::translate),
                entry("Attention", (node, graph) -> new Attention(node, graph).translate()),
                entry("RotaryEmbedding", RotaryEmbedding::standard));
    }

    /** A NaN alone does not equal itself. */
    private static void isNaN(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        steps.last("Not", steps.add("Equal", node.input(0), node.input(0)));
    }

    private static void isInf(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        String x = node.input(0);
        boolean negative = node.flag("detect_negative", true);
        boolean positive = node.flag("detect_positive", true);
        if (!negative && !positive) {
            steps.last("Less", x, x);
            return;
        }
        double infinity = positive ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
        String sized = negative && positive ? steps.add("Abs", x) : x;
        steps.last("Equal", sized, steps.scalar(steps.dtype(x), infinity));
    }

    /** Before operator set 13 all axes from {@code axis} on count as one. */
    private static void hardmax(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        String x = node.input(0);
        if (node.opset() >= 13) {
            steps.last("Hardmax", new Params().put("axis", node.integer("axis", -1)), x);
            return;
        }
        String rows = steps.add("Flatten", new Params().put("axis", node.integer("axis", 1)), x);
        steps.last("Reshape", new Params().put("allow_zero", true), steps.add("Hardmax", rows), steps.shape(x));
    }

    private static void oneHot(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(3, 3);
        Steps steps = new Steps(node, graph);
        String depth = steps.cast(node.input(1), DType.INT64);
        Params params = new Params().put("axis", node.integer("axis", -1));
        steps.last("OneHot", params, node.input(0), depth, node.input(2));
    }

    private static void eyeLike(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        String x = node.input(0);
        DType dtype = node.has("dtype")
                ? OnnxElementTypes.require(Math.toIntExact(node.integer("dtype")), node.source(), "the output")
                : steps.dtype(x);
        String rows = steps.range(steps.size(x, 0), 1);
        String diagonal = steps.add("Add", rows, steps.whole(node.integer("k", 0)));
        String one = steps.add("Equal", diagonal, steps.range(steps.size(x, 1), 0));
        steps.last("Cast", new Params().put("to", dtype.label()), one);
    }

    private static void trilu(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 2);
        graph.add(node, "Trilu", node.inputs(), new Params().put("upper", node.flag("upper", true)));
    }

    /** Half of what an axis is too short or too long on either side; the odd one at the end. */
    private static void centerCropPad(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 2);
        Steps steps = new Steps(node, graph);
        String x = node.input(0);
        long[] axes = node.integers("axes").orElse(new long[0]);
        String sizes = node.has("axes") ? steps.sizes(x, axes) : steps.shape(x);
        String more = steps.add("Sub", steps.cast(node.input(1), DType.INT64), sizes);
        String before = steps.add("Div", more, steps.whole(2));
        String after = steps.add("Sub", more, before);
        String pads = steps.concat(Arrays.asList(before, after));
        if (node.has("axes")) {
            steps.last("Pad", x, pads, "", steps.vector(axes));
        } else {
            steps.last("Pad", x, pads);
        }
    }

    private static void lpNormalization(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        long p = node.integer("p", 2);
        if (p != 1 && p != 2) {
            throw node.unsupportedUse("p " + p);
        }
        Params params =
                new Params().put("axes", new long[] {node.integer("axis", -1)}).put("p", p);
        graph.add(node, "LpNorm", node.inputs(), params);
    }

    /** Scale and bias are those of groups before operator set 21, and those of channels from then on. */
    private static void groupNormalization(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(3, 3);
        long type = node.integer("stash_type", 1);
        if (type != 1) {
            throw node.unsupportedUse("stash_type " + type);
        }
        long groups = node.integer("num_groups");
        if (groups < 1) {
            throw node.malformed("num_groups must be at least 1, but is " + groups);
        }
        Params params = new Params().put("num_groups", groups).put("epsilon", node.real("epsilon", EPSILON));
        graph.add(node, "GroupNorm", node.inputs(), params);
    }

    private static void meanVarianceNormalization(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Params params = new Params().put("axes", node.integers("axes").orElse(new long[] {0, 2, 3}));
        graph.add(node, "MeanVarianceNorm", node.inputs(), params);
    }

    private static void mish(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        graph.add(node, "Mish", node.inputs(), new Params());
    }

    /** The second input, gated by Swish of the first. */
    private static void swiGlu(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 2);
        Steps steps = new Steps(node, graph);
        Params params = new Params().put("alpha", node.real("alpha", 1));
        steps.last("Mul", steps.add("Swish", params, node.input(0)), node.input(1));
    }
}
