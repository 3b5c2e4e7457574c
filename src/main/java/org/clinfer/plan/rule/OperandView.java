package org.clinfer.plan.rule;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;
import org.clinfer.place.PlacedNode;

/**
 * A value as elements of another one: what transpositions, reshapes, slices at one index and parts of a split make of it,
 * times a factor.
 *
 * <p>Its arrays are only read.
 *
 * @param base the value whose elements they are
 * @param sizes of its axes
 * @param strides elements of the base between neighbours along each axis
 * @param offset the first element
 * @param factor by which all are multiplied
 * @param moves whether a node on the way moves or computes elements
 */
@SuppressWarnings("ArrayRecordComponent")
record OperandView(String base, long[] sizes, long[] strides, long offset, double factor, boolean moves) {

    /** Nodes on the way at most. */
    private static final int DEEPEST = 32;

    /** Powers of 2 between which factors lie: sums of what is not multiplied yet stay as far from the ends of float32. */
    private static final int LARGEST_EXPONENT = 24;

    /** The value itself. */
    private static OperandView plain(String value, Rewriting graph) {
        long[] sizes = graph.type(value).shape().sizes();
        return new OperandView(value, sizes, dense(sizes), 0, 1, false);
    }

    /** The value as a view of what it is made of on one side, as far back as it is one. */
    static OperandView of(String value, PlacedNode.Target side, Rewriting graph) {
        return of(value, side, graph, DEEPEST);
    }

    private static OperandView of(String value, PlacedNode.Target side, Rewriting graph, int depth) {
        return Part.making(value, graph)
                .filter(part -> depth > 0 && part.placed().target() == side)
                .flatMap(part -> of(value, part, side, graph, depth - 1))
                .filter(view -> isMild(view.factor()))
                .orElseGet(() -> plain(value, graph));
    }

    /** {@return whether it is the same to multiply before a sum and after it} */
    static boolean isMild(double factor) {
        return Math.abs(Math.getExponent(factor)) < LARGEST_EXPONENT;
    }

    private static Optional<OperandView> of(
            String value, Part maker, PlacedNode.Target side, Rewriting graph, int depth) {
        return switch (maker.op()) {
            case "Transpose" ->
                Optional.of(of(maker.input(0), side, graph, depth)
                        .transposed(maker.binding().integers("perm")));
            case "Gather" ->
                index(maker, graph)
                        .flatMap(index -> of(maker.input(0), side, graph, depth).at(axis(maker), index));
            case "Split" -> of(maker.input(0), side, graph, depth).part(maker, value, graph);
            case "Mul", "Div" ->
                factor(maker, graph)
                        .map(by -> of(by.other(), side, graph, depth).times(by.number()))
                        .filter(view -> view.hasSizesOf(value, graph));
            default ->
                graph.viewed(maker.position())
                        .flatMap(viewed -> of(viewed, side, graph, depth)
                                .reshaped(graph.type(value).shape().sizes()));
        };
    }

    private boolean hasSizesOf(String value, Rewriting graph) {
        return Arrays.equals(sizes, graph.type(value).shape().sizes());
    }

    /** The number by which a Mul or a Div multiplies its other operand, if it is finite, and not 0. */
    static Optional<Part.Scalar> factor(Part part, Rewriting graph) {
        return part.scalars(graph)
                .filter(by -> Double.isFinite(1 / by.number()) && Double.isFinite(by.number()))
                .map(by -> part.op().equals("Div") ? new Part.Scalar(1 / by.number(), by.other()) : by)
                .findFirst();
    }

    private static int axis(Part maker) {
        long axis = maker.binding().integer("axis");
        return (int)
                (axis < 0 ? axis + maker.placed().inputTypes().get(0).shape().rank() : axis);
    }

    /** The one index of a Gather that takes away an axis. */
    private static Optional<Long> index(Part gather, Rewriting graph) {
        return graph.constant(gather.input(1))
                .filter(indices -> indices.shape().rank() == 0)
                .map(indices -> indices.getLong(0));
    }

    private static long[] dense(long[] sizes) {
        long[] strides = new long[sizes.length];
        long step = 1;
        for (int axis = sizes.length - 1; axis >= 0; axis--) {
            strides[axis] = step;
            step *= sizes[axis];
        }
        return strides;
    }

    private OperandView transposed(long[] perm) {
        return new OperandView(
                base,
                Arrays.stream(perm).map(axis -> sizes[(int) axis]).toArray(),
                Arrays.stream(perm).map(axis -> strides[(int) axis]).toArray(),
                offset,
                factor,
                true);
    }

    private OperandView times(double by) {
        return new OperandView(base, sizes, strides, offset, factor * by, true);
    }

    private Optional<OperandView> at(int axis, long index) {
        long from = index < 0 ? index + sizes[axis] : index;
        return from < 0 || from >= sizes[axis]
                ? Optional.empty()
                : Optional.of(new OperandView(
                        base,
                        without(sizes, axis),
                        without(strides, axis),
                        offset + from * strides[axis],
                        factor,
                        true));
    }

    private static long[] without(long[] values, int axis) {
        return IntStream.range(0, values.length)
                .filter(i -> i != axis)
                .mapToLong(i -> values[i])
                .toArray();
    }

    private Optional<OperandView> part(Part split, String value, Rewriting graph) {
        int axis = axis(split);
        long from = 0;
        for (String output : split.placed().outputs()) {
            if (output.isEmpty()) {
                return Optional.empty();
            }
            long[] partSizes = graph.type(output).shape().sizes();
            if (output.equals(value)) {
                return Optional.of(
                        new OperandView(base, partSizes, strides, offset + from * strides[axis], factor, true));
            }
            from += partSizes[axis];
        }
        return Optional.empty();
    }

    /** With axes joined and divided; empty where elements that would be of one axis lie at no equal distance. */
    Optional<OperandView> reshaped(long[] wanted) {
        if (Arrays.stream(sizes).anyMatch(size -> size == 0)) {
            return Optional.empty(); // no product of sizes says which axes belong together
        }
        long[] result = new long[wanted.length];
        int from = 0;
        int to = 0;
        while (from < sizes.length || to < wanted.length) {
            int fromEnd = from;
            int toEnd = to;
            long before = 1;
            long after = 1;
            do {
                if ((before <= after && fromEnd < sizes.length) || toEnd == wanted.length) {
                    before *= sizes[fromEnd++];
                } else {
                    after *= wanted[toEnd++];
                }
            } while (before != after || (fromEnd == from && toEnd == to));
            Optional<Long> step = step(from, fromEnd);
            if (step.isEmpty()) {
                return Optional.empty();
            }
            long stride = step.get();
            for (int axis = toEnd - 1; axis >= to; axis--) {
                result[axis] = stride;
                stride *= wanted[axis];
            }
            from = fromEnd;
            to = toEnd;
        }
        return Optional.of(new OperandView(base, wanted, result, offset, factor, moves));
    }

    /** The distance of neighbours if some axes are taken for one. */
    private Optional<Long> step(int from, int end) {
        long step = 1;
        long next = -1;
        for (int axis = end - 1; axis >= from; axis--) {
            if (sizes[axis] == 1) {
                continue;
            }
            if (next >= 0 && strides[axis] != next) {
                return Optional.empty();
            }
            step = next < 0 ? strides[axis] : step;
            next = strides[axis] * sizes[axis];
        }
        return Optional.of(step);
    }
}
