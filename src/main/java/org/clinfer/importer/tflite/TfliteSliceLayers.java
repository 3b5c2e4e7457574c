package org.clinfer.importer.tflite;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.StridedSlices;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Tensor;

/** Boxes of a tensor. */
final class TfliteSliceLayers {

    /** An end behind all elements, and one before them. */
    static final long BEHIND = Integer.MAX_VALUE;

    private static final long BEFORE = Integer.MIN_VALUE;

    private TfliteSliceLayers() {}

    static void addTo(LayerTable<TfliteCall> all) {
        all.one("SLICE", TfliteSliceLayers::slice);
        all.one("STRIDED_SLICE", TfliteSliceLayers::stridedSlice);
        all.one("REVERSE_V2", TfliteSliceLayers::reverse);
    }

    /** Starts, ends and steps along all axes, in the file's order. */
    private static final class Box {

        private final long[] starts;
        private final long[] ends;
        private final long[] steps;

        Box(int rank) {
            starts = new long[rank];
            ends = new long[rank];
            steps = new long[rank];
            Arrays.fill(ends, BEHIND);
            Arrays.fill(steps, 1);
        }

        private boolean isWhole(int axis) {
            return starts[axis] == 0 && ends[axis] == BEHIND && steps[axis] == 1;
        }

        /** The box of a value, in the order of axes in which that is held. */
        TfliteValue cut(TfliteCall call, TfliteValue x) {
            int[] axes = IntStream.range(0, starts.length)
                    .filter(axis -> !isWhole(axis))
                    .toArray();
            if (axes.length == 0) {
                return x;
            }
            Params params = new Params()
                    .put("starts", picked(starts, axes))
                    .put("ends", picked(ends, axes))
                    .put("axes", Arrays.stream(axes).mapToLong(x::heldAxis).toArray())
                    .put("steps", picked(steps, axes));
            return new TfliteValue(call.add("Slice", params, x.held()), x.second());
        }

        private static long[] picked(long[] values, int[] axes) {
            return Arrays.stream(axes).mapToLong(axis -> values[axis]).toArray();
        }
    }

    private static Value slice(TfliteCall call) {
        call.requireInputs(3, 3);
        TfliteValue x = call.kept(0);
        Optional<long[]> begin = call.integers(1);
        Optional<long[]> size = call.integers(2);
        if (begin.isEmpty() || size.isEmpty()) {
            return computedSlice(call, x);
        }
        int rank = x.rank();
        if (begin.get().length != rank || size.get().length != rank) {
            throw box(call, begin.get(), size.get());
        }
        Box box = new Box(rank);
        for (int axis = 0; axis < rank; axis++) {
            long first = begin.get()[axis];
            long length = size.get()[axis];
            if (first < 0 || length < -1 || length >= BEHIND || first >= BEHIND) {
                throw box(call, begin.get(), size.get());
            }
            box.starts[axis] = first;
            box.ends[axis] = length == -1 ? BEHIND : first + length;
        }
        return call.give(box.cut(call, x));
    }

    private static RuntimeException box(TfliteCall call, long[] begin, long[] size) {
        return call.malformed("its begin is " + TfliteCall.shown(begin) + ", its size " + TfliteCall.shown(size));
    }

    /** A box whose position and size are known when the run is planned; a size of -1 is all that is left. */
    private static Value computedSlice(TfliteCall call, TfliteValue x) {
        DType type = call.tensor(1).dtype();
        Value begin = call.plain(1);
        Value size = call.plain(2);
        Value open = call.add("Equal", size, call.scalar("open", type, -1));
        Value sum = call.add("Add", begin, size);
        Value end = call.add("Where", open, call.scalar("behind", type, BEHIND), sum);
        return call.computed("Slice", new Params(), call.plain(x), begin, end);
    }

    private static Value reverse(TfliteCall call) {
        call.requireInputs(2, 2);
        TfliteValue x = call.kept(0);
        Box box = new Box(x.rank());
        for (int axis : call.axes(call.requiredIntegers(1, "axis"), x.rank())) {
            box.starts[axis] = BEHIND;
            box.ends[axis] = BEFORE;
            box.steps[axis] = -1;
        }
        return call.give(box.cut(call, x));
    }

