package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.Params;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Matrix products, and what is one. */
final class MatrixTranslators {

    /** Elements of a running sum at most: it takes a product with as many rows and columns. */
    private static final long LONGEST_SUM = 2048;

    private MatrixTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.of(
                "MatMul", MatrixTranslators::matMul,
                "BatchMatMul", MatrixTranslators::batchMatMul,
                "BatchMatMulV2", MatrixTranslators::batchMatMul,
                "BatchMatMulV3", MatrixTranslators::batchMatMul,
                "Cumsum", MatrixTranslators::runningSum,
                "Einsum", TfEinsum::translate);
    }

    private static void matMul(Call call) {
        TfValue a = call.input(0, 2);
        TfValue b = call.input(1, 2);
        boolean transposeA = call.node().flag("transpose_a", false);
        boolean transposeB = call.node().flag("transpose_b", false);
        Params params = new Params().put("transpose_a", transposeA).put("transpose_b", transposeB);
        call.give("Gemm", List.of(call.plain(a), call.plain(b)), params);
    }

    private static void batchMatMul(Call call) {
        Optional<DataType> gives = call.node().type("Tout");
        if (gives.isPresent()
                && !gives.equals(call.node().type("Ta").or(() -> gives.filter(DataType.DT_FLOAT::equals)))) {
            throw call.unsupportedUse("a Tout other than Ta");
        }
        TfValue a = call.input(0);
        TfValue b = call.input(1);
        String left = adjoint(call, a, "adj_x");
        String right = adjoint(call, b, "adj_y");
        call.give("MatMul", left, right);
    }

    private static String adjoint(Call call, TfValue value, String attribute) {
        if (!call.node().flag(attribute, false)) {
            return call.plain(value);
        }
        int rank = call.rank(value);
        if (rank < 2) {
            throw call.malformed("its inputs must have 2 axes or more, but one has " + rank);
        }
        long[] order = ChannelAxes.range(0, rank);
        order[rank - 1] = rank - 2L;
        order[rank - 2] = rank - 1L;
        return call.step("Transpose", List.of(call.plain(value)), new Params().put("perm", order));
    }

    /** Sums of what is in front of each element, by a triangle of ones. */
    private static void runningSum(Call call) {
        TfValue x = call.input(0);
        int rank = call.rank(x);
        int axis = call.axis(call.requiredInteger(1, "axis"), rank);
        long size = x.size(axis)
                .filter(known -> known <= LONGEST_SUM)
                .orElseThrow(() -> call.unsupportedUse("an axis that is not known, or longer than " + LONGEST_SUM));
        boolean without = call.node().flag("exclusive", false);
        boolean reverse = call.node().flag("reverse", false);
        Tensor triangle = Tensor.allocate(x.dtype().orElse(DType.FLOAT32), size, size);
        for (long from = 0; from < size; from++) {
            for (long to = 0; to < size; to++) {
                long ahead = reverse ? from - to : to - from;
                triangle.setDouble(from * size + to, ahead > 0 || (ahead == 0 && !without) ? 1 : 0);
            }
        }
        String ones = call.constant("triangle", triangle);
        if (axis == rank - 1) {
            call.give("MatMul", call.plain(x), ones);
            return;
        }
        long[] order = ChannelAxes.range(0, rank);
        order[axis] = rank - 1L;
        order[rank - 1] = axis;
        Params swap = new Params().put("perm", order);
        String turned = call.step("Transpose", List.of(call.plain(x)), swap);
        String sums = call.step("MatMul", turned, ones);
        call.give("Transpose", List.of(sums), swap);
    }
}
