package org.clinfer.importer.onnx;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** MaxPool, AveragePool, their global forms, and MaxRoiPool. */
final class OnnxPoolingTranslators {

    private static final int LEAST_POOLED = 3;
    private static final int MOST_POOLED = 5;

    private OnnxPoolingTranslators() {}

    static Map<String, OnnxTranslator> all() {
        return Map.of(
                "MaxPool",
                OnnxPoolingTranslators::maxPool,
                "AveragePool",
                OnnxPoolingTranslators::averagePool,
                "LpPool",
                OnnxPoolingTranslators::lpPool,
                "GlobalLpPool",
                OnnxPoolingTranslators::globalLpPool,
                "GlobalMaxPool",
                (node, graph) -> global(node, graph, "MaxPool", "ReduceMax"),
                "GlobalAveragePool",
                (node, graph) -> global(node, graph, "AvgPool", "Mean"),
                "MaxRoiPool",
                OnnxPoolingTranslators::roiPool);
    }

    private static void maxPool(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        long order = node.integer("storage_order", 0);
        if (graph.isOutputUsed(node, 0) || !graph.isOutputUsed(node, 1)) {
            graph.add(node, "MaxPool", List.of(node.input(0)), window(node));
        }
        if (graph.isOutputUsed(node, 1)) {
            Params params = window(node).put("storage_order", order);
            List<String> indices = List.of(node.outputs().get(1));
            graph.addStep(node, node.name() + "/Indices", "MaxPoolIndices", List.of(node.input(0)), indices, params);
        }
    }

    private static void averagePool(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Params params = window(node).put("count_include_pad", node.flag("count_include_pad", false));
        graph.add(node, "AvgPool", List.of(node.input(0)), params);
    }

    /** The root of the sum of powers; the sum is the mean that counts the padding, times the size of the window. */
    private static void lpPool(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        DType dtype = steps.dtype(node.input(0));
        double p = power(node);
        Params params = window(node).put("count_include_pad", true);
        if (node.flag("ceil_mode", false) && new OnnxWindow(node).autoPad().equals("NOTSET")) {
            params.put("padding", roundedUp(node, graph)).put("ceil_mode", "FLOOR");
        }
        String mean = steps.add("AvgPool", params, powers(steps, node.input(0), p, dtype));
        double size = Arrays.stream(node.requiredIntegers("kernel_shape")).reduce(1, (a, b) -> a * b);
        String sum = steps.add("Mul", mean, steps.scalar(dtype, size));
        root(steps, sum, p, dtype);
    }

    /**
     * The padding with which whole windows are as many as those that are rounded up: begin and end of each axis in turn. A
     * window that would begin behind the picture and its padding in front is none.
     */
    private static long[] roundedUp(OnnxNode node, OnnxGraphWriter graph) {
        long[] kernel = node.requiredIntegers("kernel_shape");
        long[] padding = new OnnxWindow(node).padsByAxis().orElse(new long[2 * kernel.length]);
        if (padding.length != 2 * kernel.length) {
            throw node.malformed(
                    "pads must be begin and end of " + kernel.length + " axes, but are " + padding.length + " numbers");
        }
        for (int axis = 0; axis < kernel.length; axis++) {
            long size = graph.types()
                    .of(node.input(0))
                    .size(axis + 2)
                    .orElseThrow(() -> node.unsupportedUse("ceil_mode 1 and sizes that are not known"));
            long stride = node.element("strides", axis, 1);
            if (stride < 1) {
                throw node.malformed("strides must be at least 1, but one is " + stride);
            }
            long window = node.element("dilations", axis, 1) * (kernel[axis] - 1) + 1;
            long before = padding[2 * axis] + size;
            long steps = Math.max(0, Math.floorDiv(before + padding[2 * axis + 1] - window + stride - 1, stride));
            if (steps * stride >= before) {
                steps--;
            }
            padding[2 * axis + 1] = Math.max(padding[2 * axis + 1], steps * stride + window - before);
        }
        return padding;
    }

    private static void globalLpPool(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        Steps steps = new Steps(node, graph);
        DType dtype = steps.dtype(node.input(0));
        double p = power(node);
        Params params = overSpace(steps.rank(node.input(0)));
        String sum = steps.add("ReduceSum", params, powers(steps, node.input(0), p, dtype));
        root(steps, sum, p, dtype);
    }

    /** A reduction of all axes but the first two. */
    private static Params overSpace(int rank) {
        long[] axes = IntStream.range(2, rank).asLongStream().toArray();
        return new Params().put("axis", axes).put("keep_dims", true).put("noop_with_empty_axis", true);
    }

    /** A real number in operator set 1. */
    private static double power(OnnxNode node) {
        double p = node.opset() < 2 ? node.real("p", 2) : (double) node.integer("p", 2);
        if (!(p > 0) || Double.isInfinite(p)) {
            throw node.malformed("p must be above 0, but is " + p);
        }
        return p;
    }

    private static String powers(Steps steps, String x, double p, DType dtype) {
        if (p == 2) {
            return steps.add("Mul", x, x);
        }
        String size = steps.add("Abs", x);
        return p == 1 ? size : steps.add("Pow", size, steps.scalar(dtype, p));
    }

    private static void root(Steps steps, String sum, double p, DType dtype) {
        if (p == 1) {
            steps.last("Identity", sum);
        } else if (p == 2) {
            steps.last("Sqrt", sum);
        } else {
            steps.last("Pow", sum, steps.scalar(dtype, 1 / p));
        }
    }

    private static void roiPool(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 2);
        Params params = new Params()
                .put("pooled_size", node.requiredIntegers("pooled_shape"))
                .put("spatial_scale", node.real("spatial_scale", 1));
        graph.add(node, "RoiPool", node.inputs(), params);
    }

    private static Params window(OnnxNode node) {
        Params params = new Params()
                .put("kernel_size", node.requiredIntegers("kernel_shape"))
                .put("ceil_mode", node.flag("ceil_mode", false) ? "CEIL" : "FLOOR");
        new OnnxWindow(node).putPadding(params);
        node.integers("strides").ifPresent(strides -> params.put("strides", strides));
        node.integers("dilations").ifPresent(dilation -> params.put("dilation", dilation));
        return params;
    }

    /** Pools have one to three axes of space; with none or more they are reductions. */
    private static void global(OnnxNode node, OnnxGraphWriter graph, String pool, String reduction) {
        node.requireInputs(1, 1);
        int rank = graph.types().rank(node.input(0)).orElse(LEAST_POOLED);
        if (rank == 2 || rank > MOST_POOLED) {
            graph.add(node, reduction, List.of(node.input(0)), overSpace(rank));
        } else {
            graph.add(node, pool, List.of(node.input(0)), new Params().put("is_global", true));
        }
    }
}
