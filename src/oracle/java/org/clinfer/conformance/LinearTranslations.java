package org.clinfer.conformance;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.LongStream;
import org.clinfer.tensor.DType;

/** Matrix products with more than two operands. */
final class LinearTranslations {

    private LinearTranslations() {}

    static Map<String, Translation> all() {
        return Map.of(
                "InnerProduct", Translation.single(LinearTranslations::innerProduct),
                "MatMulNBits", Translation.single(LinearTranslations::matMulNBits),
                "StridedMatMul", Translation.single(LinearTranslations::stridedMatMul));
    }

    /** The elements of either side are gathered where they lie. */
    private static String stridedMatMul(OracleCall call, OnnxGraph graph) {
        long[] sizes = call.params().ints("sizes");
        int axes = sizes.length - 1;
        long[] left = Arrays.copyOf(sizes, axes);
        long[] right = Arrays.copyOf(sizes, axes);
        right[axes - 2] = sizes[axes - 1];
        right[axes - 1] = sizes[axes];
        String product = graph.step("MatMul", strided(call, graph, 0, "a", left), strided(call, graph, 1, "b", right))
                .out();
        String scaled = graph.step(
                        "Mul", product, graph.scalar(call.type(0), call.params().real("alpha", 1)))
                .out();
        return graph.step("Transpose", scaled)
                .with(
                        "perm",
                        call.params().ints("perm", LongStream.range(0, axes).toArray()))
                .out();
    }

    private static String strided(OracleCall call, OnnxGraph graph, int input, String name, long[] dims) {
        long[] strides = call.params().ints(name + "_strides");
        long[] places = {call.params().integer(name + "_offset", 0)};
        for (int axis = 0; axis < dims.length; axis++) {
            long stride = strides[axis];
            long size = dims[axis];
            places = Arrays.stream(places)
                    .flatMap(place -> LongStream.range(0, size).map(i -> place + i * stride))
                    .toArray();
        }
        String flat = graph.step("Reshape", call.input(input), graph.ints(-1)).out();
        String gathered = graph.step("Gather", flat, graph.ints(places)).out();
        return graph.step("Reshape", gathered, graph.ints(dims)).out();
    }

    /** The weights are made real first: ONNX itself has no product of codes that share a byte. */
    private static String matMulNBits(OracleCall call, OnnxGraph graph) {
        long bits = call.params().integer("bits", 4);
        String codes = call.input(1);
        if (bits == 4) {
            String low = graph.step("BitwiseAnd", codes, graph.scalar(DType.UINT8, 15))
                    .out();
            String high = graph.step("BitShift", codes, graph.scalar(DType.UINT8, 4))
                    .with("direction", "RIGHT")
                    .out();
            String last = graph.ints(-1);
            codes = graph.step(
                            "Concat",
                            graph.step("Unsqueeze", low, last).out(),
                            graph.step("Unsqueeze", high, last).out())
                    .with("axis", -1)
                    .out();
        }
        long[] scales = call.dims(2);
        long[] dims = call.dims(0);
        String blocks = graph.step(
                        "Reshape",
                        codes,
                        graph.ints(scales[0], scales[1], call.params().integer("block_size", 0)))
                .out();
        String numbers = graph.step("Cast", blocks)
                .with("to", OnnxGraph.number(call.type(0)))
                .out();
        String zeros = call.params().hasInput(3)
                ? graph.step("Unsqueeze", call.input(3), graph.ints(2)).out()
                : graph.scalar(call.type(0), 1 << (bits - 1));
        String scale = graph.step("Unsqueeze", call.input(2), graph.ints(2)).out();
        String weights = graph.step("Mul", graph.step("Sub", numbers, zeros).out(), scale)
                .out();
        String rows = graph.step(
                        "Reshape",
                        weights,
                        graph.ints(scales[0], scales[1] * call.params().integer("block_size", 0)))
                .out();
        String needed = graph.step("Slice", rows, graph.ints(0), graph.ints(dims[dims.length - 1]), graph.ints(1))
                .out();
        String product = graph.step(
                        "MatMul", call.input(0), graph.step("Transpose", needed).out())
                .out();
        return call.params().hasInput(4)
                ? graph.step("Add", product, call.input(4)).out()
                : product;
    }

    private static String innerProduct(OracleCall call, OnnxGraph graph) {
        String images = graph.step("Flatten", call.input(0)).out();
        String weights = graph.step("Flatten", call.input(1)).out();
        String products = graph.step("Gemm", images, weights, call.input(2))
                .with("transB", true)
                .out();
        return graph.step("Unsqueeze", products, graph.ints(2, 3)).out();
    }
}
