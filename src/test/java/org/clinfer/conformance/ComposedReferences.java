package org.clinfer.conformance;

import static org.clinfer.conformance.ActivationReferences.clamp;

import java.util.Arrays;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Operators that are made of others. */
final class ComposedReferences {

    private ComposedReferences() {}

    static Map<String, Reference> all() {
        return Map.of(
                "Mish", Elements.map(call -> ComposedReferences::mish),
                "HardMish", Elements.map(call -> ComposedReferences::hardMish),
                "GroupNorm", Reference.single(ComposedReferences::groupNorm),
                "MeanVarianceNorm", Reference.single(ComposedReferences::meanVarianceNorm),
                "LpNorm", Reference.single(ComposedReferences::lpNorm),
                "Hardmax", Reference.single(ComposedReferences::hardmax),
                "OneHot", Reference.single(ComposedReferences::oneHot),
                "Trilu", Reference.single(ComposedReferences::trilu),
                "SpaceToBatch", Reference.single(ComposedReferences::spaceToBatch),
                "BatchToSpace", Reference.single(ComposedReferences::batchToSpace));
    }

    private static double mish(double x) {
        return x * Math.tanh(ActivationReferences.softplus(x));
    }

    private static double hardMish(double x) {
        double below = clamp(x, -2, 0);
        return Math.max(x, 0) + below + below * below / 2;
    }

    /** Scale and bias of each channel, or of each group if there are so many. */
    private static Array groupNorm(Call call) {
        Array x = call.input(0);
        long groups = call.integer("num_groups", 1);
        double epsilon = call.real("epsilon", 1e-5);
        long[] dims = x.dims();
        Array rows = x.reshaped(dims[0], groups, dims[0] == 0 ? 0 : x.elements() / dims[0] / groups);
        Statistics statistics = new Statistics(rows, new boolean[] {false, false, true});
        long channels = dims[1];
        return Elements.like(x, Array.of(dims, index -> {
            long group = index[1] / (channels / groups);
            double normal = (x.at(index) - statistics.mean(index[0], group, 0))
                    / Math.sqrt(statistics.variance(index[0], group, 0) + epsilon);
            if (!call.hasInput(1)) {
                return normal;
            }
            long place = call.input(1).elements() == channels ? index[1] : group;
            return normal * call.input(1).at(place) + call.input(2).at(place);
        }));
    }

    private static Array meanVarianceNorm(Call call) {
        Array x = call.input(0);
        Statistics statistics = new Statistics(x, chosen(x, call.ints("axes")));
        double epsilon = call.real("epsilon", 1e-9);
        boolean inside = call.text("epsilon_mode", "outside_sqrt").equals("inside_sqrt");
        boolean divided = call.flag("normalize_variance", true);
        return Elements.like(x, Array.of(x.dims(), index -> {
            double difference = x.at(index) - statistics.mean(index);
            double variance = statistics.variance(index);
            return divided
                    ? difference / (inside ? Math.sqrt(variance + epsilon) : Math.sqrt(variance) + epsilon)
                    : difference;
        }));
    }

    private static Array lpNorm(Call call) {
        Array x = call.input(0);
        boolean[] over = chosen(x, call.ints("axes"));
        boolean squares = call.integer("p", 2) == 2;
        double epsilon = call.real("epsilon", 0);
        String mode = call.text("epsilon_mode", "none");
        return Elements.like(x, Array.of(x.dims(), index -> {
            double sum = Statistics.over(
                    x,
                    over,
                    index,
                    values -> Arrays.stream(values)
                            .map(v -> squares ? v * v : Math.abs(v))
                            .sum());
            sum = mode.equals("add") ? sum + epsilon : mode.equals("max") ? Math.max(sum, epsilon) : sum;
            double norm = squares ? Math.sqrt(sum) : sum;
            if (mode.equals("none") && norm == 0) {
                return x.at(index);
            }
            return x.at(index) / (mode.equals("max_norm") ? Math.max(norm, epsilon) : norm);
        }));
    }

    private static boolean[] chosen(Array x, long[] axes) {
        boolean[] chosen = new boolean[x.rank()];
        for (long axis : axes) {
            chosen[Values.axis(axis, x.rank())] = true;
        }
        return chosen;
    }

    private static Array hardmax(Call call) {
        Array x = call.input(0);
        int axis = Values.axis(call.integer("axis", -1), x.rank());
        return Elements.like(x, Array.of(x.dims(), index -> {
            long first = 0;
            for (long i = 1; i < x.dim(axis); i++) {
                double one = x.at(Indices.with(index, axis, i));
                double best = x.at(Indices.with(index, axis, first));
                first = one > best || (Double.isNaN(one) && !Double.isNaN(best)) ? i : first;
            }
            return index[axis] == first ? 1 : 0;
        }));
    }

