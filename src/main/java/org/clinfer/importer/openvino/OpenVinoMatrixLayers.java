package org.clinfer.importer.openvino;

import java.util.List;
import java.util.stream.LongStream;
import org.clinfer.importer.LayerEinsum;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;

/** Products of matrices. */
final class OpenVinoMatrixLayers {

    private OpenVinoMatrixLayers() {}

    static void addTo(LayerTable<OpenVinoLayerCall> all) {
        all.one("MatMul", OpenVinoMatrixLayers::product);
        all.one(
                "Einsum",
                call -> LayerEinsum.write(
                        call,
                        call.attributes().text("equation"),
                        call.inputs(),
                        (op, params, x) -> call.last(op, List.of(x), params)));
    }

    private static Value product(OpenVinoLayerCall call) {
        call.requireInputs(2, 2);
        Value a = call.input(0);
        Value b = call.input(1);
        boolean transposeA = call.attributes().flag("transpose_a", false);
        boolean transposeB = call.attributes().flag("transpose_b", false);
        if (a.rank() == 2 && b.rank() == 2) {
            Params params = new Params().put("transpose_a", transposeA).put("transpose_b", transposeB);
            return call.last("Gemm", List.of(a, b), params);
        }
        return call.last("MatMul", transposed(call, a, transposeA), transposed(call, b, transposeB));
    }

    /** Its last two axes exchanged; a vector stays as it is. */
    private static Value transposed(OpenVinoLayerCall call, Value value, boolean wanted) {
        int rank = value.rank();
        if (!wanted || rank < 2) {
            return value;
        }
        long[] perm = LongStream.range(0, rank).toArray();
        perm[rank - 2] = rank - 1L;
        perm[rank - 1] = rank - 2L;
        return call.transposed(value, perm);
    }
}
