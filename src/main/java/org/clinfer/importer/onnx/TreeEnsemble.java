package org.clinfer.importer.onnx;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Decision trees: for every row and every tree the place of a node, which one step after the other moves on by the node's
 * test, all trees at once; the leaves' weights are then put together.
 */
final class TreeEnsemble {

    /** A table of leaves and targets has at most so many elements. */
    private static final long MOST_WEIGHTS = 1L << 27;

    private final OnnxNode node;
    private final Steps steps;
    private final DType dtype;
    private final String x;
    private final Trees trees;

    TreeEnsemble(OnnxNode node, OnnxGraphWriter graph, Trees trees, DType dtype) {
        this.node = node;
        this.steps = new Steps(node, graph);
        this.dtype = dtype;
        this.x = MlTranslators.rows(steps, node.input(0), dtype);
        this.trees = trees;
    }

    /** The weights of all trees for each row and target, with the axes row and target. */
    String sums(String aggregate, long targets) {
        double fill = switch (aggregate) {
            case "SUM", "AVERAGE" -> 0;
            case "MIN" -> Double.POSITIVE_INFINITY;
            case "MAX" -> Double.NEGATIVE_INFINITY;
            default -> throw node.malformed("aggregate_function is '" + aggregate + "'");
        };
        String weights = weights(fill, targets);
        Params trees1 = new Params().put("axis", new long[] {1}).put("keep_dims", false);
        return switch (aggregate) {
            case "SUM" -> steps.add("ReduceSum", trees1, weights);
            case "AVERAGE" -> steps.add("Mean", trees1, weights);
            default -> {
                String most = steps.add(aggregate.equals("MIN") ? "ReduceMin" : "ReduceMax", trees1, weights);
                String isNone = steps.add("Equal", most, steps.scalar(dtype, fill));
                yield steps.add("Where", isNone, steps.scalar(dtype, 0), most);
            }
        };
    }

    /** With an addend for each target. */
    String plus(String sums, double[] addends) {
        return steps.add("Add", sums, steps.constant(MlAttributes.tensor(dtype, addends, addends.length)));
    }

    /** The weights of the leaves, with the axes row, tree and target. */
    private String weights(double fill, long targets) {
        Map<Integer, Integer> rows = new HashMap<>();
        trees.leaves().forEach(leaf -> rows.putIfAbsent(leaf.place(), rows.size() + 1));
        if (targets < 1 || targets > MOST_WEIGHTS / (rows.size() + 1)) {
            throw node.unsupportedUse(rows.size() + " leaves and " + targets + " targets");
        }
        Tensor table = Tensor.allocate(dtype, rows.size() + 1L, targets);
        for (long i = 0; i < table.elements(); i++) {
            table.setDouble(i, fill);
        }
        for (Trees.Leaf leaf : trees.leaves()) {
            if (leaf.target() < 0 || leaf.target() >= targets) {
                throw node.malformed("a leaf has target " + leaf.target() + " of " + targets);
            }
            long at = rows.getOrDefault(leaf.place(), 0) * targets + leaf.target();
            double before = table.getDouble(at);
            table.setDouble(at, before == fill ? leaf.weight() : before + leaf.weight());
        }
        long[] rowOfPlace = new long[trees.size()];
        rows.forEach((place, row) -> rowOfPlace[place] = row);
        return gathered(steps.constant(table), gathered(longs(rowOfPlace), leaves()));
    }

    private String longs(long... values) {
        return steps.constant(Tensor.of(values, values.length));
    }

    private String gathered(String table, String places) {
        return steps.add("Gather", new Params().put("axis", 0L), table, places);
    }

    /** The place of the leaf that each row reaches in each tree. */
    private String leaves() {
        long[] roots = trees.roots();
        String sizes = steps.concat(List.of(steps.sizes(x, 0), steps.vector(roots.length)));
        String places = steps.add("Expand", steps.constant(Tensor.of(roots, 1, roots.length)), sizes);
        int count = trees.steps();
        if (count == 0) {
            return places;
        }
        Tables tables = new Tables();
        for (int i = 0; i < count; i++) {
            String yes = gathered(tables.yes, places);
            places = steps.add("Where", tables.passed(places), yes, gathered(tables.no, places));
        }
        return places;
    }

    /** The nodes as constants, by their places. */
    private final class Tables {

        private final Set<Trees.Test> kinds = trees.kinds();
        private final String features = longs(trees.features());
        private final String values = steps.constant(MlAttributes.tensor(dtype, trees.values(), trees.size()));
        private final String yes = longs(trees.whenTrue());
        private final String no = longs(trees.whenFalse());
        private final String tests = kinds.size() > 1 ? longs(trees.tests()) : "";
        private final String missing =
                LongStream.of(trees.missing()).anyMatch(is -> is != 0) ? longs(trees.missing()) : "";

        /** {@return which rows pass the tests of the nodes at these places} */
        String passed(String places) {
            Params along = new Params().put("axis", 1L);
            String given = steps.add("GatherElements", along, x, gathered(features, places));
            String value = gathered(values, places);
            String passed = "";
            for (Trees.Test kind : kinds) {
                String one = of(kind, given, value);
                if (!tests.isEmpty()) {
                    String is = steps.add("Equal", gathered(tests, places), steps.whole(Trees.number(kind)));
                    one = steps.add("And", one, is);
                }
                passed = passed.isEmpty() ? one : steps.add("Or", passed, one);
            }
            if (missing.isEmpty()) {
                return passed;
            }
            String isMissing = steps.add("Not", steps.add("Equal", given, given));
            return steps.add(
                    "Or", passed, steps.add("And", isMissing, steps.cast(gathered(missing, places), DType.BOOL)));
        }
    }

    private String of(Trees.Test test, String given, String value) {
        return switch (test) {
            case BRANCH_LEQ -> steps.add("LessOrEqual", given, value);
            case BRANCH_LT -> steps.add("Less", given, value);
            case BRANCH_GTE -> steps.add("GreaterOrEqual", given, value);
            case BRANCH_GT -> steps.add("Greater", given, value);
            case BRANCH_EQ -> steps.add("Equal", given, value);
            case BRANCH_NEQ -> steps.add("Not", steps.add("Equal", given, value));
            case MEMBER -> throw new IllegalStateException("it is written as equalities");
        };
    }
}
