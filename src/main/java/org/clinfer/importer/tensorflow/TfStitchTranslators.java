package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** Slices that are divided among several tensors by a number for each, and put together again by their places. */
final class TfStitchTranslators {

    /** Places of constants that become an order of slices, at most. */
    private static final int MOST_PLACES = 1 << 20;

    private static final Params FIRST = new Params().put("axis", 0L);

    private TfStitchTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.of(
                "DynamicPartition", TfStitchTranslators::partition,
                "DynamicStitch", TfStitchTranslators::stitch,
                "ParallelDynamicStitch", TfStitchTranslators::stitch);
    }

    private static void partition(TfCall call) {
        int rank = call.rank(call.input(1));
        String slices = slices(call, call.input(0), rank);
        String numbers = vector(call, call.input(1));
        DType type = call.dtype(call.input(1));
        int count = call.count(call.node().integer("num_partitions", 0));
        Optional<long[]> known = call.integers(1);
        if (known.isPresent() && Arrays.stream(known.get()).anyMatch(number -> number < 0 || number >= count)) {
            throw call.malformed("attribute 'num_partitions' is " + count + ", but a slice has another number");
        }
        for (int port = 0; port < count; port++) {
            String equal = call.step("Equal", numbers, call.scalar(type, port));
            String places = TfSearchTranslators.positions(call, equal);
            call.give(port, "Gather", List.of(slices, places), FIRST, false);
        }
    }

    private static String vector(TfCall call, TfValue places) {
        return call.rank(places) == 1
                ? call.plain(places)
                : call.step("Reshape", call.plain(places), call.constant(-1L));
    }

    /** The slices that {@code rank} first axes number, along one axis. */
    private static String slices(TfCall call, TfValue x, int rank) {
        String plain = call.plain(x);
        if (rank == 1) {
            return plain;
        }
        Params rest = new Params().put("starts", new long[] {rank}).put("ends", new long[] {Integer.MAX_VALUE});
        String sizes = call.step("Slice", List.of(call.step("Shape", plain)), rest);
        return call.step("Reshape", plain, call.step("Concat", List.of(call.constant(-1L), sizes), FIRST));
    }

    private static void stitch(TfCall call) {
        int count = call.inputs().size() / 2;
        if (count == 0 || call.inputs().size() % 2 != 0 || call.node().integer("N", count) != count) {
            throw call.malformed("attribute 'N' is " + call.node().integer("N", count) + ", but it has "
                    + call.inputs().size() + " inputs");
        }
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            parts.add(slices(call, call.input(count + i), call.rank(call.input(i))));
        }
        String slices = call.step("Concat", parts, FIRST);
        Optional<long[]> order = order(call, count);
        if (order.isPresent()) {
            call.give("Gather", List.of(slices, call.constant(order.get())), FIRST);
        } else {
            scatter(call, slices, count);
        }
    }

    /** The slice for each place, the last one that names it; empty if places are computed or one has no slice. */
    private static Optional<long[]> order(TfCall call, int count) {
        List<Long> places = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Optional<long[]> known = call.integers(i);
            if (known.isEmpty() || places.size() + known.get().length > MOST_PLACES) {
                return Optional.empty();
            }
            Arrays.stream(known.get()).forEach(places::add);
        }
        long size = places.stream().mapToLong(Long::longValue).max().orElse(-1) + 1;
        if (places.stream().anyMatch(place -> place < 0)) {
            throw call.malformed("a place is negative");
        }
        if (size > places.size()) {
            return Optional.empty();
        }
        long[] order = new long[Math.toIntExact(size)];
        Arrays.fill(order, -1);
        for (int i = 0; i < places.size(); i++) {
            order[Math.toIntExact(places.get(i))] = i;
        }
        return Arrays.stream(order).anyMatch(slice -> slice < 0) ? Optional.empty() : Optional.of(order);
    }

    /** Writes the slices over zeros, as many as the largest place asks for. */
    private static void scatter(TfCall call, String slices, int count) {
        List<String> vectors = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            vectors.add(vector(call, call.input(i)));
        }
        String places = call.cast(call.step("Concat", vectors, FIRST), DType.INT64);
        String last = call.step("ReduceMax", List.of(places), new Params().put("keep_dims", true));
        String size = call.step("Max", call.step("Add", last, call.constant(1L)), call.constant(0L));
        Params rest = new Params().put("starts", new long[] {1}).put("ends", new long[] {Integer.MAX_VALUE});
        String sizes = call.step("Slice", List.of(call.step("Shape", slices)), rest);
        String shape = call.step("Concat", List.of(size, sizes), FIRST);
        String none = call.step("Expand", call.scalar(call.dtype(call.input(count)), 0), shape);
        String rows = call.step("Reshape", places, call.constant(-1, 1));
        call.give("ScatterND", none, rows, slices);
    }
}
