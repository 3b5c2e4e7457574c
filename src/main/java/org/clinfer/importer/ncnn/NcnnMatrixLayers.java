package org.clinfer.importer.ncnn;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.importer.LayerEinsum;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.text.Printable;

/** Inner products, products of matrices, and rows that a table has for numbers. */
final class NcnnMatrixLayers {

    private NcnnMatrixLayers() {}

    static void addTo(LayerTable<NcnnLayerCall> all) {
        all.one("InnerProduct", NcnnMatrixLayers::innerProduct);
        all.one("Gemm", NcnnMatrixLayers::gemm);
        all.one("MatMul", NcnnMatrixLayers::product);
        all.one("Einsum", NcnnMatrixLayers::einsum);
        all.one("Embed", NcnnMatrixLayers::embed);
    }

    /** Rows that fit are multiplied each; anything else is one row. */
    private static Value innerProduct(NcnnLayerCall call) {
        LayerParams params = call.params();
        if (params.integer(8, 0) != 0) {
            throw call.unsupportedUse("int8 codes");
        }
        Value x = call.input();
        long outputs = params.size(0, 0, 1);
        long count = params.size(2, 0, 1);
        if (count % outputs != 0) {
            throw params.wrong(2, count + " weights do not fit " + outputs + " outputs");
        }
        long inputs = count / outputs;
        if (NcnnLayerCall.dims(x) == 2 && x.sizeOr0(2) == 0) {
            throw call.unsupportedUse("rows of a length that is not known");
        }
        boolean rows = NcnnLayerCall.dims(x) == 2 && x.sizeOr0(2) == inputs;
        Value weights = call.weight("weights", NcnnWeights.Kind.TAGGED, call.shape(outputs, inputs));
        List<Value> bias = params.flag(1, false)
                ? List.of(call.weight("bias", NcnnWeights.Kind.RAW, call.shape(outputs)))
                : List.of();
        if (rows) {
            Value product = call.add("MatMul", x, call.add("Transpose", weights));
            return NcnnActivationLayers.fused(call, bias.isEmpty() ? product : call.add("Add", product, bias.get(0)));
        }
        Value row = NcnnLayerCall.dims(x) == 1 ? x : call.add("Flatten", List.of(x), new Params().put("axis", 1L));
        List<Value> operands = new ArrayList<>(List.of(row, weights));
        operands.addAll(bias);
        return NcnnActivationLayers.fused(call, call.add("Gemm", operands, new Params().put("transpose_b", true)));
    }

    /** Rows of a table; numbers beyond it choose its first or last one. */
    private static Value embed(NcnnLayerCall call) {
        LayerParams params = call.params();
        if (params.integer(18, 0) != 0) {
            throw call.unsupportedUse("int8 codes");
        }
        Value x = call.input();
        if (NcnnLayerCall.dims(x) != 1) {
            throw call.unsupportedUse("a blob of " + NcnnLayerCall.dims(x) + " axes instead of one");
        }
        long outputs = params.size(0, 0, 1);
        long count = params.size(1, 0, 1);
        if (params.size(3, 0, 1) != outputs * count) {
            throw params.wrong(3, params.size(3, 0, 1) + " weights are not " + count + " rows of " + outputs);
        }
        Value table = call.weight("weights", NcnnWeights.Kind.TAGGED, call.shape(count, outputs));
        Params bounds = new Params().put("min", 0.0).put("max", count - 1.0);
        Params whole = new Params().put("to", DType.INT32.toString());
        Value indices = call.add("Clip", bounds, call.add("Cast", whole, x));
        Value rows = call.add("Gather", new Params().put("axis", 0L), table, indices);
        return params.flag(2, false)
                ? call.add("Add", rows, call.weight("bias", NcnnWeights.Kind.RAW, call.shape(outputs)))
                : rows;
    }

    /** A sum of products, whose terms name axes i to l; the batch is an axis of every term. */
    private static Value einsum(NcnnLayerCall call) {
        StringBuilder equation = new StringBuilder();
        call.params().integers(0).forEach(letter -> equation.append((char) letter.intValue()));
        String text = equation.toString();
        if (!text.matches("[i-l]{1,4}(,[i-l]{1,4})*->(i|ij|ijk|ijkl)")) {
            throw call.params().wrong(0, "'" + Printable.shortened(text) + "' is no equation of the axes i to l");
        }
        String withBatch = text.replaceAll("[i-l]+", "b$0");
        return LayerEinsum.write(
                call, withBatch, call.inputs(1, Integer.MAX_VALUE), (op, params, x) -> call.add(op, params, x));
    }

