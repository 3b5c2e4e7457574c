package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.Params;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Matrix products, and what is one. */
final class MatrixTranslators {

    /** Elements of a running sum at most: it takes a product with as many rows and columns. */
    private static final long LONGEST_SUM = 2048;

    private MatrixTranslators() {}

    static Map<String, Translator> all() {
        return Map.of(
                "MatMul", MatrixTranslators::matMul,
                "BatchMatMul", MatrixTranslators::batchMatMul,
                "BatchMatMulV2", MatrixTranslators::batchMatMul,
                "BatchMatMulV3", MatrixTranslators::batchMatMul,
                "Cumsum", MatrixTranslators::runningSum);
    }

    private static void matMul(Call call) {
        Value a = call.input(0, 2);
        Value b = call.input(1, 2);
        boolean transposeA = call.node().flag("transpose_a", false);
        boolean transposeB = call.node().flag("transpose_b", false);
        Dim rows = call.dim(a, transposeA ? 1 : 0).orElse(Dim.unknown());
        Dim columns = call.dim(b, transposeB ? 0 : 1).orElse(Dim.unknown());
        Params params = new Params().put("transpose_a", transposeA).put("transpose_b", transposeB);
        Call.Form form = Call.Form.plain(a.dtype(), Optional.of(new Shape(List.of(rows, columns))));
        call.give("Gemm", List.of(call.plain(a), call.plain(b)), params, form);
    }

    private static void batchMatMul(Call call) {
        Optional<DataType> gives = call.node().type("Tout");
        if (gives.isPresent()
                && !gives.equals(call.node().type("Ta").or(() -> gives.filter(DataType.DT_FLOAT::equals)))) {
            throw call.unsupportedUse("a Tout other than Ta");
        }
        Value a = call.input(0);
        Value b = call.input(1);
        String left = adjoint(call, a, "adj_x");
        String right = adjoint(call, b, "adj_y");
        Optional<Shape> shape = a.shape().flatMap(first -> b.shape().map(second -> shape(call, first, second)));
        call.give("MatMul", List.of(left, right), new Params(), Call.Form.plain(a.dtype(), shape));
    }

    private static String adjoint(Call call, Value value, String attribute) {
        if (!call.node().flag(attribute, false)) {
            return call.plain(value);
        }
        int rank = call.rank(value);
        if (rank < 2) {
            throw call.malformed("its inputs must have 2 axes or more, but one has " + rank);
        }
        long[] order = Axes.range(0, rank);
        order[rank - 1] = rank - 2L;
        order[rank - 2] = rank - 1L;
        return call.step("Transpose", List.of(call.plain(value)), new Params().put("perm", order));
    }

    /** Sums of what is in front of each element, by a triangle of ones. */
    private static void runningSum(Call call) {
        Value x = call.input(0);
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
        Call.Form form = Call.Form.plain(x.dtype(), x.shape());
        if (axis == rank - 1) {
            call.give("MatMul", List.of(call.plain(x), ones), new Params(), form);
            return;
        }
        long[] order = Axes.range(0, rank);
        order[axis] = rank - 1L;
        order[rank - 1] = axis;
        Params swap = new Params().put("perm", order);
        String turned = call.step("Transpose", List.of(call.plain(x)), swap);
        String sums = call.step("MatMul", List.of(turned, ones), new Params());
        call.give("Transpose", List.of(sums), swap, form);
    }

    private static Shape shape(Call call, Shape a, Shape b) {
        int rank = Math.max(a.rank(), b.rank());
        List<Dim> dims = new ArrayList<>(Shapes.ofRank(rank).dims());
        if (a.rank() >= 2 && b.rank() >= 2) {
            dims.set(rank - 2, a.dim(call.node().flag("adj_x", false) ? a.rank() - 1 : a.rank() - 2));
            dims.set(rank - 1, b.dim(call.node().flag("adj_y", false) ? b.rank() - 2 : b.rank() - 1));
        }
        for (int axis = 0; axis < rank - 2 && a.rank() == rank; axis++) {
            boolean one = a.dim(axis).equals(Dim.of(1));
            dims.set(axis, one ? Dim.unknown() : a.dim(axis));
        }
        return new Shape(dims);
    }
}
