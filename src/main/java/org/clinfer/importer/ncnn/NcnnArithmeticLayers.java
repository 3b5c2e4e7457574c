package org.clinfer.importer.ncnn;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;

/** Sums, products, powers and other arithmetic of elements, and along axes. */
final class NcnnArithmeticLayers {

    private NcnnArithmeticLayers() {}

    static void addTo(LayerTable<NcnnLayerCall> all) {
        all.one("Eltwise", NcnnArithmeticLayers::eltwise);
        all.one("BinaryOp", NcnnArithmeticLayers::binary);
        all.one("UnaryOp", NcnnArithmeticLayers::unary);
        all.one("Power", NcnnArithmeticLayers::power);
        all.one("Exp", NcnnArithmeticLayers::exponential);
        all.one("Log", NcnnArithmeticLayers::logarithm);
        all.one("Reduction", NcnnArithmeticLayers::reduction);
        all.one("CumulativeSum", NcnnArithmeticLayers::cumulativeSum);
    }

    private static Value eltwise(NcnnLayerCall call) {
        List<Value> inputs = call.inputs(1, Integer.MAX_VALUE);
        int operation = call.params().integer(0, 0);
        List<Double> coefficients = call.params().reals(1);
        if (!coefficients.isEmpty() && (coefficients.size() != inputs.size() || operation != 1)) {
            throw call.params()
                    .wrong(
                            1,
                            coefficients.size() + " factors for operation " + operation + " of " + inputs.size()
                                    + " blobs");
        }
        return switch (operation) {
            case 0 -> {
                Value product = inputs.get(0);
                for (Value factor : inputs.subList(1, inputs.size())) {
                    product = call.add("Mul", product, factor);
                }
                yield product;
            }
            case 1 -> {
                List<Value> terms = coefficients.isEmpty() ? inputs : weighted(call, inputs, coefficients);
                yield terms.size() == 2
                        ? call.add("Add", terms.get(0), terms.get(1))
                        : call.add("Sum", terms, new Params());
            }
            case 2 -> call.add("Max", inputs, new Params());
            default -> throw call.unsupportedUse("operation " + operation);
        };
    }

