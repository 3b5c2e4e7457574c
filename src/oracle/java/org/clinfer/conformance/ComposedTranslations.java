package org.clinfer.conformance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.clinfer.tensor.DType;

/** Operators that are made of others here, and mostly are ones of ONNX. */
final class ComposedTranslations {

    private ComposedTranslations() {}

    static Map<String, Translation> all() {
        return Map.of(
                "Mish",
                Translation.single((call, graph) -> {
                    graph.opset(18);
                    return graph.step("Mish", call.input(0)).out();
                }),
                "HardMish",
                Translation.single(ComposedTranslations::hardMish),
                "GroupNorm",
                Translation.single(ComposedTranslations::groupNorm),
                "MeanVarianceNorm",
                Translation.single(ComposedTranslations::meanVarianceNorm),
                "LpNorm",
                Translation.single(ComposedTranslations::lpNorm),
                "Hardmax",
                Translation.single((call, graph) -> graph.step("Hardmax", call.input(0))
                        .withIntegers(call.params(), "axis")
                        .out()),
                "OneHot",
                Translation.single(ComposedTranslations::oneHot),
                "Trilu",
                Translation.single((call, graph) -> graph.step("Trilu", call.inputs())
                        .with("upper", call.params().flag("upper", true))
                        .out()),
                "SpaceToBatch",
                Translation.single(ComposedTranslations::spaceToBatch),
                "BatchToSpace",
                Translation.single(ComposedTranslations::batchToSpace));
    }

    /** Each axis of the space is split in two, and the inner ones go in front. */
    private static String spaceToBatch(OracleCall call, OnnxGraph graph) {
        long[] block = call.params().ints("block");
        long[] dims = call.dims(0);
        long[] borders = borders(call, block.length, dims.length, 1);
        String padded = graph.step("Pad", call.input(0), graph.ints(borders)).out();
        List<Long> split = new ArrayList<>(List.of(dims[0]));
        List<Long> result =
                new ArrayList<>(List.of(dims[0] * Arrays.stream(block).reduce(1, (a, b) -> a * b)));
        List<Long> order = new ArrayList<>();
        for (int axis = 1; axis < dims.length; axis++) {
            long size = dims[axis] + borders[axis] + borders[dims.length + axis];
            boolean isSplit = axis <= block.length;
            split.add(isSplit ? size / block[axis - 1] : size);
            result.add(split.get(split.size() - 1));
            if (isSplit) {
                split.add(block[axis - 1]);
                order.add(2L * axis);
            }
        }
        order.add(0L);
        LongStream.range(1, split.size()).filter(i -> !order.contains(i)).forEach(order::add);
        String turned = graph.step("Transpose", reshaped(graph, padded, split))
                .with("perm", numbers(order))
                .out();
        return reshaped(graph, turned, result);
    }

    private static String batchToSpace(OracleCall call, OnnxGraph graph) {
        long[] block = call.params().ints("block");
        long[] dims = call.dims(0);
        List<Long> split = new ArrayList<>(Arrays.stream(block).boxed().toList());
        split.add(dims[0] / Arrays.stream(block).reduce(1, (a, b) -> a * b));
        List<Long> result = new ArrayList<>(List.of(split.get(block.length)));
        List<Long> order = new ArrayList<>(List.of((long) block.length));
        for (int axis = 1; axis < dims.length; axis++) {
            order.add((long) split.size());
            split.add(dims[axis]);
            result.add(axis <= block.length ? dims[axis] * block[axis - 1] : dims[axis]);
            if (axis <= block.length) {
                order.add(axis - 1L);
            }
        }
        String turned = graph.step("Transpose", reshaped(graph, call.input(0), split))
                .with("perm", numbers(order))
                .out();
        return graph.step(
                        "Pad",
                        reshaped(graph, turned, result),
                        graph.ints(borders(call, block.length, dims.length, -1)))
                .out();
    }

    private static String reshaped(OnnxGraph graph, String x, List<Long> dims) {
        return graph.step("Reshape", x, graph.ints(numbers(dims)))
                .with("allowzero", true)
                .out();
    }

    private static long[] numbers(List<Long> list) {
        return list.stream().mapToLong(Long::longValue).toArray();
    }

    /** All that is put before the axes, and then all that is put behind them. */
    private static long[] borders(OracleCall call, int blocks, int rank, int sign) {
        Call params = call.params();
        long[] pairs = params.hasInput(1)
                ? Arrays.stream(call.values(1)).mapToLong(v -> (long) v).toArray()
                : params.has("borders") ? params.ints("borders") : new long[2 * blocks];
        long[] pads = new long[2 * rank];
        for (int i = 0; i < blocks; i++) {
            pads[i + 1] = sign * pairs[2 * i];
            pads[rank + i + 1] = sign * pairs[2 * i + 1];
        }
        return pads;
    }

