package org.clinfer.importer.openvino;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** Rows of a table that bags of indices pick, each bag as one row: their sum, perhaps by weights, or their mean. */
final class OpenVinoEmbeddingLayers {

    private static final Params FIRST = new Params().put("axis", 0L);

    private final OpenVinoLayerCall call;
    private final Value table;

    private OpenVinoEmbeddingLayers(OpenVinoLayerCall call) {
        this.call = call;
        this.table = call.input(0);
    }

    static void addTo(LayerTable<OpenVinoLayerCall> all) {
        all.one("EmbeddingBagOffsetsSum", call -> new OpenVinoEmbeddingLayers(call).ofOffsets(false));
        all.one("EmbeddingBagPackedSum", call -> new OpenVinoEmbeddingLayers(call).packed(false));
        all.one("EmbeddingBagOffsets", call -> new OpenVinoEmbeddingLayers(call).ofOffsets(true));
        all.one("EmbeddingBagPacked", call -> new OpenVinoEmbeddingLayers(call).packed(true));
        all.one("EmbeddingSegmentsSum", call -> new OpenVinoEmbeddingLayers(call).ofSegments());
    }

    /** {@return whether the rows of a bag are averaged, which only those with an attribute can be} */
    private boolean isMean(boolean hasAttribute, boolean weighted) {
        boolean mean = hasAttribute
                && call.attributes().choice("reduction", "sum", "sum", "mean").equals("mean");
        if (mean && weighted) {
            throw call.malformed("it averages by weights");
        }
        return mean;
    }

    private Value indices(int number) {
        return call.cast(call.input(number), DType.INT64);
    }

    private Value picked(int indices, int weights) {
        Value rows = call.add("Gather", List.of(table, indices(indices)), FIRST);
        if (call.inputCount() <= weights) {
            return rows;
        }
        Value factors = call.input(weights);
        long[] behind = new long[table.rank() - 1];
        for (int i = 0; i < behind.length; i++) {
            behind[i] = factors.rank() + (long) i;
        }
        return call.add("Mul", rows, behind.length == 0 ? factors : call.unsqueezed(factors, behind));
    }

    /** A row of indices for each bag. */
    private Value packed(boolean hasAttribute) {
        call.requireInputs(2, 3);
        boolean mean = isMean(hasAttribute, call.inputCount() == 3);
        Params bag = new Params().put("axis", new long[] {1}).put("keep_dims", false);
        return call.last(mean ? "Mean" : "ReduceSum", List.of(picked(1, 2)), bag);
    }

    /** A bag ends where the next one begins. What stands before the first one is in none: in a row more, which is left out. */
    private Value ofOffsets(boolean hasAttribute) {
        call.requireInputs(3, 5);
        boolean mean = isMean(hasAttribute, call.inputCount() == 5);
        Value begins = call.unsqueezed(indices(2), 1);
        Value count = call.add("Size", call.input(1));
        Value numbers = call.add("Range", call.constant("zero", Tensor.scalar(0L)), count, one());
        Value begun = call.cast(call.add("LessOrEqual", begins, numbers), DType.INT64);
        Value places = call.add(
                "ReduceSum",
                List.of(begun),
                new Params().put("axis", new long[] {0}).put("keep_dims", false));
        Value bags = call.add("Add", call.sizes(call.input(2), 0, 1), one());
        Value sums = added(bags, places, picked(1, 4));
        Value counts = added(bags, places);
        return call.last("Identity", filled(behindFirst(sums), behindFirst(counts), 3, mean));
    }

    /** The number of the bag for each index. */
    private Value ofSegments() {
        call.requireInputs(4, 6);
        Value places = indices(2);
        Value bags = call.add("Reshape", List.of(indices(3)), new Params().put("shape", new long[] {1}));
        return call.last("Identity", filled(added(bags, places, picked(1, 5)), added(bags, places), 4, false));
    }

    private Value one() {
        return call.shared("one_int64", () -> Tensor.scalar(1L));
    }

    private Value behindFirst(Value x) {
        Params behind = new Params().put("starts", new long[] {1}).put("ends", new long[] {Long.MAX_VALUE});
        return call.add("Slice", List.of(x), behind.put("axes", new long[] {0}));
    }

    /** The sum of the rows of each bag. */
    private Value added(Value bags, Value places, Value rows) {
        Value sizes = table.rank() == 1 ? bags : call.join(List.of(bags, call.sizes(table, 1, table.rank())));
        return scattered(call.add("Expand", call.like(table, "none", 0), sizes), places, rows);
    }

    /** The number of rows of each bag, in as many axes as the table has. */
    private Value added(Value bags, Value places) {
        Value ones = call.add("Expand", call.like(table, "each", 1), call.add("Shape", places));
        Value counts = scattered(call.add("Expand", call.like(table, "none", 0), bags), places, ones);
        long[] shape = new long[table.rank()];
        Arrays.fill(shape, 1);
        shape[0] = -1;
        return call.add("Reshape", List.of(counts), new Params().put("shape", shape));
    }

    private Value scattered(Value none, Value places, Value rows) {
        List<Value> operands = List.of(none, call.unsqueezed(places, 1), rows);
        return call.add("ScatterND", operands, new Params().put("reduction", "add"));
    }

    /** Gives bags without rows the default one, if there is one, and takes the means of the others. */
    private Value filled(Value sums, Value counts, int number, boolean mean) {
        Value y = mean ? call.add("Div", sums, call.add("Max", counts, call.like(table, "least", 1))) : sums;
        Optional<Long> row = call.inputCount() > number
                ? Optional.of(call.integer(number, "default rows")).filter(index -> index >= 0)
                : Optional.empty();
        if (row.isEmpty()) {
            return y;
        }
        Value index = call.constant("default", Tensor.scalar(row.get()));
        Value usual = call.add("Gather", List.of(table, index), FIRST);
        return call.add("Where", call.add("Equal", counts, call.like(table, "none", 0)), usual, y);
    }
}
