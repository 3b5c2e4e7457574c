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

    static Map<String, Translator> all() {
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
                entry("Einsum", (node, graph) -> new Einsum(node, graph).translate()),
                entry("Attention", (node, graph) -> new Attention(node, graph).translate()),
                entry("RotaryEmbedding", RotaryEmbedding::standard));
    }

    /** A NaN alone does not equal itself. */
    private static void isNaN(OnnxNode node, GraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        steps.last("Not", steps.add("Equal", node.input(0), node.input(0)));
    }

    private static void isInf(OnnxNode node, GraphWriter graph) {
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

    /** One where the first largest element is. Before operator set 13 all axes from {@code axis} on count as one. */
    private static void hardmax(OnnxNode node, GraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        String x = node.input(0);
        DType dtype = steps.dtype(x);
        if (node.opset() >= 13) {
            long axis = node.integer("axis", -1);
            String largest = largest(steps, x, axis, axis < 0 ? -axis - 1 : behind(node, steps.rank(x), axis));
            steps.last("Cast", new Params().put("to", dtype.label()), largest);
            return;
        }
        String rows = steps.add("Flatten", new Params().put("axis", node.integer("axis", 1)), x);
        String ones = steps.cast(largest(steps, rows, -1, 0), dtype);
        steps.last("Reshape", ones, steps.shape(x));
    }

    private static String largest(Steps steps, String x, long axis, long behind) {
        Params params = new Params().put("axis", axis).put("keepdims", true);
        String place = steps.add("ArgMax", params, x);
        return steps.add("Equal", steps.range(steps.size(x, axis), behind), place);
    }

    /** The number of axes behind one, of so many. */
    private static long behind(OnnxNode node, int rank, long axis) {
        long behind = axis < 0 ? -axis - 1 : rank - 1 - axis;
        if (behind < 0 || behind >= Math.max(rank, 1)) {
            throw node.malformed("axis " + axis + " is outside of " + rank + " axes");
        }
        return behind;
    }

    /** On where the index is the position, which a negative index counts from the end; nowhere for one outside. */
    private static void oneHot(OnnxNode node, GraphWriter graph) {
        node.requireInputs(3, 3);
        Steps steps = new Steps(node, graph);
        long axis = node.integer("axis", -1);
        long behind;
        if (axis < 0) {
            behind = -axis - 1;
        } else {
            behind = behind(node, steps.rank(node.input(0)) + 1, axis);
        }
        String depth = steps.cast(steps.add("Squeeze", node.input(1)), DType.INT64);
        String given = steps.cast(node.input(0), DType.INT64);
        String wrapped =
                steps.add("Where", steps.add("Less", given, steps.whole(0)), steps.add("Add", given, depth), given);
        String indices = steps.add("Unsqueeze", new Params().put("axis", new long[] {axis}), wrapped);
        String chosen = steps.add("Equal", indices, steps.range(depth, behind));
        Params first = new Params().put("axis", 0L);
        String off = steps.add("Gather", first, node.input(2), steps.whole(0));
        String on = steps.add("Gather", first, node.input(2), steps.whole(1));
        steps.last("Where", chosen, on, off);
    }

    private static void eyeLike(OnnxNode node, GraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        String x = node.input(0);
        DType dtype = node.has("dtype")
                ? ElementTypes.require(Math.toIntExact(node.integer("dtype")), node.source(), "the output")
                : steps.dtype(x);
        String rows = steps.range(steps.size(x, 0), 1);
        String diagonal = steps.add("Add", rows, steps.whole(node.integer("k", 0)));
        String one = steps.add("Equal", diagonal, steps.range(steps.size(x, 1), 0));
        steps.last("Cast", new Params().put("to", dtype.label()), one);
    }

    /** Zero below or above a diagonal. */
    private static void trilu(OnnxNode node, GraphWriter graph) {
        node.requireInputs(1, 2);
        Steps steps = new Steps(node, graph);
        String x = node.input(0);
        String diagonal = steps.range(steps.size(x, -2), 1);
        if (node.hasInput(1)) {
            diagonal = steps.add("Add", diagonal, node.input(1));
        }
        String columns = steps.range(steps.size(x, -1), 0);
        String test = node.flag("upper", true) ? "GreaterOrEqual" : "LessOrEqual";
        steps.last("Where", steps.add(test, columns, diagonal), x, steps.scalar(steps.dtype(x), 0));
    }

    /** Half of what an axis is too short or too long on either side; the odd one at the end. */
    private static void centerCropPad(OnnxNode node, GraphWriter graph) {
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

    /** By the sum of sizes or the root of the sum of squares; what is 0 throughout stays so. */
    private static void lpNormalization(OnnxNode node, GraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        String x = node.input(0);
        long p = node.integer("p", 2);
        if (p != 1 && p != 2) {
            throw node.unsupportedUse("p " + p);
        }
        DType dtype = steps.dtype(x);
        Params params =
                new Params().put("axis", new long[] {node.integer("axis", -1)}).put("keep_dims", true);
        String norm = steps.add(p == 1 ? "ReduceL1" : "ReduceL2", params, x);
        String none = steps.add("Equal", norm, steps.scalar(dtype, 0));
        steps.last("Div", x, steps.add("Where", none, steps.scalar(dtype, 1), norm));
    }

    /**
     * An InstanceNormalization in which a group counts as a channel. Scale and bias are those of groups before operator
     * set 21, and those of channels from then on.
     */
    private static void groupNormalization(OnnxNode node, GraphWriter graph) {
        node.requireInputs(3, 3);
        long type = node.integer("stash_type", 1);
        if (type != 1) {
            throw node.unsupportedUse("stash_type " + type);
        }
        Steps steps = new Steps(node, graph);
        String x = node.input(0);
        long groups = node.integer("num_groups");
        if (groups < 1) {
            throw node.malformed("num_groups must be at least 1, but is " + groups);
        }
        Params params = new Params().put("epsilon", node.real("epsilon", EPSILON));
        String grouped = steps.add("Reshape", x, steps.vector(0, groups, -1));
        if (node.opset() < 21) {
            String all = steps.add("InstanceNorm", params, grouped, node.input(1), node.input(2));
            steps.last("Reshape", all, steps.shape(x));
            return;
        }
        DType dtype = steps.dtype(x);
        String plain =
                steps.add("InstanceNorm", params, grouped, steps.fill(dtype, groups, 1), steps.fill(dtype, groups, 0));
        String target = steps.concat(Arrays.asList(steps.vector(0), steps.shape(node.input(1)), steps.vector(-1)));
        String channels = steps.add("Reshape", plain, target);
        Params behind = new Params().put("axis", new long[] {1});
        String scaled = steps.add("Mul", channels, steps.add("Unsqueeze", behind, node.input(1)));
        String shifted = steps.add("Add", scaled, steps.add("Unsqueeze", behind, node.input(2)));
        steps.last("Reshape", shifted, steps.shape(x));
    }

    /** The small number that ONNX adds to the deviation, not to the variance. */
    private static void meanVarianceNormalization(OnnxNode node, GraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        String x = node.input(0);
        Params over = new Params()
                .put("axis", node.integers("axes").orElse(new long[] {0, 2, 3}))
                .put("keep_dims", true);
        String centred = steps.add("Sub", x, steps.add("Mean", over, x));
        String variance = steps.add("Mean", over, steps.add("Mul", centred, centred));
        String deviation = steps.add("Add", steps.add("Sqrt", variance), steps.scalar(steps.dtype(x), 1e-9));
        steps.last("Div", centred, deviation);
    }

    private static void mish(OnnxNode node, GraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        String x = node.input(0);
        steps.last("Mul", x, steps.add("Tanh", steps.add("Softplus", x)));
    }

    /** The second input, gated by Swish of the first. */
    private static void swiGlu(OnnxNode node, GraphWriter graph) {
        node.requireInputs(2, 2);
        Steps steps = new Steps(node, graph);
        Params params = new Params().put("alpha", node.real("alpha", 1));
        steps.last("Mul", steps.add("Swish", params, node.input(0)), node.input(1));
    }
}
