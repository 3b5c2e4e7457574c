package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Map;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Sparse tensors: a row of indices for each value, and the shape. */
final class TfSparseTranslators {

    private static final Params ROWS = new Params().put("axis", 0L);
    private static final Params COLUMNS = new Params().put("axis", 1L);

    private static final Params BEHIND = new Params().put("axis", new long[] {1});

    private final TfCall call;
    private final TfVectors vectors;

    private TfSparseTranslators(TfCall call) {
        this.call = call;
        this.vectors = new TfVectors(call);
    }

    static Map<String, TfTranslator> all() {
        return Map.of(
                "SparseFillEmptyRows", call -> new TfSparseTranslators(call).fill(),
                "SparseTensorDenseMatMul", call -> new TfSparseTranslators(call).product());
    }

    /** The indices along an axis. */
    private String along(long axis) {
        String number = call.constant("axis", Tensor.scalar(axis));
        return call.step("Gather", List.of(call.plain(call.input(0, 2)), number), COLUMNS);
    }

    /** The size along an axis, as a vector. */
    private String size(long axis) {
        String shape = call.cast(call.plain(call.input(2, 1)), DType.INT64);
        return vectors.gathered(shape, call.constant(axis));
    }

    /** Puts a value into each row that has none, at its first place; the values are in the order of rows then. */
    private void fill() {
        long rank = call.input(0, 2).size(1).orElseThrow(() -> call.unsupportedUse("an unknown number of axes"));
        String indices = call.plain(0);
        String rows = along(0);
        String count = call.step("Shape", rows);
        String ones = call.step("Expand", call.scalar(DType.INT64, 1), count);
        String filled = vectors.sums(size(0), DType.INT64, rows, ones);
        String isEmpty = call.step("Equal", filled, call.scalar(DType.INT64, 0));
        String empty = TfSearchTranslators.positions(call, isEmpty);
        String column = call.step("Unsqueeze", List.of(empty), BEHIND);
        String places = call.step("Pad", List.of(column), new Params().put("pad_with", new long[] {0, 0, 0, rank - 1}));
        String added = call.step("Expand", call.plain(3), call.step("Shape", empty));
        String allRows = vectors.joined(rows, empty);
        String all = call.step("Shape", allRows);
        String order = vectors.ascending(allRows, all);
        call.give("Gather", List.of(vectors.joined(indices, places), order), ROWS);
        call.give(1, "Gather", List.of(vectors.joined(call.plain(1), added), order), ROWS, false);
        call.give(2, "Identity", List.of(isEmpty), new Params(), false);
        String moved = vectors.scattered(all, order, vectors.numbers(all));
        Params first = new Params().put("starts", new long[] {0}).put("axes", new long[] {0});
        call.give(3, "Slice", List.of(moved, "", count), first, false);
    }

    /** A sparse matrix by a dense one: the rows that its columns pick, times its values, added to its rows. */
    private void product() {
        boolean turned = call.node().flag("adjoint_a", false);
        String dense = call.plain(call.input(3, 2));
        if (call.node().flag("adjoint_b", false)) {
            dense = call.step("Transpose", List.of(dense), new Params().put("perm", new long[] {1, 0}));
        }
        String factors = call.step("Unsqueeze", List.of(call.plain(1)), BEHIND);
        String rows = call.step("Mul", vectors.gathered(dense, along(turned ? 0 : 1)), factors);
        String columns = vectors.gathered(call.step("Shape", dense), call.constant(1L));
        String sizes = vectors.joined(size(turned ? 1 : 0), columns);
        call.give("Identity", vectors.sums(sizes, call.dtype(call.input(1)), along(turned ? 1 : 0), rows));
    }
}