    private static Array oneHot(Call call) {
        Array indices = call.input(0);
        long depth = call.hasInput(1) ? (long) call.input(1).flat(0) : call.integer("depth", 0);
        int axis = Values.axis(call.integer("axis", -1), indices.rank() + 1);
        boolean wrap = call.flag("wrap", true);
        Array values = call.input(2);
        return Elements.like(values, Array.of(Indices.inserted(indices.dims(), axis, depth), index -> {
            double given = (long) indices.at(Indices.without(index, axis));
            double place = given < 0 && wrap ? given + depth : given;
            return values.at(place == index[axis] ? 1 : 0);
        }));
    }

    private static Array trilu(Call call) {
        Array x = call.input(0);
        long k = call.hasInput(1) ? (long) call.input(1).flat(0) : 0;
        boolean upper = call.flag("upper", true);
        int rank = x.rank();
        return Elements.like(x, Array.of(x.dims(), index -> {
            long above = index[rank - 1] - index[rank - 2];
            return (upper ? above >= k : above <= k) ? x.at(index) : 0;
        }));
    }

    /** The batch of an element says from which place in a block it is, and of which batch of x. */
    private static Array spaceToBatch(Call call) {
        Array x = call.input(0);
        long[] block = call.ints("block");
        long[] borders = borders(call, block.length);
        long[] dims = x.dims();
        for (int i = 0; i < block.length; i++) {
            dims[0] *= block[i];
            dims[i + 1] = (dims[i + 1] + borders[2 * i] + borders[2 * i + 1]) / block[i];
        }
        return Elements.like(x, Array.of(dims, index -> {
            long[] from = index.clone();
            long place = index[0] / x.dim(0);
            from[0] = index[0] % x.dim(0);
            boolean inside = true;
            for (int i = block.length - 1; i >= 0; i--) {
                from[i + 1] = index[i + 1] * block[i] + place % block[i] - borders[2 * i];
                inside &= from[i + 1] >= 0 && from[i + 1] < x.dim(i + 1);
                place /= block[i];
            }
            return inside ? x.at(from) : 0;
        }));
    }

    private static Array batchToSpace(Call call) {
        Array x = call.input(0);
        long[] block = call.ints("block");
        long[] borders = borders(call, block.length);
        long[] dims = x.dims();
        for (int i = 0; i < block.length; i++) {
            dims[0] /= block[i];
            dims[i + 1] = dims[i + 1] * block[i] - borders[2 * i] - borders[2 * i + 1];
        }
        return Elements.like(x, Array.of(dims, index -> {
            long[] from = index.clone();
            long place = 0;
            for (int i = 0; i < block.length; i++) {
                long whole = index[i + 1] + borders[2 * i];
                place = place * block[i] + whole % block[i];
                from[i + 1] = whole / block[i];
            }
            from[0] = place * dims[0] + index[0];
            return x.at(from);
        }));
    }

    private static long[] borders(Call call, int axes) {
        if (call.hasInput(1)) {
            return Arrays.stream(call.input(1).values())
                    .mapToLong(v -> (long) v)
                    .toArray();
        }
        return call.has("borders") ? call.ints("borders") : new long[2 * axes];
    }

    /** Mean and variance over some axes, for every element. */
    private static final class Statistics {

        private final Array x;
        private final boolean[] over;

        Statistics(Array x, boolean[] over) {
            this.x = x;
            this.over = over;
        }

        double mean(long... index) {
            return over(x, over, index, values -> Arrays.stream(values).sum() / values.length);
        }

        double variance(long... index) {
            double mean = mean(index);
            return over(
                    x,
                    over,
                    index,
                    values -> Arrays.stream(values)
                                    .map(v -> (v - mean) * (v - mean))
                                    .sum()
                            / values.length);
        }

        /** A function of the elements that differ from one along these axes alone. */
        static double over(Array x, boolean[] axes, long[] index, ToDoubleFunction<double[]> function) {
            long[] group = x.dims();
            for (int axis = 0; axis < group.length; axis++) {
                group[axis] = axes[axis] ? group[axis] : 1;
            }
            return function.applyAsDouble(Array.of(group, inner -> {
                        long[] at = index.clone();
                        for (int axis = 0; axis < at.length; axis++) {
                            at[axis] = axes[axis] ? inner[axis] : at[axis];
                        }
                        return x.at(at);
                    })
                    .values());
        }
    }
}
