package org.clinfer.conformance;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Reductions over axes: each result is a function of the elements that it stands for. */
final class ReductionReferences {

    private ReductionReferences() {}

    static Map<String, Reference> all() {
        Map<String, ToDoubleFunction<double[]>> functions = new HashMap<>();
        functions.put("ReduceSum", v -> Arrays.stream(v).sum());
        functions.put("ReduceMax", v -> Arrays.stream(v).reduce(Double.NEGATIVE_INFINITY, Math::max));
        functions.put("ReduceMin", v -> Arrays.stream(v).reduce(Double.POSITIVE_INFINITY, Math::min));
        functions.put("ReduceProd", v -> Arrays.stream(v).reduce(1, (a, b) -> a * b));
        functions.put("ReduceL1", v -> Arrays.stream(v).map(Math::abs).sum());
        functions.put("ReduceL2", v -> Math.sqrt(sumOfSquares(v)));
        functions.put("ReduceSumSquare", ReductionReferences::sumOfSquares);
        functions.put("ReduceLogSum", v -> Math.log(Arrays.stream(v).sum()));
        functions.put("ReduceLogSumExp", ReductionReferences::logSumExp);
        Map<String, Reference> all = new HashMap<>();
        functions.forEach((op, function) -> all.put(op, Reference.single(call -> reduce(call, function))));
        return all;
    }

    private static double sumOfSquares(double[] values) {
        return Arrays.stream(values).map(v -> v * v).sum();
    }

    /** With the largest element taken out, so that no exponential overflows. */
    private static double logSumExp(double[] values) {
        double largest = Arrays.stream(values).max().orElse(Double.NEGATIVE_INFINITY);
        if (Double.isInfinite(largest)) {
            return largest;
        }
        return largest
                + Math.log(Arrays.stream(values).map(v -> Math.exp(v - largest)).sum());
    }

    private static Array reduce(Call call, ToDoubleFunction<double[]> function) {
        Array x = call.input(0);
        boolean[] reduced = reduced(call, x.rank());
        long[] kept = x.dims();
        long[] group = x.dims();
        for (int axis = 0; axis < x.rank(); axis++) {
            if (reduced[axis]) {
                kept[axis] = 1;
            } else {
                group[axis] = 1;
            }
        }
        Array result = Array.of(
                kept,
                index -> function.applyAsDouble(
                        Array.of(group, inner -> x.at(plus(index, inner))).values()));
        long[] dims = call.flag("keep_dims", false)
                ? kept
                : IntStream.range(0, x.rank())
                        .filter(axis -> !reduced[axis])
                        .mapToLong(x::dim)
                        .toArray();
        return Elements.like(x, result.reshaped(dims));
    }

    private static long[] plus(long[] a, long[] b) {
        return IntStream.range(0, a.length).mapToLong(i -> a[i] + b[i]).toArray();
    }

    private static boolean[] reduced(Call call, int rank) {
        long[] axes = Values.ints(call, 1, "axis");
        boolean[] reduced = new boolean[rank];
        Arrays.fill(reduced, axes.length == 0 && !call.flag("noop_with_empty_axis", false));
        for (long axis : axes) {
            reduced[Values.axis(axis, rank)] = true;
        }
        return reduced;
    }
}
