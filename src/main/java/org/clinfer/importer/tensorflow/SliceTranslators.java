package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.Params;
import org.clinfer.importer.StridedSlices;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Tensor;

/** Boxes of a value. */
final class SliceTranslators {

    /** An end behind all elements, and one before them. */
    private static final long BEHIND = Integer.MAX_VALUE;

    private static final long BEFORE = Integer.MIN_VALUE;

    private SliceTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.of(
                "Slice", SliceTranslators::slice,
                "StridedSlice", SliceTranslators::stridedSlice,
                "Reverse", SliceTranslators::reverseByFlags,
                "ReverseV2", call -> reverse(call, call.requiredIntegers(1, "axis")),
                "ReverseSequence", SliceTranslators::reverseSequences);
    }

    private static void slice(TfCall call) {
        TfValue x = call.input(0);
        Optional<long[]> begin = call.integers(1);
        Optional<long[]> size = call.integers(2);
        if (begin.isEmpty() || size.isEmpty()) {
            sliceByTensors(call, x);
            return;
        }
        int rank = begin.get().length;
        if (size.get().length != rank || (x.shape().isPresent() && !x.hasRank(rank))) {
            throw call.malformed(
                    "its begin is " + Arrays.toString(begin.get()) + ", its size " + Arrays.toString(size.get()));
        }
        Box box = new Box(rank);
        for (int axis = 0; axis < rank; axis++) {
            long length = size.get()[axis];
            box.starts[axis] = begin.get()[axis];
            box.ends[axis] = length == -1 ? BEHIND : begin.get()[axis] + length;
            if (begin.get()[axis] < 0 || length < -1 || length >= BEHIND || begin.get()[axis] >= BEHIND) {
                throw call.malformed(
                        "its begin is " + Arrays.toString(begin.get()) + ", its size " + Arrays.toString(size.get()));
            }
        }
        box.give(call, x, new long[0], new long[0]);
    }

    /** Along the axes whose flags are set. */
    private static void reverseByFlags(TfCall call) {
        long[] flags = call.requiredIntegers(1, "axis");
        reverse(
                call,
                IntStream.range(0, flags.length)
                        .filter(axis -> flags[axis] != 0)
                        .asLongStream()
                        .toArray());
    }

    /** The first elements of each sequence, as many as its length is. */
    private static void reverseSequences(TfCall call) {
        Params params = new Params()
                .put("time_axis", call.node().integer("seq_dim", 0))
                .put("batch_axis", call.node().integer("batch_dim", 0));
        call.give("ReverseSequence", List.of(call.plain(0), call.plain(1)), params);
    }

    private static void reverse(TfCall call, long[] axes) {
        TfValue x = call.input(0);
        int rank = call.rank(x);
        Box box = new Box(rank);
        for (long axis : call.axes(axes, rank)) {
            box.starts[(int) axis] = BEHIND;
            box.ends[(int) axis] = BEFORE;
            box.steps[(int) axis] = -1;
        }
        box.give(call, x, new long[0], new long[0]);
    }

    /** A box whose start and size are known when the run is planned; a size of -1 is all that is left. */
    private static void sliceByTensors(TfCall call, TfValue x) {
        DType type =
                call.input(1).dtype().orElseThrow(() -> call.unsupportedUse("an input whose data type is not known"));
        String begin = call.plain(1);
        String size = call.plain(2);
        String open = call.step("Equal", size, call.scalar(type, -1));
        String sum = call.step("Add", begin, size);
        String end = call.step("Where", open, call.scalar(type, BEHIND), sum);
        call.give("Slice", call.plain(x), begin, end);
    }

    /** Starts, ends and steps along all axes, in TensorFlow's order. */
    private static final class Box {

        private final long[] starts;
        private final long[] ends;
        private final long[] steps;

        Box(int rank) {
            starts = new long[rank];
            ends = new long[rank];
            steps = ChannelAxes.ones(rank);
            Arrays.fill(ends, BEHIND);
        }

        private boolean isWhole(int axis) {
            return starts[axis] == 0 && ends[axis] == BEHIND && steps[axis] == 1;
        }

        /** Gives the box, without some of its axes and with some new ones. */
        void give(TfCall call, TfValue x, long[] removed, long[] inserted) {
            int rank = starts.length;
            boolean second = x.second() && removed.length == 0 && inserted.length == 0;
            long[] axes = IntStream.range(0, rank)
                    .filter(axis -> !isWhole(axis))
                    .asLongStream()
                    .toArray();
            long[] ours = second
                    ? Arrays.stream(axes)
                            .map(axis -> ChannelAxes.inSecond((int) axis, rank))
                            .toArray()
                    : axes;
            Params params = new Params()
                    .put("starts", picked(starts, axes))
                    .put("ends", picked(ends, axes))
                    .put("axes", ours)
                    .put("steps", picked(steps, axes));
            String operand = second ? x.stored() : call.plain(x);
            if (removed.length == 0 && inserted.length == 0) {
                call.give("Slice", List.of(operand), params, second);
                return;
            }
            String cut = axes.length == 0 ? operand : call.step("Slice", List.of(operand), params);
            if (inserted.length == 0) {
                call.give("Squeeze", List.of(cut), new Params().put("axis", removed));
                return;
            }
            String left =
                    removed.length == 0 ? cut : call.step("Squeeze", List.of(cut), new Params().put("axis", removed));
            call.give("Unsqueeze", List.of(left), new Params().put("axis", inserted));
        }

        private static long[] picked(long[] values, long[] axes) {
            return Arrays.stream(axes).map(axis -> values[(int) axis]).toArray();
        }
    }

    private static void stridedSlice(TfCall call) {
        TfValue x = call.input(0);
        Optional<long[]> begin = call.integers(1);
        Optional<long[]> end = call.integers(2);
        long[] stride = call.requiredIntegers(3, "stride");
        if (stride.length > 32 || Arrays.stream(stride).anyMatch(step -> step == 0 || Math.abs(step) > BEHIND)) {
            throw call.malformed("its strides are " + Arrays.toString(stride));
        }
        if (begin.isEmpty() || end.isEmpty()) {
            stridedSliceByTensors(call, x, stride);
            return;
        }
        if (begin.get().length != stride.length || end.get().length != stride.length) {
            throw call.malformed("its begin is " + Arrays.toString(begin.get()) + ", its end "
                    + Arrays.toString(end.get()) + ", its strides " + Arrays.toString(stride));
        }
        new Masked(call, begin.get(), end.get(), stride).give(x);
    }

    /** A strided slice by its masks, in which a bit stands for an entry of begin, end and strides. */
    private static final class Masked {

        private final TfCall call;
        private final long[] begin;
        private final long[] end;
        private final long[] stride;

        Masked(TfCall call, long[] begin, long[] end, long[] stride) {
            this.call = call;
            this.begin = begin;
            this.end = end;
            this.stride = stride;
        }

        private boolean isSet(String mask, int index) {
            return ((call.node().integer(mask, 0) >> index) & 1) == 1;
        }

        private boolean isEllipsis(int index) {
            return isSet("ellipsis_mask", index);
        }

        private boolean isNew(int index) {
            return !isEllipsis(index) && isSet("new_axis_mask", index);
        }

        void give(TfValue x) {
            int entries = stride.length;
            int ellipses =
                    (int) IntStream.range(0, entries).filter(this::isEllipsis).count();
            if (ellipses > 1) {
                throw call.malformed("it has more than one ellipsis");
            }
            int news = (int) IntStream.range(0, entries).filter(this::isNew).count();
            int named = entries - ellipses - news;
            int rank = x.shape().isPresent() || ellipses == 1 ? call.rank(x) : named;
            if (named > rank) {
                throw call.malformed("it slices " + named + " axes, but its input has " + rank);
            }
            Box box = new Box(rank);
            List<Long> removed = new ArrayList<>();
            List<Long> inserted = new ArrayList<>();
            int axis = 0;
            int result = 0;
            for (int index = 0; index < entries; index++) {
                if (isEllipsis(index)) {
                    axis += rank - named;
                    result += rank - named;
                } else if (isNew(index)) {
                    inserted.add((long) result++);
                } else if (isSet("shrink_axis_mask", index)) {
                    pick(box, axis, index);
                    removed.add((long) axis++);
                } else {
                    cut(box, x, axis++, index);
                    result++;
                }
            }
            box.give(call, x, array(removed), array(inserted));
        }

        private static long[] array(List<Long> values) {
            return values.stream().mapToLong(Long::longValue).toArray();
        }

        private void pick(Box box, int axis, int index) {
            box.starts[axis] = begin[index];
            box.ends[axis] = begin[index] == -1 ? BEHIND : begin[index] + 1;
        }

        private void cut(Box box, TfValue x, int axis, int index) {
            boolean forward = stride[index] > 0;
            box.steps[axis] = stride[index];
            Dim dim = x.size(axis).map(Dim::of).orElse(Dim.unknown());
            if (!isSet("begin_mask", index) && StridedSlices.isBeforeAll(begin[index], stride[index], dim)) {
                box.ends[axis] = 0;
                return;
            }
            box.starts[axis] = !isSet("begin_mask", index) ? begin[index] : forward ? 0 : BEHIND;
            long last = StridedSlices.end(end[index], stride[index]);
            box.ends[axis] = !isSet("end_mask", index) ? last : forward ? BEHIND : BEFORE;
        }
    }

    /** A slice whose begin or end is known when the run is planned, of the first axes and in steps of 1 or more. */
    private static void stridedSliceByTensors(TfCall call, TfValue x, long[] stride) {
        TfNode node = call.node();
        if (node.integer("ellipsis_mask", 0) != 0
                || node.integer("new_axis_mask", 0) != 0
                || Arrays.stream(stride).anyMatch(step -> step < 0)) {
            throw call.unsupportedUse("a computed place and an ellipsis, a new axis or a negative step");
        }
        DType type =
                call.input(1).dtype().orElseThrow(() -> call.unsupportedUse("an input whose data type is not known"));
        long shrink = node.integer("shrink_axis_mask", 0);
        String zero = call.scalar(type, 0);
        String behind = call.scalar(type, BEHIND);
        String begin = masked(call, node.integer("begin_mask", 0) & ~shrink, zero, call.plain(1), stride.length);
        String end = masked(call, node.integer("end_mask", 0), behind, call.plain(2), stride.length);
        if (shrink != 0) {
            String next = call.step("Add", begin, call.scalar(type, 1));
            String last = call.step("Equal", next, zero);
            String one = call.step("Where", last, behind, next);
            end = masked(call, shrink, one, end, stride.length);
        }
        long[] axes = ChannelAxes.range(0, stride.length);
        List<String> operands = List.of(call.plain(x), begin, end, call.constant(axes), call.constant(stride));
        long[] removed =
                Arrays.stream(axes).filter(axis -> ((shrink >> axis) & 1) == 1).toArray();
        if (removed.length == 0) {
            call.give("Slice", operands, new Params());
            return;
        }
        String cut = call.step("Slice", operands, new Params());
        call.give("Squeeze", List.of(cut), new Params().put("axis", removed));
    }

    /** One value where a bit of the mask is set, another one elsewhere. */
    private static String masked(TfCall call, long mask, String there, String elsewhere, int entries) {
        if (mask == 0) {
            return elsewhere;
        }
        Tensor bits = Tensor.allocate(DType.BOOL, entries);
        for (int index = 0; index < entries; index++) {
            bits.setLong(index, (mask >> index) & 1);
        }
        return call.step("Where", call.constant("mask", bits), there, elsewhere);
    }
}