    private static Value swapped(NcnnLayerCall call, Value x) {
        long[] order = new long[x.rank()];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
        }
        int last = order.length - 1;
        order[last] = last - 1L;
        order[last - 1] = last;
        return call.add("Transpose", List.of(x), new Params().put("perm", order));
    }

    private static Value product(NcnnLayerCall call) {
        List<Value> inputs = call.inputs(2, 2);
        Value left = inputs.get(0);
        Value right = inputs.get(1);
        if (NcnnLayerCall.dims(left) < 2 || NcnnLayerCall.dims(right) != NcnnLayerCall.dims(left)) {
            throw call.unsupportedUse(
                    "blobs of " + NcnnLayerCall.dims(left) + " and " + NcnnLayerCall.dims(right) + " axes");
        }
        return call.add("MatMul", left, call.params().flag(0, false) ? swapped(call, right) : right);
    }

    /** {@code (a b + beta c) alpha}, of which each may be constant. */
    private static Value gemm(NcnnLayerCall call) {
        LayerParams params = call.params();
        params.ignore(12, 13, 20, 21, 22); // how values are kept and cut into tiles
        if (params.integer(11, 0) != 0 || params.integer(18, 0) != 0) {
            throw call.unsupportedUse(params.integer(11, 0) != 0 ? "a result of three axes" : "int8 codes");
        }
        boolean[] constant = {params.flag(4, false), params.flag(5, false), params.flag(6, false)};
        List<Value> inputs = new ArrayList<>(call.inputs(0, 3));
        int rows = params.size(7, 0, 0);
        int columns = params.size(8, 0, 0);
        int terms = params.size(9, 0, 0);
        Value left = operand(call, inputs, constant[0], "a", params.flag(2, false), rows, terms);
        Value right = operand(call, inputs, constant[1], "b", params.flag(3, false), terms, columns);
        Value product = call.add("MatMul", left, right);
        int spread = params.integer(10, 0);
        if (constant[2] ? spread != -1 : !inputs.isEmpty()) {
            Value addend = constant[2] ? addend(call, spread, rows, columns) : matrix(call, inputs.remove(0));
            double beta = params.real(1, 1);
            product = call.add("Add", product, beta == 1 ? addend : call.add("Mul", addend, call.number("beta", beta)));
        }
        params.ignore(1);
        if (!inputs.isEmpty()) {
            throw call.malformed("it is given " + inputs.size() + " blobs too many");
        }
        double alpha = params.real(0, 1);
        Value result = alpha == 1 ? product : call.add("Mul", product, call.number("alpha", alpha));
        return params.flag(14, false) ? swapped(call, result) : result;
    }

    private static Value matrix(NcnnLayerCall call, Value x) {
        if (NcnnLayerCall.dims(x) != 2) {
            throw call.unsupportedUse("a blob of " + NcnnLayerCall.dims(x) + " axes");
        }
        return x;
    }

    private static Value operand(
            NcnnLayerCall call,
            List<Value> inputs,
            boolean constant,
            String name,
            boolean turned,
            int rows,
            int columns) {
        if (constant) {
            Shape shape = turned ? call.shape(columns, rows) : call.shape(rows, columns);
            Value weights = call.weight(name, NcnnWeights.Kind.TAGGED, shape);
            return turned ? call.add("Transpose", weights) : weights;
        }
        if (inputs.isEmpty()) {
            throw call.malformed("'" + name + "' is neither constant nor given");
        }
        Value x = matrix(call, inputs.remove(0));
        return turned ? swapped(call, x) : x;
    }

    private static Value addend(NcnnLayerCall call, int spread, int rows, int columns) {
        Shape shape = switch (spread) {
            case 0 -> call.shape(1);
            case 1, 2 -> call.shape(rows, 1);
            case 3 -> call.shape(rows, columns);
            case 4 -> call.shape(1, columns);
            default -> throw call.params().wrong(10, "expected -1 to 4, found " + spread);
        };
        return call.weight("c", NcnnWeights.Kind.TAGGED, shape);
    }
}
