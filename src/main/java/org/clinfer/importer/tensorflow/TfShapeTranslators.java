package org.clinfer.importer.tensorflow;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;

/** Operators that give the same elements another shape or order, or repeat them. */
final class TfShapeTranslators {

    private TfShapeTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.of(
                "Reshape", TfShapeTranslators::reshape,
                "Squeeze", TfShapeTranslators::squeeze,
                "ExpandDims", TfShapeTranslators::expandDims,
                "Transpose", TfShapeTranslators::transpose,
                "ConjugateTranspose", TfShapeTranslators::transpose,
                "Roll", TfShapeTranslators::roll,
                "Tile", call -> byVector(call, "DeePhiTile"),
                "BroadcastArgs", TfShapeTranslators::broadcastSizes,
                "BroadcastTo", call -> byVector(call, "Expand"));
    }

    private static void reshape(TfCall call) {
        TfValue x = call.input(0);
        Params params = new Params().put("allow_zero", true);
        Optional<long[]> sizes = call.integers(1);
        sizes.ifPresent(known -> params.put("shape", known));
        List<String> operands = sizes.isPresent() ? List.of(call.plain(x)) : List.of(call.plain(x), call.plain(1));
        call.give("Reshape", operands, params);
    }

    private static void squeeze(TfCall call) {
        TfValue x = call.input(0);
        Optional<long[]> given =
                call.node().integers("squeeze_dims").or(() -> call.node().integers("axis"));
        Optional<long[]> axes = x.shape()
                .flatMap(shape -> given.map(listed -> call.axes(listed, shape.rank()))
                        .or(() -> shape.isKnown() ? Optional.of(ofSizeOne(shape)) : Optional.empty()));
        if (axes.isEmpty()) {
            Params params = new Params();
            given.ifPresent(listed -> params.put("axis", listed));
            call.give("Squeeze", List.of(call.plain(x)), params);
            return;
        }
        int rank = call.rank(x);
        if (axes.get().length == 0) {
            call.give(0, x);
            return;
        }
        if (x.second() && TfReduceTranslators.keepsOrder(axes.get(), rank)) {
            long[] ours = Arrays.stream(axes.get())
                    .map(axis -> ChannelAxes.inSecond((int) axis, rank))
                    .toArray();
            call.give("Squeeze", List.of(x.stored()), new Params().put("axis", ours));
            return;
        }
        call.give("Squeeze", List.of(call.plain(x)), new Params().put("axis", axes.get()));
    }

    private static long[] ofSizeOne(Shape shape) {
        return IntStream.range(0, shape.rank())
                .filter(axis -> shape.size(axis) == 1)
                .asLongStream()
                .toArray();
    }

    private static void expandDims(TfCall call) {
        TfValue x = call.input(0);
        long axis = call.requiredInteger(1, "axis");
        x.rank().ifPresent(rank -> call.axis(axis, rank + 1));
        call.give("Unsqueeze", List.of(call.plain(x)), new Params().put("axis", new long[] {axis}));
    }

    /** Often nothing moves: the order that is wanted is the one in which the value is held, or its other one. */
    private static void transpose(TfCall call) {
        long[] order = call.requiredIntegers(1, "order of axes");
        int rank = order.length;
        TfValue x = call.input(0, rank);
        boolean permutation = Arrays.equals(Arrays.stream(order).sorted().toArray(), ChannelAxes.range(0, rank));
        if (!permutation) {
            throw call.malformed("its order of axes is " + Arrays.toString(order));
        }
        if (!x.second()
                && (rank == 4 || rank == 5)
                && Arrays.equals(order, ChannelAxes.toLast(rank))
                && call.graph().constant(x).isEmpty()) {
            call.give(0, call.graph().value(call.node().name(), x.stored(), true));
            return;
        }
        long[] ours = x.second()
                ? Arrays.stream(order)
                        .map(axis -> ChannelAxes.inSecond((int) axis, rank))
                        .toArray()
                : order;
        if (Arrays.equals(ours, ChannelAxes.range(0, rank))) {
            call.give(0, call.graph().value(call.node().name(), x.stored(), false));
            return;
        }
        call.give("Transpose", List.of(x.stored()), new Params().put("perm", ours));
    }

    private static void byVector(TfCall call, String op) {
        call.give(op, call.plain(0), call.plain(1));
    }

    /** The sizes that two values of given sizes have together: the shorter ones have ones in front. */
    private static void broadcastSizes(TfCall call) {
        long first = length(call, 0);
        long second = length(call, 1);
        String a = extended(call, 0, Math.max(0, second - first));
        String b = extended(call, 1, Math.max(0, first - second));
        String one = call.scalar(call.dtype(call.input(0)), 1);
        call.give("Where", call.step("Equal", a, one), b, a);
    }

    private static long length(TfCall call, int input) {
        return call.input(input, 1).size(0).orElseThrow(() -> call.unsupportedUse("an unknown number of sizes"));
    }

    private static String extended(TfCall call, int input, long by) {
        if (by == 0) {
            return call.plain(input);
        }
        String ones = call.step("Expand", call.scalar(call.dtype(call.input(0)), 1), call.constant(by));
        return call.step("Concat", List.of(ones, call.plain(input)), new Params().put("axis", 0L));
    }

    /** Elements move along axes, and those that leave at an end come in at the other one. */
    private static void roll(TfCall call) {
        TfValue x = call.input(0);
        long[] axes = call.requiredIntegers(2, "axis");
        Optional<long[]> known = call.integers(1).filter(shifts -> shifts.length == axes.length);
        String rolled = call.plain(x);
        for (int i = 0; i < axes.length; i++) {
            int axis = call.axis(axes[i], call.rank(x));
            Optional<Long> size = x.size(axis).filter(all -> all > 0 && known.isPresent());
            rolled = size.isPresent()
                    ? rolled(call, rolled, axis, Math.floorMod(known.get()[i], size.get()))
                    : rolledByIndices(call, rolled, axis, i);
        }
        call.give("Identity", rolled);
    }

    private static String rolled(TfCall call, String x, long axis, long by) {
        if (by == 0) {
            return x;
        }
        String end = call.step("Slice", List.of(x), part(axis, -by, Long.MAX_VALUE));
        String start = call.step("Slice", List.of(x), part(axis, 0, -by));
        return call.step("Concat", List.of(end, start), new Params().put("axis", axis));
    }

    private static Params part(long axis, long start, long end) {
        return new Params()
                .put("starts", new long[] {start})
                .put("ends", new long[] {end})
                .put("axes", new long[] {axis});
    }

    /** By the number of the element that comes to each place, where a size or the way is seen in the run. */
    private static String rolledByIndices(TfCall call, String x, long axis, int number) {
        String size = call.step("Slice", List.of(call.step("Shape", x)), part(0, axis, axis + 1));
        String count = call.step("Squeeze", List.of(size), new Params().put("axis", new long[] {0}));
        String shifts = call.step("Reshape", call.cast(call.plain(1), DType.INT64), call.constant(-1L));
        String by = call.step("Slice", List.of(shifts), part(0, number, number + 1L));
        String places = call.step("Range", call.scalar(DType.INT64, 0), count, call.scalar(DType.INT64, 1));
        String from = call.step("Mod", call.step("Sub", places, by), size);
        return call.step("Gather", List.of(x, from), new Params().put("axis", axis));
    }
}
