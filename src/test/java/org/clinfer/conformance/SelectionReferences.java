package org.clinfer.conformance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/** Operators whose results are elements of the input: each tells from where an output element comes. */
final class SelectionReferences {

    private SelectionReferences() {}

    static Map<String, Reference> all() {
        return Map.of(
                "Expand", Reference.single(SelectionReferences::expand),
                "Gather", Reference.single(SelectionReferences::gather),
                "Slice", Reference.single(SelectionReferences::slice),
                "Split", SelectionReferences::split,
                "Transpose", Reference.single(SelectionReferences::transpose),
                "Flatten", Reference.single(SelectionReferences::flatten),
                "Unsqueeze", Reference.single(SelectionReferences::unsqueeze),
                "Identity", Reference.single(call -> call.input(0)),
                "Dropout", Reference.single(call -> call.input(0)));
    }

    /** The tensor of a shape whose element at an index is that of {@code x} at {@code source} of it. */
    private static Array select(Array x, long[] dims, UnaryOperator<long[]> source) {
        return Elements.like(x, Array.of(dims, index -> x.at(source.apply(index))));
    }

    private static Array expand(Call call) {
        Array x = call.input(0);
        long[] dims = Elements.broadcast(x.dims(), Values.ints(call, 1, "shape"));
        return Elements.like(x, Array.of(dims, x::broadcastAt));
    }

    private static Array gather(Call call) {
        Array x = call.input(0);
        Array indices = call.input(1);
        int axis = Values.axis(call.integer("axis", 0), x.rank());
        int rank = indices.rank();
        long[] before = Arrays.copyOf(x.dims(), axis);
        long[] after = Arrays.copyOfRange(x.dims(), axis + 1, x.rank());
        return select(x, joined(before, indices.dims(), after), index -> {
            long chosen = (long) indices.at(Arrays.copyOfRange(index, axis, axis + rank));
            long[] own = {chosen < 0 ? chosen + x.dim(axis) : chosen};
            return joined(Arrays.copyOf(index, axis), own, Arrays.copyOfRange(index, axis + rank, index.length));
        });
    }

    private static long[] joined(long[]... lists) {
        return Arrays.stream(lists).flatMapToLong(Arrays::stream).toArray();
    }

    /**
     * As numpy slices, but ends of negative steps name the element before the first by a number below -size, or as ends of
     * positive steps name the one behind the last, by the largest number of their type.
     */
    private static Array slice(Call call) {
        Array x = call.input(0);
        long[] starts = Values.ints(call, 1, "starts");
        long[] ends = Values.ints(call, 2, "ends");
        long[] axes =
                Values.ints(call, 3, "axes", LongStream.range(0, starts.length).toArray());
        long[] ones = new long[starts.length];
        Arrays.fill(ones, 1);
        long[] steps = Values.ints(call, 4, "steps", ones);
        long[] first = new long[x.rank()];
        long[] step = new long[x.rank()];
        Arrays.fill(step, 1);
        long[] dims = x.dims();
        for (int k = 0; k < starts.length; k++) {
            int axis = Values.axis(axes[k], x.rank());
            long[] chosen = chosen(x.dim(axis), starts[k], ends[k], steps[k]);
            dims[axis] = chosen.length;
            first[axis] = chosen.length == 0 ? 0 : chosen[0];
            step[axis] = steps[k];
        }
        return select(x, dims, index -> {
            long[] source = new long[index.length];
            Arrays.setAll(source, axis -> first[axis] + index[axis] * step[axis]);
            return source;
        });
    }

    /** The positions along an axis that a slice takes. */
    private static long[] chosen(long size, long start, long end, long step) {
        long from = start < 0 ? start + size : start;
        long to = end < 0 ? end + size : end;
        List<Long> chosen = new ArrayList<>();
        if (step > 0) {
            for (long at = Math.max(0, from); at < Math.min(to, size); at += step) {
                chosen.add(at);
            }
        } else {
            boolean whole = end == Integer.MAX_VALUE || end == Long.MAX_VALUE;
            for (long at = Math.min(size - 1, from); at > (whole ? -1 : Math.max(to, -1)); at += step) {
                chosen.add(at);
            }
        }
        return chosen.stream().mapToLong(Long::longValue).toArray();
    }

    private static List<Array> split(Call call) {
        Array x = call.input(0);
        int axis = Values.axis(call.integer("axis", 0), x.rank());
        long[] sizes = Values.ints(call, 1, "split");
        if (!call.hasInput(1) && !call.has("split")) {
            long parts = call.integer("num_outputs", 1);
            long most = (x.dim(axis) + parts - 1) / parts;
            sizes = LongStream.range(0, parts)
                    .map(part -> Math.max(0, Math.min(most, x.dim(axis) - part * most)))
                    .toArray();
        }
        List<Array> parts = new ArrayList<>();
        long first = 0;
        for (long size : sizes) {
            long[] dims = x.dims();
            dims[axis] = size;
            long offset = first;
            parts.add(select(x, dims, index -> {
                long[] source = index.clone();
                source[axis] += offset;
                return source;
            }));
            first += size;
        }
        return parts;
    }

    private static Array transpose(Call call) {
        Array x = call.input(0);
        int last = x.rank() - 1;
        long[] perm = call.ints(
                "perm", LongStream.rangeClosed(0, last).map(a -> last - a).toArray());
        long[] dims = Arrays.stream(perm).map(a -> x.dim((int) a)).toArray();
        return select(x, dims, index -> {
            long[] source = new long[index.length];
            for (int axis = 0; axis < index.length; axis++) {
                source[(int) perm[axis]] = index[axis];
            }
            return source;
        });
    }

    private static Array flatten(Call call) {
        Array x = call.input(0);
        int axis = Values.axis(call.integer("axis", 1), x.rank());
        long rows = Array.elements(Arrays.copyOf(x.dims(), axis));
        return x.reshaped(rows, Array.elements(Arrays.copyOfRange(x.dims(), axis, x.rank())));
    }

    private static Array unsqueeze(Call call) {
        Array x = call.input(0);
        long[] axes = Values.ints(call, 1, "axis");
        int rank = x.rank() + axes.length;
        long[] dims = new long[rank];
        boolean[] inserted = new boolean[rank];
        for (long axis : axes) {
            inserted[Values.axis(axis, rank)] = true;
        }
        int next = 0;
        for (int axis = 0; axis < rank; axis++) {
            dims[axis] = inserted[axis] ? 1 : x.dim(next++);
        }
        return x.reshaped(dims);
    }
}
