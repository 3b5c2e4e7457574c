package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** TfIdfVectorizer of whole numbers: how often each sequence of a pool occurs in a row, also with gaps of equal length. */
final class NgramCounts {

    private static final DType REAL = DType.FLOAT32;

    private final OnnxNode node;
    private final Steps steps;
    private final long[] pool;
    private final long[] starts;

    private NgramCounts(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        this.node = node;
        this.steps = new Steps(node, graph);
        this.pool = node.integers("pool_int64s").orElseThrow(() -> node.unsupportedUse("pool_strings"));
        this.starts = node.requiredIntegers("ngram_counts");
    }

    static void translate(OnnxNode node, OnnxGraphWriter graph) {
        new NgramCounts(node, graph).translate();
    }

    private void translate() {
        long least = node.integer("min_gram_length");
        long most = node.integer("max_gram_length");
        long skips = node.integer("max_skip_count");
        if (least < 1 || most < least || most > starts.length || skips < 0) {
            throw node.malformed("sequences of " + least + " to " + most + " elements with " + skips + " gaps, and "
                    + starts.length + " ngram_counts");
        }
        if (most * (skips + 1) > pool.length + 1000L) {
            throw node.unsupportedUse(skips + " gaps");
        }
        boolean isRow = steps.rank(node.input(0)) == 1;
        String rows = isRow ? steps.unsqueezed(node.input(0), 0) : node.input(0);
        rows = steps.cast(rows, DType.INT64);
        List<String> parts = new ArrayList<>();
        for (int length = 1; length <= starts.length; length++) {
            int count = count(length);
            if (count == 0) {
                continue;
            }
            String found = length < least || length > most
                    ? steps.add("Mul", steps.cast(firsts(rows), REAL), steps.fill(REAL, count, 0))
                    : occurrences(rows, length, count, length == 1 ? 0 : skips);
            parts.add(found);
        }
        if (parts.isEmpty()) {
            throw node.malformed("its pool is empty");
        }
        String all = steps.add("Concat", new Params().put("axis", 1L), parts.toArray(String[]::new));
        String placed = steps.add("Gather", new Params().put("axis", 1L), padded(all), steps.constant(order()));
        String weighed = weighed(placed);
        steps.last("Reshape", weighed, isRow ? steps.vector(-1) : steps.shape(weighed));
    }

    /** Zeros for each row, with an axis of 1. */
    private String firsts(String rows) {
        Params row = new Params().put("axis", new long[] {1}).put("keep_dims", true);
        return steps.add("ReduceSum", row, steps.add("Sub", rows, rows));
    }

    private int count(int length) {
        long start = starts[length - 1];
        long end = length < starts.length ? starts[length] : pool.length;
        if (start < 0 || end < start || end > pool.length || (end - start) % length != 0) {
            throw node.malformed("its pool has places " + start + " to " + end + " for sequences of " + length);
        }
        return (int) ((end - start) / length);
    }

    /** With a zero behind, for results that no sequence has. */
    private String padded(String counts) {
        return steps.add("Pad", counts, steps.vector(0, 0, 0, 1), steps.scalar(REAL, 0));
    }

    /** The sequence of each result. */
    private Tensor order() {
        long[] places = node.requiredIntegers("ngram_indexes");
        long results = Arrays.stream(places).max().orElse(0) + 1;
        if (Arrays.stream(places).anyMatch(place -> place < 0) || results > Integer.MAX_VALUE / 8) {
            throw node.malformed("ngram_indexes has a place that is none");
        }
        Tensor order = Tensor.allocate(DType.INT64, results);
        for (long i = 0; i < results; i++) {
            order.setLong(i, places.length);
        }
        for (int i = 0; i < places.length; i++) {
            order.setLong(places[i], i);
        }
        return order;
    }

    private String occurrences(String rows, int length, int count, long skips) {
        String sum = "";
        for (long gap = 1; gap <= skips + 1; gap++) {
            String found = "";
            for (int i = 0; i < length; i++) {
                long end = (length - 1 - i) * gap;
                String window = steps.slice(rows, 1, i * gap, end == 0 ? Long.MAX_VALUE : -end);
                String is = steps.add("Equal", steps.unsqueezed(window, 2), steps.constant(elements(length, count, i)));
                found = found.isEmpty() ? is : steps.add("And", found, is);
            }
            Params row = new Params().put("axis", new long[] {1}).put("keep_dims", false);
            String occurs = steps.add("ReduceSum", row, steps.cast(found, REAL));
            sum = sum.isEmpty() ? occurs : steps.add("Add", sum, occurs);
        }
        return sum;
    }

    /** The elements at one place of all sequences of a length. */
    private Tensor elements(int length, int count, int place) {
        Tensor elements = Tensor.allocate(DType.INT64, count);
        for (int i = 0; i < count; i++) {
            elements.setLong(i, pool[(int) starts[length - 1] + i * length + place]);
        }
        return elements;
    }

    private String weighed(String counts) {
        String mode = node.text("mode");
        double[] weights = node.reals("weights").orElse(new double[0]);
        if (!List.of("TF", "IDF", "TFIDF").contains(mode)) {
            throw node.malformed("mode is '" + mode + "'");
        }
        String given =
                mode.equals("IDF") ? steps.cast(steps.add("Greater", counts, steps.scalar(REAL, 0)), REAL) : counts;
        if (mode.equals("TF") || weights.length == 0) {
            return given;
        }
        return steps.add("Mul", given, steps.constant(weights(weights)));
    }

    /** The weights stand in the order of the sequences. */
    private Tensor weights(double[] weights) {
        long[] places = node.requiredIntegers("ngram_indexes");
        Tensor order = order();
        if (weights.length != places.length) {
            throw node.malformed(weights.length + " weights for " + places.length + " sequences");
        }
        Tensor placed = Tensor.allocate(REAL, order.elements());
        for (int i = 0; i < places.length; i++) {
            placed.setDouble(places[i], weights[i]);
        }
        return placed;
    }
}