    private static List<Value> weighted(NcnnLayerCall call, List<Value> inputs, List<Double> coefficients) {
        List<Value> terms = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            double factor = coefficients.get(i);
            terms.add(factor == 1 ? inputs.get(i) : call.add("Mul", inputs.get(i), call.number("coeff_" + i, factor)));
        }
        return terms;
    }

    private static Value binary(NcnnLayerCall call) {
        boolean withNumber = call.params().flag(1, false);
        List<Value> inputs = withNumber ? call.inputs(1, 1) : call.inputs(2, 2);
        Value left = inputs.get(0);
        double number = call.params().real(2, 0);
        Value right = withNumber ? call.number("b", number) : inputs.get(1);
        if (!withNumber) {
            left = alignedWith(call, left, right);
            right = alignedWith(call, right, left);
        }
        int operation = call.params().integer(0, 0);
        return switch (operation) {
            case 0 -> call.add("Add", left, right);
            case 1 -> call.add("Sub", left, right);
            case 2 -> call.add("Mul", left, right);
            case 3 -> call.add("Div", left, right);
            case 4 -> call.add("Max", left, right);
            case 5 -> call.add("Min", left, right);
            case 6 -> call.add("Pow", left, right);
            case 7 -> call.add("Sub", right, left);
            case 8 -> call.add("Div", right, left);
            default -> throw call.unsupportedUse("operation " + operation);
        };
    }

    /**
     * A blob of fewer axes lines up with the outer axes of the other one; one of a single axis lines up with the innermost if it
     * does not fit the outermost.
     */
    static Value alignedWith(NcnnLayerCall call, Value x, Value other) {
        int missing = other.rank() - x.rank();
        if (missing <= 0) {
            return x;
        }
        int first = x.rank();
        if (NcnnLayerCall.dims(x) == 1 && x.sizeOr0(1) != 1) {
            long own = x.sizeOr0(1);
            long outermost = other.sizeOr0(1);
            if (own == 0 || outermost == 0) {
                throw call.unsupportedUse(
                        "a blob of one axis where sizes are open",
                        "whether its blob of one axis lines up with the first or the last axis of the other follows"
                                + " from their sizes, and these are not known before a run; give the layers Input"
                                + " sizes");
            }
            first = own == outermost ? first : 1;
        }
        long[] axes = LongStream.range(first, first + missing).toArray();
        return call.add("Unsqueeze", List.of(x), new Params().put("axis", axes));
    }

    private static Value unary(NcnnLayerCall call) {
        Value x = call.input();
        int operation = call.params().integer(0, 0);
        return switch (operation) {
            case 0 -> call.add("Abs", x);
            case 1 -> call.add("Neg", x);
            case 2 -> call.add("Floor", x);
            case 3 -> call.add("Ceil", x);
            case 4 -> call.add("Mul", x, x);
            case 5 -> call.add("Sqrt", x);
            case 6 -> call.add("Reciprocal", call.add("Sqrt", x));
            case 7 -> call.add("Exp", x);
            case 8 -> call.add("Log", x);
            case 9 -> call.add("Sin", x);
            case 10 -> call.add("Cos", x);
            case 11 -> call.add("Tan", x);
            case 12 -> call.add("Asin", x);
            case 13 -> call.add("Acos", x);
            case 14 -> call.add("Atan", x);
            case 15 -> call.add("Reciprocal", x);
            case 16 -> call.add("Tanh", x);
            default -> throw call.unsupportedUse("operation " + operation);
        };
    }

    /** {@code scale * x + shift}. */
    private static Value scaled(NcnnLayerCall call, double factor) {
        Value result = call.input();
        double scale = factor * call.params().real(1, 1);
        double shift = factor * call.params().real(2, 0);
        if (scale != 1) {
            result = call.add("Mul", result, call.number("scale", scale));
        }
        return shift == 0 ? result : call.add("Add", result, call.number("shift", shift));
    }

    private static Value power(NcnnLayerCall call) {
        double power = call.params().real(0, 1);
        Value base = scaled(call, 1);
        return power == 1 ? base : call.add("Pow", base, call.number("power", power));
    }

    private static double base(NcnnLayerCall call) {
        double base = call.params().real(0, -1);
        if (base != -1 && !(base > 0)) {
            throw call.params().wrong(0, "expected -1 for e, or a number above 0, found " + base);
        }
        return base;
    }

    private static Value exponential(NcnnLayerCall call) {
        return call.add("Exp", scaled(call, base(call) == -1 ? 1 : Math.log(base(call))));
    }

    private static Value logarithm(NcnnLayerCall call) {
        double base = base(call);
        Value natural = call.add("Log", scaled(call, 1));
        return base == -1 ? natural : call.add("Mul", natural, call.number("factor", 1 / Math.log(base)));
    }

    private static Value reduction(NcnnLayerCall call) {
        LayerParams params = call.params();
        Value x = call.input();
        String op = switch (params.integer(0, 0)) {
            case 0 -> "ReduceSum";
            case 1, 7 -> "ReduceL1";
            case 2 -> "ReduceSumSquare";
            case 3 -> "Mean";
            case 4 -> "ReduceMax";
            case 5 -> "ReduceMin";
            case 6 -> "ReduceProd";
            case 8 -> "ReduceL2";
            case 9 -> "ReduceLogSum";
            case 10 -> "ReduceLogSumExp";
            default -> throw call.unsupportedUse("operation " + params.integer(0, 0));
        };
        boolean everything = params.flag(1, true);
        List<Integer> listed = params.integers(3);
        boolean batchless = params.flag(5, false);
        if (!listed.isEmpty() && !batchless) {
            throw call.unsupportedUse("axes that count the batch, which only old files have");
        }
        if (!everything && listed.isEmpty()) {
            throw params.wrong(3, "it is missing");
        }
        long[] axes = everything
                ? LongStream.range(1, x.rank()).toArray()
                : listed.stream()
                        .mapToLong(axis -> call.axis(3, axis, x))
                        .distinct()
                        .toArray();
        boolean keep = params.flag(4, false);
        boolean all = axes.length == NcnnLayerCall.dims(x);
        Value result = call.add(op, List.of(x), new Params().put("axis", axes).put("keep_dims", keep || all));
        if (all && !keep && NcnnLayerCall.dims(x) > 1) {
            result = call.add("Reshape", List.of(result), new Params().put("shape", new long[] {0, 1}));
        }
        double factor = params.real(2, 1);
        if (factor != 1 && !op.equals("ReduceSum") && !op.equals("Mean")) {
            throw call.unsupportedUse("a factor for other reductions than sums and means");
        }
        return factor == 1 ? result : call.add("Mul", result, call.number("coeff", factor));
    }

    private static Value cumulativeSum(NcnnLayerCall call) {
        Value x = call.input();
        long axis = call.axis(0, call.params().integer(0, 0), x);
        return call.add("CumSum", List.of(x), new Params().put("axis", axis));
    }
}
