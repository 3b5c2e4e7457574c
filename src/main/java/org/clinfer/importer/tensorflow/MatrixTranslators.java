package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.Params;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.tensor.DType;

/** Matrix products, and what is one. */
final class MatrixTranslators {

    /** More diagonals than a matrix has. */
    private static final long FAR = 1L << 32;

    private MatrixTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.of(
                "MatMul", MatrixTranslators::matMul,
                "BatchMatMul", MatrixTranslators::batchMatMul,
                "BatchMatMulV2", MatrixTranslators::batchMatMul,
                "BatchMatMulV3", MatrixTranslators::batchMatMul,
                "MatrixBandPart", MatrixTranslators::band,
                "MatrixDeterminant", call -> call.give("Det", call.plain(0)),
                "Einsum", TfEinsum::translate);
    }

    private static void matMul(TfCall call) {
        TfValue a = call.input(0, 2);
        TfValue b = call.input(1, 2);
        boolean transposeA = call.node().flag("transpose_a", false);
        boolean transposeB = call.node().flag("transpose_b", false);
        Params params = new Params().put("transpose_a", transposeA).put("transpose_b", transposeB);
        call.give("Gemm", List.of(call.plain(a), call.plain(b)), params);
    }

    private static void batchMatMul(TfCall call) {
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

    private static String adjoint(TfCall call, TfValue value, String attribute) {
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

    /** The diagonals between two of them; negative numbers leave none out on their side. */
    private static void band(TfCall call) {
        String lower = triangle(call, call.plain(0), 1, false);
        String both = triangle(call, lower, 2, true);
        call.give("Identity", both);
    }

    /** Without the diagonals on one side that are further away than an input says. */
    private static String triangle(TfCall call, String x, int input, boolean above) {
        Optional<long[]> known = call.integers(input);
        if (known.isPresent() && call.requiredInteger(input, "diagonal") < 0) {
            return x;
        }
        String given = call.cast(call.plain(input), DType.INT64);
        String far = call.scalar(DType.INT64, FAR);
        String all = call.step("Less", given, call.scalar(DType.INT64, 0));
        String distance = call.step("Where", all, far, given);
        String diagonal = above ? distance : call.step("Neg", distance);
        return call.step("Trilu", List.of(x, diagonal), new Params().put("upper", !above));
    }
}
