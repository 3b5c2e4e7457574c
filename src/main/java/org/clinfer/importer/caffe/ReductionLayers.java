package org.clinfer.importer.caffe;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** Sums and means over the last axes, and indices of largest elements. */
final class ReductionLayers {

    private ReductionLayers() {}

    static void addTo(LayerTable<CaffeLayerCall> all) {
        all.one("ArgMax", ReductionLayers::argMax);
        all.one("Reduction", ReductionLayers::reduction);
    }

    private static Value reduction(CaffeLayerCall call) {
        CaffeFields params = call.params("reduction_param");
        Value x = call.input();
        int first = call.axis(params, "axis", 0, x.rank());
        String op = switch (params.choice("operation", "SUM", "", "SUM", "ASUM", "SUMSQ", "MEAN")) {
            case "SUM" -> "ReduceSum";
            case "ASUM" -> "ReduceL1";
            case "SUMSQ" -> "ReduceSumSquare";
            default -> "Mean";
        };
        long[] axes = LongStream.range(first, x.rank()).toArray();
        Value result = call.add(op, List.of(x), new Params().put("axis", axes));
        double coefficient = params.real("coeff", 1);
        return coefficient == 1 ? result : call.add("Mul", result, call.number("coeff", coefficient));
    }

    /**
     * The index of the largest element, the last of equal ones, along an axis or in the whole image; with its value, if asked
     * for. Along an axis, the value stands instead of the index.
     */
    private static Value argMax(CaffeLayerCall call) {
        CaffeFields params = call.params("argmax_param");
        if (params.size("top_k", 1, 1) != 1) {
            throw call.unsupportedUse("'top_k' above 1");
        }
        Value x = call.input();
        boolean values = params.flag("out_max_val", false);
        if (params.has("axis")) {
            int axis = call.axis(params, "axis", 0, x.rank());
            return values ? largest(call, x, axis) : index(call, x, axis);
        }
        Value rows = call.add("Flatten", List.of(x), new Params().put("axis", 1L));
        List<Value> results = new ArrayList<>(List.of(index(call, rows, 1)));
        if (values) {
            results.add(largest(call, rows, 1));
        }
        Value both = results.size() == 1 ? results.get(0) : call.add("Concat", results, new Params().put("axis", 1L));
        long[] behind = LongStream.range(2, Math.max(3, x.rank())).toArray();
        return call.add("Unsqueeze", List.of(both), new Params().put("axis", behind));
    }

    private static Value largest(CaffeLayerCall call, Value x, int axis) {
        Params along = new Params().put("axis", new long[] {axis}).put("keep_dims", true);
        return call.add("ReduceMax", List.of(x), along);
    }

    private static Value index(CaffeLayerCall call, Value x, int axis) {
        Value equal = call.add("Equal", x, largest(call, x, axis));
        Value numbers = ScaleLayers.withAxesBehind(call, numbers(call, x, axis), x.rank() - 1 - axis);
        Value none = call.number("none", -1);
        Value indices = call.add("Where", equal, numbers, none);
        return largest(call, indices, axis);
    }

    /** 0, 1, 2 … along an axis. */
    private static Value numbers(CaffeLayerCall call, Value x, int axis) {
        Dim size = x.shape().dim(axis);
        if (axis == 1 && x.rank() > 2 && size instanceof Dim.Known channels && channels.size() < 1 << 20) {
            float[] numbers = new float[(int) channels.size()];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = i;
            }
            return call.constant("numbers", Tensor.of(numbers, numbers.length));
        }
        Shape vector = new Shape(List.of(size));
        Value limit = call.add("Squeeze", List.of(call.sizes(x, axis, axis + 1)), new Params(), Shape.SCALAR);
        Value start = call.constant("start", Tensor.scalar(0L));
        Value step = call.constant("step", Tensor.scalar(1L));
        Value range = call.add("Range", List.of(start, limit, step), new Params(), vector);
        return call.add("Cast", List.of(range), new Params().put("to", DType.FLOAT32.toString()));
    }
}