    /** Half of the distance from -2, between 0 and 1, times x. */
    private static String hardMish(OracleCall call, OnnxGraph graph) {
        DType type = call.type(0);
        String x = call.input(0);
        String below = graph.step("Clip", x, graph.scalar(type, -2), graph.scalar(type, 0))
                .out();
        String half = graph.step("Div", graph.step("Mul", below, below).out(), graph.scalar(type, 2))
                .out();
        return graph.step("Sum", graph.step("Relu", x).out(), below, half).out();
    }

    private static String groupNorm(OracleCall call, OnnxGraph graph) {
        long groups = call.params().integer("num_groups", 1);
        long channels = call.dims(0)[1];
        if (call.params().hasInput(1) && call.dims(1)[0] == channels) {
            graph.opset(21);
            return graph.step("GroupNormalization", call.inputs())
                    .with("num_groups", groups)
                    .withReals(call.params(), "epsilon")
                    .out();
        }
        double[] ones = new double[(int) groups];
        Arrays.fill(ones, 1);
        long[] vector = {groups};
        boolean scaled = call.params().hasInput(1);
        String scale = scaled ? call.input(1) : graph.constant(new Array(vector, ones), call.type(0));
        String bias =
                scaled ? call.input(2) : graph.constant(new Array(vector, new double[(int) groups]), call.type(0));
        String rows =
                graph.step("Reshape", call.input(0), graph.ints(0, groups, -1)).out();
        String normal = graph.step("InstanceNormalization", rows, scale, bias)
                .withReals(call.params(), "epsilon")
                .out();
        return graph.step("Reshape", normal, graph.ints(call.dims(0))).out();
    }

    private static String meanVarianceNorm(OracleCall call, OnnxGraph graph) {
        DType type = call.type(0);
        String axes = graph.ints(call.params().ints("axes"));
        graph.opset(18);
        String mean = graph.step("ReduceMean", call.input(0), axes).out();
        String centred = graph.step("Sub", call.input(0), mean).out();
        if (!call.params().flag("normalize_variance", true)) {
            return centred;
        }
        String variance = graph.step(
                        "ReduceMean", graph.step("Mul", centred, centred).out(), axes)
                .out();
        String epsilon = graph.scalar(type, call.params().real("epsilon", 1e-9));
        boolean inside = call.params().text("epsilon_mode", "outside_sqrt").equals("inside_sqrt");
        String root = graph.step(
                        "Sqrt", inside ? graph.step("Add", variance, epsilon).out() : variance)
                .out();
        return graph.step(
                        "Div",
                        centred,
                        inside ? root : graph.step("Add", root, epsilon).out())
                .out();
    }

    private static String lpNorm(OracleCall call, OnnxGraph graph) {
        Call params = call.params();
        long[] axes = params.ints("axes");
        String mode = params.text("epsilon_mode", "none");
        boolean squares = params.integer("p", 2) == 2;
        if (mode.equals("none") && axes.length == 1) {
            return graph.step("LpNormalization", call.input(0))
                    .with("axis", axes[0])
                    .with("p", squares ? 2 : 1)
                    .out();
        }
        DType type = call.type(0);
        graph.opset(18);
        String epsilon = graph.scalar(type, params.real("epsilon", 0));
        String sum = graph.step(squares ? "ReduceSumSquare" : "ReduceL1", call.input(0), graph.ints(axes))
                .with("noop_with_empty_axes", true)
                .out();
        if (mode.equals("add") || mode.equals("max")) {
            sum = graph.step(mode.equals("add") ? "Add" : "Max", sum, epsilon).out();
        }
        String norm = squares ? graph.step("Sqrt", sum).out() : sum;
        String divisor =
                mode.equals("max_norm") ? graph.step("Max", norm, epsilon).out() : norm;
        return graph.step("Div", call.input(0), divisor).out();
    }

    /** ONNX always counts negative indices from the end, so that those that do not are moved outside. */
    private static String oneHot(OracleCall call, OnnxGraph graph) {
        String indices = call.input(0);
        String depth = call.params().hasInput(1)
                ? call.input(1)
                : graph.scalar(DType.INT64, call.params().real("depth", 0));
        if (!call.params().flag("wrap", true)) {
            String negative =
                    graph.step("Less", indices, graph.scalar(call.type(0), 0)).out();
            indices = graph.step("Where", negative, graph.scalar(call.type(0), 1000), indices)
                    .out();
        }
        return graph.step("OneHot", indices, depth, call.input(2))
                .withIntegers(call.params(), "axis")
                .out();
    }
}
