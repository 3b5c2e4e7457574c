package org.clinfer.conformance;

import static java.util.Map.entry;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** OpLib's operators that move elements, and its mean. */
final class LayoutReferences {

    private LayoutReferences() {}

    static Map<String, Reference> all() {
        return Map.ofEntries(
                entry("Concat", Reference.single(LayoutReferences::concat)),
                entry("DeePhiTile", Reference.single(LayoutReferences::tile)),
                entry("Reorg", Reference.single(ReorgReference::reorg)),
                entry("Reshape", Reference.single(LayoutReferences::reshape)),
                entry("Squeeze", Reference.single(LayoutReferences::squeeze)),
                entry("Mean", Reference.single(LayoutReferences::mean)),
                entry("Pad", Reference.single(PadReference::pad)));
    }

    /** A list that is a parameter, or the elements of an input. */
    static long[] list(Call call, String param, int input, long... otherwise) {
        return call.hasInput(input)
                ? Arrays.stream(call.input(input).values())
                        .mapToLong(v -> (long) v)
                        .toArray()
                : call.ints(param, otherwise);
    }

    private static Array concat(Call call) {
        int axis = (int)
                Math.floorMod(call.integer("axis", 1), (long) call.input(0).rank());
        long total = 0;
        for (int i = 0; i < call.inputs(); i++) {
            total += call.input(i).dim(axis);
        }
        return Array.of(Indices.with(call.input(0).dims(), axis, total), at -> {
            long place = at[axis];
            int input = 0;
            while (place >= call.input(input).dim(axis)) {
                place -= call.input(input).dim(axis);
                input++;
            }
            return call.input(input).at(Indices.with(at, axis, place));
        });
    }

    private static Array tile(Call call) {
        Array x = call.input(0);
        long[] multiples = list(call, "multiples", 1);
        long[] dims = x.dims();
        for (int axis = 0; axis < dims.length; axis++) {
            dims[axis] *= multiples[axis];
        }
        return Array.of(dims, at -> {
            for (int axis = 0; axis < at.length; axis++) {
                at[axis] %= x.dim(axis);
            }
            return x.at(at);
        });
    }

    /** 0 copies a size, -1 is what remains. */
    private static Array reshape(Call call) {
        Array x = call.input(0);
        long[] shape = list(call, "shape", 1);
        for (int i = 0; i < shape.length; i++) {
            if (shape[i] == 0 && !call.flag("allow_zero", false)) {
                shape[i] = x.dim(i);
            }
        }
        long known = Arrays.stream(shape).filter(size -> size != -1).reduce(1, (a, b) -> a * b);
        return x.reshaped(Arrays.stream(shape)
                .map(size -> size == -1 ? (known == 0 ? 0 : x.elements() / known) : size)
                .toArray());
    }

    private static Array squeeze(Call call) {
        Array x = call.input(0);
        List<Integer> removed = axes(list(call, "axis", 1), x.rank());
        List<Long> dims = new ArrayList<>();
        for (int axis = 0; axis < x.rank(); axis++) {
            if (removed.isEmpty() ? x.dim(axis) != 1 : !removed.contains(axis)) {
                dims.add(x.dim(axis));
            }
        }
        return x.reshaped(dims.stream().mapToLong(Long::longValue).toArray());
    }

    private static List<Integer> axes(long[] axes, int rank) {
        return Arrays.stream(axes)
                .mapToObj(axis -> (int) Math.floorMod(axis, (long) rank))
                .toList();
    }

    private static Array mean(Call call) {
        Array x = call.input(0);
        List<Integer> reduced = axes(list(call, "axis", 1), x.rank());
        boolean every = reduced.isEmpty() && !call.flag("noop_with_empty_axis", false);
        long[] kept = x.dims();
        long[] window = new long[kept.length];
        List<Long> shape = new ArrayList<>();
        for (int axis = 0; axis < kept.length; axis++) {
            boolean gone = every || reduced.contains(axis);
            window[axis] = gone ? kept[axis] : 1;
            kept[axis] = gone ? 1 : kept[axis];
            if (!gone || call.flag("keep_dims", false)) {
                shape.add(kept[axis]);
            }
        }
        Array means = Array.of(kept, at -> {
            double sum = 0;
            for (long[] step : Indices.all(window)) {
                long[] place = at.clone();
                for (int axis = 0; axis < at.length; axis++) {
                    place[axis] += step[axis];
                }
                sum += x.at(place);
            }
            return sum / Array.elements(window);
        });
        return means.reshaped(shape.stream().mapToLong(Long::longValue).toArray());
    }
}