    private static Value stridedSlice(TfliteCall call) {
        call.requireInputs(4, 4);
        TfliteValue x = call.kept(0);
        Optional<long[]> begin = call.integers(1);
        Optional<long[]> end = call.integers(2);
        long[] stride = call.requiredIntegers(3, "stride");
        if (stride.length > 32 || Arrays.stream(stride).anyMatch(step -> step == 0 || Math.abs(step) > BEHIND)) {
            throw call.malformed("its strides are " + TfliteCall.shown(stride));
        }
        Masks masks = Masks.of(call);
        if (begin.isEmpty() || end.isEmpty()) {
            return computedStridedSlice(call, x, stride, masks);
        }
        if (begin.get().length != stride.length || end.get().length != stride.length) {
            throw call.malformed("its begin is " + TfliteCall.shown(begin.get()) + ", its end "
                    + TfliteCall.shown(end.get()) + ", its strides " + TfliteCall.shown(stride));
        }
        return new Masked(call, begin.get(), end.get(), stride, masks).give(x);
    }

    /**
     * The masks of a strided slice, in which a bit stands for a position of begin, end and strides.
     *
     * @param offset whether the ends count from the begins
     */
    private record Masks(int begin, int end, int ellipsis, int newAxis, int shrink, boolean offset) {

        static Masks of(TfliteCall call) {
            TfliteOptions options = call.options();
            return new Masks(
                    options.integer("begin_mask"),
                    options.integer("end_mask"),
                    options.integer("ellipsis_mask"),
                    options.integer("new_axis_mask"),
                    options.integer("shrink_axis_mask"),
                    options.flag("offset"));
        }

        boolean isEllipsis(int position) {
            return isSet(ellipsis, position);
        }

        boolean isNew(int position) {
            return !isEllipsis(position) && isSet(newAxis, position);
        }

        static boolean isSet(int mask, int position) {
            return ((mask >> position) & 1) == 1;
        }
    }

    /** A strided slice whose position is known. */
    private static final class Masked {

        private final TfliteCall call;
        private final long[] begin;
        private final long[] end;
        private final long[] stride;
        private final Masks masks;

        Masked(TfliteCall call, long[] begin, long[] end, long[] stride, Masks masks) {
            this.call = call;
            this.begin = begin;
            this.end = end;
            this.stride = stride;
            this.masks = masks;
        }

        Value give(TfliteValue x) {
            int positions = stride.length;
            int ellipses = (int)
                    IntStream.range(0, positions).filter(masks::isEllipsis).count();
            int news = (int) IntStream.range(0, positions).filter(masks::isNew).count();
            int named = positions - ellipses - news;
            int rank = x.rank();
            if (named > rank || ellipses > 1) {
                throw call.malformed(
                        "it slices " + named + " axes with " + ellipses + " ellipses, but its input has " + rank);
            }
            Box box = new Box(rank);
            List<Integer> removed = new ArrayList<>();
            List<Long> inserted = new ArrayList<>();
            int axis = 0;
            long result = 0;
            for (int position = 0; position < positions; position++) {
                if (masks.isEllipsis(position)) {
                    axis += rank - named;
                    result += rank - named;
                } else if (masks.isNew(position)) {
                    inserted.add(result++);
                } else if (Masks.isSet(masks.shrink(), position)) {
                    long only = Masks.isSet(masks.begin(), position) ? 0 : begin[position];
                    box.starts[axis] = only;
                    box.ends[axis] = only == -1 ? BEHIND : only + 1;
                    removed.add(axis++);
                } else {
                    cut(box, x, axis++, position);
                    result++;
                }
            }
            return reshaped(box.cut(call, x), removed, inserted);
        }

