package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * The trees of an ensemble, with all nodes in one list. A leaf leads to itself, whatever its test says, so that as many
 * steps from a root as the longest path has end in a leaf on every path.
 */
final class Trees {

    /** The tests of nodes, with ONNX's numbers of them; {@link #MEMBER} is written as a chain of equalities. */
    enum Test {
        BRANCH_LEQ,
        BRANCH_LT,
        BRANCH_GTE,
        BRANCH_GT,
        BRANCH_EQ,
        BRANCH_NEQ,
        MEMBER
    }

    /** The tests by ONNX's numbers of them. */
    private static final List<Test> TESTS = List.of(Test.values());

    /** Paths of more nodes are not written out. */
    private static final int MOST_STEPS = 4096;

    private record TreeNode(long tree, long number) {}

    private final OnnxNode node;
    private final List<Long> features = new ArrayList<>();
    private final List<Double> values = new ArrayList<>();
    private final List<Test> tests = new ArrayList<>();
    private final List<Integer> yes = new ArrayList<>();
    private final List<Integer> no = new ArrayList<>();
    private final List<Boolean> missing = new ArrayList<>();
    private final List<Integer> roots = new ArrayList<>();
    private final Map<TreeNode, Integer> places = new HashMap<>();
    private final List<Leaf> leaves = new ArrayList<>();

    /** The number that a leaf adds to a target. */
    record Leaf(int place, long target, double weight) {}

    private Trees(OnnxNode node) {
        this.node = node;
    }

    /** Trees as TreeEnsembleRegressor and TreeEnsembleClassifier say them: each node by its tree and its number there. */
    static Trees byNumbers(OnnxNode node, MlAttributes attributes, String targets) {
        Trees trees = new Trees(node);
        long[] ids = node.requiredIntegers("nodes_treeids");
        long[] numbers = node.requiredIntegers("nodes_nodeids");
        long[] features = node.requiredIntegers("nodes_featureids");
        List<String> modes = node.texts("nodes_modes").orElse(List.of());
        double[] values = attributes.reals("nodes_values");
        long[] whenTrue = node.requiredIntegers("nodes_truenodeids");
        long[] whenFalse = node.requiredIntegers("nodes_falsenodeids");
        long[] missing = node.integers("nodes_missing_value_tracks_true").orElse(new long[0]);
        node.ignore("nodes_hitrates", "nodes_hitrates_as_tensor"); // for a faster order alone
        trees.requireSizes(
                ids.length,
                numbers.length,
                features.length,
                modes.size(),
                values.length,
                whenTrue.length,
                whenFalse.length);
        for (int i = 0; i < ids.length; i++) {
            if (trees.places.put(new TreeNode(ids[i], numbers[i]), i) != null) {
                throw node.malformed("tree " + ids[i] + " has two nodes " + numbers[i]);
            }
            if (i == 0 || ids[i] != ids[i - 1]) {
                trees.roots.add(i);
            }
        }
        for (int i = 0; i < ids.length; i++) {
            boolean isLeaf = modes.get(i).equals("LEAF");
            trees.add(
                    isLeaf ? 0 : features[i],
                    values[i],
                    isLeaf ? Test.BRANCH_LEQ : trees.test(modes.get(i)),
                    isLeaf ? i : trees.place(ids[i], whenTrue[i]),
                    isLeaf ? i : trees.place(ids[i], whenFalse[i]),
                    i < missing.length && missing[i] == 1);
        }
        trees.weigh(attributes, targets);
        return trees;
    }

    private void weigh(MlAttributes attributes, String prefix) {
        long[] ids = node.requiredIntegers(prefix + "_treeids");
        long[] numbers = node.requiredIntegers(prefix + "_nodeids");
        long[] targets = node.requiredIntegers(prefix + "_ids");
        double[] weights = attributes.reals(prefix + "_weights");
        requireSizes(ids.length, numbers.length, targets.length, weights.length);
        for (int i = 0; i < ids.length; i++) {
            leaves.add(new Leaf(place(ids[i], numbers[i]), targets[i], weights[i]));
        }
    }

