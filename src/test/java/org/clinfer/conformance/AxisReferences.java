package org.clinfer.conformance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.clinfer.tensor.DType;

/** Operators that look at the elements along one axis in their order. */
final class AxisReferences {

    private AxisReferences() {}

    static Map<String, Reference> all() {
        return Map.of(
                "ArgMax", Reference.single(call -> extreme(call, false)),
                "ArgMin", Reference.single(call -> extreme(call, true)),
                "TopK", AxisReferences::topK,
                "CumSum", Reference.single(AxisReferences::cumSum));
    }

    private static long[] with(long[] index, int axis, long value) {
        long[] changed = index.clone();
        changed[axis] = value;
        return changed;
    }

    /** The elements of x along an axis, at an index for the others. */
    private static double[] line(Array x, int axis, long[] index) {
        return IntStream.range(0, (int) x.dim(axis))
                .mapToDouble(k -> x.at(with(index, axis, k)))
                .toArray();
    }

    /** Numbers in their order, the two zeros being equal, and then NaN. */
    private static int compare(double a, double b) {
        return Double.isNaN(a) || Double.isNaN(b)
                ? Boolean.compare(Double.isNaN(a), Double.isNaN(b))
                : Double.compare(a + 0.0, b + 0.0);
    }

    private static Array extreme(Call call, boolean least) {
        Array x = call.input(0);
        int axis = Values.axis(call.integer("axis", 0), x.rank());
        boolean last = call.flag("select_last_index", false);
        Array kept = Array.of(with(x.dims(), axis, 1), index -> {
            double[] line = line(x, axis, index);
            boolean nan = Arrays.stream(line).anyMatch(Double::isNaN);
            double best = Arrays.stream(line)
                    .boxed()
                    .max(least && !nan ? (a, b) -> compare(b, a) : AxisReferences::compare)
                    .orElseThrow();
            int[] places = IntStream.range(0, line.length)
                    .filter(k -> compare(line[k], best) == 0)
                    .toArray();
            return places[last ? places.length - 1 : 0];
        });
        long[] dims = call.flag("keepdims", true)
                ? kept.dims()
                : IntStream.range(0, x.rank())
                        .filter(i -> i != axis)
                        .mapToLong(x::dim)
                        .toArray();
        return kept.reshaped(dims).as(DType.INT64);
    }

    private static List<Array> topK(Call call) {
        Array x = call.input(0);
        int axis = Values.axis(call.integer("axis", -1), x.rank());
        int k = (int) Values.ints(call, 1, "k", call.integer("k", 0))[0];
        boolean largest = call.flag("largest", true);
        Array places = Array.of(with(x.dims(), axis, k), index -> {
            double[] line = line(x, axis, index);
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, line.length).boxed().toList());
            Comparator<Integer> up = (a, b) -> compare(line[a], line[b]);
            order.sort((largest ? up.reversed() : up).thenComparing(Comparator.naturalOrder()));
            return order.get((int) index[axis]);
        });
        Array values = Array.of(places.dims(), index -> x.at(with(index, axis, (long) places.at(index))));
        return List.of(Elements.like(x, values), places.as(DType.INT64));
    }

    private static Array cumSum(Call call) {
        Array x = call.input(0);
        int axis = Values.axis(Values.ints(call, 1, "axis", call.integer("axis", 0))[0], x.rank());
        boolean exclusive = call.flag("exclusive", false);
        boolean reverse = call.flag("reverse", false);
        return Elements.like(x, Array.of(x.dims(), index -> {
            long own = index[axis];
            long first = !reverse ? 0 : exclusive ? own + 1 : own;
            long end = reverse ? x.dim(axis) : exclusive ? own : own + 1;
            return LongStream.range(first, end)
                    .mapToDouble(k -> x.at(with(index, axis, k)))
                    .sum();
        }));
    }
}
