package org.clinfer.importer.onnx;

import java.util.List;
import java.util.Optional;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/**
 * Unique by sorting: equal elements, or equal slices along an axis, lie beside each other then, and each group begins with
 * the one that stands first. Slices are sorted by their last element first, which keeps the order of what is equal.
 */
final class Unique {

    /** One sort for each element of a slice; more are no table that somebody looks for rows in. */
    private static final long MOST_COLUMNS = 256;

    private final OnnxNode node;
    private final OnnxGraphWriter graph;
    private final Steps steps;

    private Unique(OnnxNode node, OnnxGraphWriter graph) {
        this.node = node;
        this.graph = graph;
        this.steps = new Steps(node, graph);
    }

    static void translate(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        new Unique(node, graph).write(node.flag("sorted", true));
    }

    /** Unique of all elements in the order in which they stand first. */
    static void ofFirst(OnnxNode node, OnnxGraphWriter graph) {
        new Unique(node, graph).write(false);
    }

    private void write(boolean sorted) {
        String x = node.input(0);
        boolean flat = !node.has("axis");
        long axis = node.integer("axis", 0);
        String along = flat ? steps.add("Reshape", x, steps.vector(-1)) : x;
        long columns = flat ? 1 : columns(x, axis);
        String rows = flat ? steps.add("Reshape", x, steps.vector(-1, 1)) : rows(x, axis, columns);
        String count = steps.sizes(along, axis);
        String order = order(rows, columns, count);
        String number = steps.range(steps.size(along, axis), 0);
        String begins = begins(steps.add("Gather", first(), rows, order), number);
        String starts = CountedTranslators.positions(node, graph, begins);
        String ids =
                steps.add("Sub", steps.add("CumSum", steps.cast(begins, DType.INT64), steps.whole(0)), steps.whole(1));
        String groups = scattered(count, order, ids);
        String firsts = steps.add("Gather", first(), order, starts);
        String ends = steps.concat(List.of(steps.slice(starts, 0, 1, Long.MAX_VALUE), count));
        String sizes = steps.add("Sub", ends, starts);
        if (!sorted) {
            String found = steps.shape(starts);
            String appearance = sorted(firsts, found);
            firsts = steps.add("Gather", first(), firsts, appearance);
            sizes = steps.add("Gather", first(), sizes, appearance);
            String indices = steps.range(steps.size(starts, 0), 0);
            groups = steps.add("Gather", first(), scattered(found, appearance, indices), groups);
        }
        steps.last("Gather", new Params().put("axis", axis), along, firsts);
        steps.output(1, "Identity", firsts);
        steps.output(2, "Identity", groups);
        steps.output(3, "Identity", sizes);
    }

    private static Params first() {
        return new Params().put("axis", 0L);
    }

    /** The elements of a slice. */
    private long columns(String x, long axis) {
        int rank = steps.rank(x);
        if (axis < -rank || axis >= rank) {
            throw node.malformed("a value of " + rank + " axes has no axis " + axis);
        }
        long columns = 1;
        for (int i = 0; i < rank; i++) {
            boolean isAxis = i == (axis < 0 ? axis + rank : axis);
            long size = isAxis
                    ? 1
                    : steps.knownSize(x, i)
                            .orElseThrow(() -> node.unsupportedUse("slices whose sizes are not known beforehand"));
            columns = size > MOST_COLUMNS ? MOST_COLUMNS + 1 : Math.min(columns * size, MOST_COLUMNS + 1);
        }
        if (columns < 1 || columns > MOST_COLUMNS) {
            throw node.unsupportedUse("slices of no element or of more than " + MOST_COLUMNS);
        }
        return columns;
    }

    /** The slices along an axis, each as a row. */
    private String rows(String x, long axis, long columns) {
        int rank = steps.rank(x);
        int along = (int) (axis < 0 ? axis + rank : axis);
        long[] perm = new long[rank];
        perm[0] = along;
        for (int i = 1; i < rank; i++) {
            perm[i] = i <= along ? i - 1 : i;
        }
        return steps.add("Reshape", steps.transposed(x, perm), steps.vector(-1, columns));
    }

    /** The numbers of the rows in the order of their elements. */
    private String order(String rows, long columns, String count) {
        Optional<DType> dtype = graph.types().of(node.input(0)).dtype();
        String keys = dtype.filter(DType.BOOL::equals).isPresent() ? steps.cast(rows, DType.UINT8) : rows;
        String order = "";
        for (long column = columns - 1; column >= 0; column--) {
            String all = steps.add("Reshape", steps.slice(keys, 1, column, column + 1), steps.vector(-1));
            String indices = sorted(order.isEmpty() ? all : steps.add("Gather", first(), all, order), count);
            order = order.isEmpty() ? indices : steps.add("Gather", first(), order, indices);
        }
        return order;
    }

    /** The indices of the elements of a vector in ascending order; equal ones keep theirs. */
    private String sorted(String vector, String count) {
        String values = graph.freshName(node.output());
        String indices = graph.freshName(node.output());
        Params params = new Params().put("largest", false);
        graph.addStep(node, node.name() + "/sorted", "TopK", List.of(vector, count), List.of(values, indices), params);
        return indices;
    }

    /** The rows that are other ones than those before them, as 1. */
    private String begins(String rows, String number) {
        String before = steps.add("Max", steps.add("Sub", number, steps.whole(1)), steps.whole(0));
        String equal = steps.add("Equal", rows, steps.add("Gather", first(), rows, before));
        String differs = steps.cast(steps.add("Not", equal), DType.INT64);
        Params across = new Params().put("axis", new long[] {1}).put("keep_dims", false);
        String any = steps.cast(steps.add("ReduceMax", across, differs), DType.BOOL);
        return steps.add("Or", any, steps.add("Equal", number, steps.whole(0)));
    }

    /** A vector of so many elements with some of them at their indices. */
    private String scattered(String count, String indices, String elements) {
        Params zeros = new Params().put("value", 0.0).put("dtype", DType.INT64.label());
        String none = steps.add("ConstantOfShape", zeros, count);
        return steps.add("ScatterElements", first(), none, indices, elements);
    }
}