    /** Trees as TreeEnsemble says them: inner nodes and leaves in a list each. */
    static Trees byLists(OnnxNode node, MlAttributes attributes) {
        Trees trees = new Trees(node);
        long[] features = node.requiredIntegers("nodes_featureids");
        double[] modes = attributes.reals("nodes_modes");
        double[] splits = attributes.reals("nodes_splits");
        long[] whenTrue = node.requiredIntegers("nodes_truenodeids");
        long[] whenFalse = node.requiredIntegers("nodes_falsenodeids");
        long[] trueLeaves = node.requiredIntegers("nodes_trueleafs");
        long[] falseLeaves = node.requiredIntegers("nodes_falseleafs");
        long[] missing = node.integers("nodes_missing_value_tracks_true").orElse(new long[0]);
        long[] targets = node.requiredIntegers("leaf_targetids");
        double[] weights = attributes.reals("leaf_weights");
        node.ignore("nodes_hitrates"); // for a faster order alone
        int inner = features.length;
        trees.requireSizes(
                inner,
                modes.length,
                splits.length,
                whenTrue.length,
                whenFalse.length,
                trueLeaves.length,
                falseLeaves.length);
        trees.requireSizes(targets.length, weights.length);
        for (int i = 0; i < inner; i++) {
            if (modes[i] < 0 || modes[i] >= TESTS.size()) {
                throw node.malformed("nodes_modes has " + modes[i]);
            }
            trees.add(
                    features[i],
                    splits[i],
                    TESTS.get((int) modes[i]),
                    trees.place(
                            whenTrue[i], trueLeaves[i] == 0 ? 0 : inner, trueLeaves[i] == 0 ? inner : targets.length),
                    trees.place(
                            whenFalse[i],
                            falseLeaves[i] == 0 ? 0 : inner,
                            falseLeaves[i] == 0 ? inner : targets.length),
                    i < missing.length && missing[i] == 1);
        }
        for (int i = 0; i < targets.length; i++) {
            trees.add(0, 0, Test.BRANCH_LEQ, inner + i, inner + i, false);
            trees.leaves.add(new Leaf(inner + i, targets[i], weights[i]));
        }
        for (long root : node.requiredIntegers("tree_roots")) {
            trees.roots.add(trees.place(root, 0, inner));
        }
        trees.writeMembers(node.has("membership_values") ? attributes.reals("membership_values") : new double[0]);
        return trees;
    }

    private int place(long number, int start, int count) {
        if (number < 0 || number >= count) {
            throw node.malformed("there is no node or leaf " + number);
        }
        return start + (int) number;
    }

    /** A set of values becomes a chain of nodes that ask for one each; NaN ends a set. */
    private void writeMembers(double[] members) {
        int next = 0;
        int count = tests.size();
        for (int i = 0; i < count; i++) {
            if (tests.get(i) != Test.MEMBER) {
                continue;
            }
            int end = next;
            while (end < members.length && !Double.isNaN(members[end])) {
                end++;
            }
            if (end == next) {
                throw node.malformed("node " + i + " asks for members of an empty set");
            }
            int last = no.get(i);
            tests.set(i, Test.BRANCH_EQ);
            values.set(i, members[next]);
            int at = i;
            for (int member = next + 1; member < end; member++) {
                no.set(at, tests.size());
                at = tests.size();
                add(features.get(i), members[member], Test.BRANCH_EQ, yes.get(i), last, missing.get(i));
            }
            next = end + 1;
        }
    }

    private void add(long feature, double value, Test test, int whenTrue, int whenFalse, boolean isMissing) {
        features.add(feature);
        values.add(value);
        tests.add(test);
        yes.add(whenTrue);
        no.add(whenFalse);
        missing.add(isMissing);
    }

    private Test test(String mode) {
        return Arrays.stream(Test.values())
                .filter(test -> test != Test.MEMBER && test.name().equals(mode))
                .findFirst()
                .orElseThrow(() -> node.malformed("nodes_modes has '" + mode + "'"));
    }

    private int place(long tree, long number) {
        Integer place = places.get(new TreeNode(tree, number));
        if (place == null) {
            throw node.malformed("tree " + tree + " has no node " + number);
        }
        return place;
    }

    private void requireSizes(int... sizes) {
        if (Arrays.stream(sizes).distinct().count() > 1) {
            throw node.malformed("the lists of its nodes have " + Arrays.toString(sizes) + " elements");
        }
    }

    /** The number of steps that lead from every root to a leaf. */
    int steps() {
        int[] front = roots.stream().mapToInt(i -> i).toArray();
        int steps = -1;
        while (front.length > 0) {
            steps++;
            if (steps > MOST_STEPS) {
                throw node.unsupportedUse("trees of paths that are longer than " + MOST_STEPS + " nodes");
            }
            front = Arrays.stream(front)
                    .filter(place -> yes.get(place) != place)
                    .flatMap(place -> Arrays.stream(new int[] {yes.get(place), no.get(place)}))
                    .distinct()
                    .toArray();
        }
        return Math.max(steps, 0);
    }

    int size() {
        return tests.size();
    }

    List<Leaf> leaves() {
        return leaves;
    }

    long[] roots() {
        return roots.stream().mapToLong(i -> i).toArray();
    }

    long[] features() {
        return features.stream().mapToLong(i -> i).toArray();
    }

    double[] values() {
        return values.stream().mapToDouble(value -> value).toArray();
    }

    static long number(Test test) {
        return TESTS.indexOf(test);
    }

    /** The number of each node's test. */
    long[] tests() {
        return tests.stream().mapToLong(Trees::number).toArray();
    }

    /** The tests that inner nodes have. */
    Set<Test> kinds() {
        Set<Test> kinds = EnumSet.noneOf(Test.class);
        for (int i = 0; i < tests.size(); i++) {
            if (yes.get(i) != i) {
                kinds.add(tests.get(i));
            }
        }
        return kinds;
    }

    long[] whenTrue() {
        return yes.stream().mapToLong(i -> i).toArray();
    }

    long[] whenFalse() {
        return no.stream().mapToLong(i -> i).toArray();
    }

    /** 1 where a missing value, NaN, passes the test. */
    long[] missing() {
        return missing.stream().flatMapToLong(is -> LongStream.of(is ? 1 : 0)).toArray();
    }
}
