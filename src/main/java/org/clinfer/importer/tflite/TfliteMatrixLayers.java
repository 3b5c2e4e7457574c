package org.clinfer.importer.tflite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Dim;

/** Products of matrices. */
final class TfliteMatrixLayers {

    private static final int BIAS = 2;

    private TfliteMatrixLayers() {}

    static void addTo(LayerTable<TfliteCall> all) {
        all.one("FULLY_CONNECTED", TfliteMatrixLayers::fullyConnected);
        all.one("BATCH_MATMUL", TfliteMatrixLayers::batchProduct);
        all.one("CUMSUM", TfliteMatrixLayers::runningSum);
        all.one("EMBEDDING_LOOKUP", TfliteMatrixLayers::embedding);
    }

    /** Rows of inputs times weights {@code [out, in]}; all axes of the input but the last are rows. */
    private static Value fullyConnected(TfliteCall call) {
        call.requireInputs(2, 3);
        TfliteOptions options = call.options();
        // hybrid products quantize their input; here it stays as it is
        options.ignore("asymmetric_quantize_inputs", "quantized_bias_type");
        boolean keeps = options.flag("keep_num_dims");
        if (!options.word("weights_format", List.of("DEFAULT", "SHUFFLED4x16INT8"))
                .equals("DEFAULT")) {
            throw call.unsupportedUse("shuffled weights");
        }
        Value weights = call.stored(1, 2).held();
        long length = weights.sizeOr0(1);
        if (length < 1) {
            throw call.unsupportedUse("weights whose shape is not known");
        }
        TfliteValue x = call.stored(0);
        boolean isWide = keeps && x.rank() > 2;
        Value result = quantized(call, isWide ? call.plain(x) : rows(call, call.inOrder(x), length), weights)
                .orElseGet(() -> isWide ? wide(call) : product(call, length));
        return TfliteActivations.after(call, result);
    }

    private static Optional<Value> quantized(TfliteCall call, Value x, Value weights) {
        if (call.elements(weights).isEmpty()) {
            return Optional.empty();
        }
        Value turned = call.turned(weights, "transposed", new long[] {1, 0});
        return TfliteQuantizedOperators.products(call, "QuantizedMatMul", x, turned, 0, new Params());
    }

    private static Value rows(TfliteCall call, Value x, long length) {
        boolean fits = x.rank() == 2 && x.sizeOr0(1) == length;
        return fits ? x : call.add("Reshape", new Params().put("shape", new long[] {-1, length}), x);
    }

    private static Value product(TfliteCall call, long length) {
        Value x = rows(call, call.inOrder(call.real(0)), length);
        List<Value> operands = new ArrayList<>(List.of(x, call.plain(call.real(1))));
        if (call.has(BIAS)) {
            operands.add(call.plain(call.real(BIAS)));
        }
        return call.add("Gemm", operands, new Params().put("transpose_b", true));
    }

    private static Value wide(TfliteCall call) {
        Value weights = call.turned(call.plain(call.real(1)), "transposed", new long[] {1, 0});
        Value product = call.add("MatMul", call.plain(call.real(0)), weights);
        return call.has(BIAS) ? call.add("Add", product, call.plain(call.real(BIAS))) : product;
    }

    private static Value batchProduct(TfliteCall call) {
        call.requireInputs(2, 2);
        call.options().ignore("asymmetric_quantize_inputs");
        Value left = adjoint(call, 0, "adj_x");
        Value right = adjoint(call, 1, "adj_y");
        return call.add("MatMul", left, right);
    }

    private static Value adjoint(TfliteCall call, int input, String option) {
        Value value = call.plain(call.real(input));
        int rank = value.rank();
        if (rank < 2) {
            throw call.malformed("its inputs must have 2 axes or more, but one has " + rank);
        }
        if (!call.options().flag(option)) {
            return value;
        }
        long[] order = ChannelAxes.range(0, rank);
        order[rank - 1] = rank - 2L;
        order[rank - 2] = rank - 1L;
        return call.turned(value, "adjoint", order);
    }

    private static Value runningSum(TfliteCall call) {
        call.requireInputs(2, 2);
        Value x = call.plain(call.real(0));
        Params params = new Params()
                .put("axis", (long) call.axis(call.requiredInteger(1, "axis"), x.rank()))
                .put("exclusive", call.options().flag("exclusive"))
                .put("reverse", call.options().flag("reverse"));
        return call.add("CumSum", params, x);
    }

    /** Rows of a table by their numbers. */
    private static Value embedding(TfliteCall call) {
        call.requireInputs(2, 2);
        TfliteValue table = call.isKept(1) ? call.stored(1) : call.real(1);
        if (table.rank() < 1 || table.shape().dim(0) instanceof Dim.Named) {
            throw call.unsupportedUse("a table whose shape is not known");
        }
        return call.add("Gather", new Params().put("axis", 0L), call.plain(table), call.plain(0));
    }
}
