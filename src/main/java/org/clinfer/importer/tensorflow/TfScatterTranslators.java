package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/** Operators that put elements or slices to the places that indices say, or count them there. */
final class TfScatterTranslators {

    private static final Params FIRST = new Params().put("axis", 0L);

    private TfScatterTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.of(
                "ScatterNd", TfScatterTranslators::slices,
                "TensorScatterUpdate", call -> update(call, "none"),
                "TensorScatterAdd", call -> update(call, "add"),
                "TensorScatterSub", call -> update(call, "sub"),
                "TensorScatterMin", call -> update(call, "min"),
                "TensorScatterMax", call -> update(call, "max"),
                "SparseToDense", TfScatterTranslators::dense,
                "InvertPermutation", TfScatterTranslators::inverse,
                "Bincount", call -> count(call, true),
                "DenseBincount", call -> count(call, false));
    }

    static void requirePlainPolicy(TfCall call) {
        String policy = call.node().text("bad_indices_policy", "");
        if (!List.of("", "DEFAULT", "ERROR").contains(policy)) {
            throw call.unsupportedUse("bad_indices_policy " + policy);
        }
    }

    /** Adds slices that have the same place. */
    private static void slices(TfCall call) {
        requirePlainPolicy(call);
        String zero = call.scalar(call.dtype(call.input(1)), 0);
        String none = call.step("Expand", zero, call.plain(2));
        call.give("ScatterND", List.of(none, call.plain(0), call.plain(1)), new Params().put("reduction", "add"));
    }

    private static void update(TfCall call, String operation) {
        requirePlainPolicy(call);
        boolean less = operation.equals("sub");
        String updates = less ? call.step("Neg", call.plain(2)) : call.plain(2);
        Params params = new Params().put("reduction", less ? "add" : operation);
        call.give("ScatterND", List.of(call.plain(0), call.plain(1), updates), params);
    }

    /** Places are rows, or numbers of a vector, or one number; a single value stands at all of them. */
    private static void dense(TfCall call) {
        int rank = call.rank(call.input(0));
        String places = rank == 2 ? call.plain(0) : call.step("Reshape", call.plain(0), call.constant(-1L, 1L));
        String first = call.step(
                "Slice",
                List.of(call.step("Shape", places)),
                new Params().put("starts", new long[] {0}).put("ends", new long[] {1}));
        String values = call.step("Expand", call.plain(2), first);
        String data = call.step("Expand", call.plain(3), call.plain(1));
        call.give("ScatterND", data, places, values);
    }

    private static void inverse(TfCall call) {
        String size = call.step("Shape", call.plain(0));
        DType type = call.dtype(call.input(0));
        String none = call.step("Expand", call.scalar(type, 0), size);
        String limit = call.cast(call.step("Squeeze", size), type);
        String numbers = call.step("Range", call.scalar(type, 0), limit, call.scalar(type, 1));
        call.give("ScatterElements", List.of(none, call.plain(0), numbers), FIRST);
    }

    /** Counts each number in each row; those that are too large are counted behind, where nobody looks. */
    private static void count(TfCall call, boolean flat) {
        DType type = call.dtype(call.input(2));
        String all = call.constant(-1L);
        String numbers = flat ? call.step("Reshape", call.plain(0), all) : call.plain(0);
        String sizes = call.step("Shape", numbers);
        String least = call.cast(call.plain(1), DType.INT64);
        String size = call.step("Reshape", least, call.constant(1L));
        String within = call.step("Min", call.cast(numbers, DType.INT64), least);
        String rows = call.step(
                "Slice",
                List.of(sizes),
                new Params().put("starts", new long[] {0}).put("ends", new long[] {-1}));
        String one = call.scalar(DType.INT64, 1);
        String wide = call.step("Concat", List.of(rows, call.step("Add", size, one)), FIRST);
        String none = call.step("Expand", call.scalar(type, 0), wide);
        boolean binary = call.node().flag("binary_output", false);
        String weights = binary || !isWeighted(call)
                ? call.step("Expand", call.scalar(type, 1), sizes)
                : flat ? call.step("Reshape", call.plain(2), all) : call.plain(2);
        Params reduction = new Params().put("axis", -1L).put("reduction", binary ? "none" : "add");
        String counts = call.step("ScatterElements", List.of(none, within, weights), reduction);
        Params first = new Params().put("starts", new long[] {0}).put("axes", new long[] {-1});
        call.give("Slice", List.of(counts, "", size), first);
    }

    private static boolean isWeighted(TfCall call) {
        Optional<Long> first = call.input(2)
                .shape()
                .flatMap(shape ->
                        shape.rank() == 0 ? Optional.of(1L) : call.input(2).size(0));
        return first.orElseThrow(() -> call.unsupportedUse("weights whose shape is not known")) != 0;
    }
}