        private void cut(Box box, TfliteValue x, int axis, int position) {
            boolean forward = stride[position] > 0;
            box.steps[axis] = stride[position];
            Dim dim = x.shape().dim(axis);
            if (!Masks.isSet(masks.begin(), position)
                    && StridedSlices.isBeforeAll(begin[position], stride[position], dim)) {
                box.ends[axis] = 0;
                return;
            }
            box.starts[axis] = !Masks.isSet(masks.begin(), position) ? begin[position] : forward ? 0 : BEHIND;
            long last = masks.offset() ? start(x, axis, position) + end[position] : end[position];
            long end = StridedSlices.end(last, stride[position]);
            box.ends[axis] = !Masks.isSet(masks.end(), position) ? end : forward ? BEHIND : BEFORE;
        }

        /** The place of the first element, from which an offset counts; beyond the last one there is nothing in any case. */
        private long start(TfliteValue x, int axis, int position) {
            boolean masked = Masks.isSet(masks.begin(), position);
            if (masked ? stride[position] > 0 : begin[position] >= 0) {
                return masked ? 0 : begin[position];
            }
            if (!(x.shape().dim(axis) instanceof Dim.Known size)) {
                throw call.unsupportedUse("an offset from the end of an axis whose size is not known");
            }
            return masked ? size.size() - 1 : Math.max(0, begin[position] + size.size());
        }

        private Value reshaped(TfliteValue cut, List<Integer> removed, List<Long> inserted) {
            if (removed.isEmpty() && inserted.isEmpty()) {
                return call.give(cut);
            }
            Value left = call.plain(cut);
            if (!removed.isEmpty()) {
                long[] axes = removed.stream().mapToLong(Integer::longValue).toArray();
                left = call.add("Squeeze", new Params().put("axis", axes), left);
            }
            if (inserted.isEmpty()) {
                return left;
            }
            long[] axes = inserted.stream().mapToLong(Long::longValue).toArray();
            return call.add("Unsqueeze", new Params().put("axis", axes), left);
        }
    }

    /** A slice whose begin or end is known when the run is planned, of the first axes and in steps of 1 or more. */
    private static Value computedStridedSlice(TfliteCall call, TfliteValue x, long[] stride, Masks masks) {
        if (masks.ellipsis() != 0
                || masks.newAxis() != 0
                || masks.offset()
                || Arrays.stream(stride).anyMatch(step -> step < 0)) {
            throw call.unsupportedUse("a computed position and an ellipsis, a new axis, an offset or a negative step");
        }
        DType type = call.tensor(1).dtype();
        int positions = stride.length;
        Value zero = call.scalar("zero", type, 0);
        Value behind = call.scalar("behind", type, BEHIND);
        Value begin = masked(call, masks.begin() & ~masks.shrink(), zero, call.plain(1), positions);
        Value end = masked(call, masks.end(), behind, call.plain(2), positions);
        if (masks.shrink() != 0) {
            Value next = call.add("Add", begin, call.scalar("one", type, 1));
            Value one = call.add("Where", call.add("Equal", next, zero), behind, next);
            end = masked(call, masks.shrink(), one, end, positions);
        }
        long[] axes = ChannelAxes.range(0, positions);
        Value steps = call.vector("steps", stride);
        Value[] operands = {call.plain(x), begin, end, call.vector("axes", axes), steps};
        long[] removed = Arrays.stream(axes)
                .filter(axis -> Masks.isSet(masks.shrink(), (int) axis))
                .toArray();
        if (removed.length == 0) {
            return call.computed("Slice", new Params(), operands);
        }
        Value cut = call.add("Slice", List.of(operands), new Params(), KnownType.anyShape(x.rank()));
        return call.computed("Squeeze", new Params().put("axis", removed), cut);
    }

    /** One value where a bit of the mask is set, another one elsewhere. */
    private static Value masked(TfliteCall call, int mask, Value there, Value elsewhere, int positions) {
        if (mask == 0) {
            return elsewhere;
        }
        Tensor bits = Tensor.allocate(DType.BOOL, positions);
        for (int position = 0; position < positions; position++) {
            bits.setLong(position, (mask >> position) & 1);
        }
        return call.add("Where", call.constant("mask", bits), there, elsewhere);
    }
}
