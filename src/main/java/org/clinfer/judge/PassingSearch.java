package org.clinfer.judge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.clinfer.check.Finding;
import org.clinfer.describe.AttributeValues;
import org.clinfer.describe.Bindings;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OpCatalog;
import org.clinfer.expr.ExpressionValue;
import org.clinfer.expr.Scope;
import org.clinfer.graph.Attribute;
import org.clinfer.infer.CheckedNode;
import org.clinfer.profile.ProfileRule;
import org.clinfer.profile.Vocabulary;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/**
 * Looks for the smallest change of each single parameter, dimension or type with which a node would pass all rules of a
 * profile. Every value it names was checked again by the same rules. What the changes make of the node is the same for all
 * profiles and is worked out once; used by one thread at a time.
 *
 * <p>A dimension that cannot change alone (the channels of an input and of its weights) changes together with the fewest
 * others of the same size with which the node stays sound. Equal numbers of a list change together where none of them
 * would do alone.
 */
final class PassingSearch {

    /** The field of a tensor that changes of sizes leave as it is. */
    private static final String DTYPE = "dtype";

    private static final long LARGEST = 1L << 40;

    /** The number of others that may have to change with a dimension. */
    private static final int MOST_COMPANIONS = 3;

    /** From this many dimensions of one size on only pairs, and one axis of all inputs, are tried together. */
    private static final int MANY = 8;

    private final CheckedNode node;
    private final VariationCheck variations;
    private final List<Change> changes = new ArrayList<>();

    /** Of equal numbers of a list at once, by the name of the list. */
    private final Map<String, List<Change>> ofEqual = new TreeMap<>();

    /** The names of inputs, in all forms of the node. */
    private final Set<String> inputs = new HashSet<>();

    private final IdentityHashMap<ProfileRule, Reads> reads = new IdentityHashMap<>();
    private final Map<DType, Optional<Vocabulary.Use>> otherTypes = new HashMap<>();
    private final NodeVariation subject;
    private final Vocabulary.Use unchanged;

    /**
     * Prepares the search for one node.
     *
     * @param unchanged the node as it is, in the words of the rules
     * @param constants the elements of inputs where they are known, by value name
     * @param bindings those of searches for the node by other rules
     */
    PassingSearch(
            OpCatalog catalog,
            RuleScope ruleScope,
            CheckedNode node,
            Vocabulary.Use unchanged,
            Map<String, Tensor> constants,
            Bindings bindings) {
        this.node = node;
        for (CheckedNode form = node; form != null; form = form.lowered()) {
            form.op().inputs().forEach(input -> inputs.add(input.name()));
        }
        this.unchanged = unchanged;
        this.variations = new VariationCheck(catalog, ruleScope, node, constants, bindings);
        this.subject = variations.alone(unchanged);
        node.binding().params().forEach(this::changesOfParam);
        changesOfDims();
        changes.sort((a, b) -> a.what.compareTo(b.what));
    }

    /** A dimension of an input. */
    private record Dimension(int input, int axis) {}

    private static final Comparator<Dimension> BY_INPUT =
            Comparator.comparingInt(Dimension::input).thenComparingInt(Dimension::axis);

    /** Tells whether a rule looks at nothing of the node but the data types of its inputs, the same whatever the sizes are. */
    private boolean isOfInputTypesAlone(Reads names) {
        return inputs.containsAll(names.types)
                && names.whole.stream()
                        .allMatch(name -> name.equals(RuleScope.INPUT_DTYPES)
                                || unchanged.scope().find(name).isEmpty());
    }

    /**
     * The names that a rule looks at.
     *
     * @param types those of which it looks at the data type alone
     */
    private record Reads(Set<String> whole, Set<String> types) {

        static Reads of(ProfileRule rule) {
            Set<String> whole = rule.readsBeside(DTYPE);
            Set<String> types = new HashSet<>(rule.reads());
            types.removeAll(whole);
            return new Reads(whole, types);
        }

        boolean differ(Scope one, Scope other) {
            return whole.stream().anyMatch(name -> !one.find(name).equals(other.find(name)))
                    || types.stream().anyMatch(name -> !type(one, name).equals(type(other, name)));
        }

        private static Object type(Scope scope, String name) {
            Optional<ExpressionValue> value = scope.find(name);
            return value.isPresent() && value.get() instanceof ExpressionValue.TensorArg tensor
                    ? tensor.type().dtype()
                    : value;
        }
    }

    /** One number that can be another. */
    private final class Change {
        private final String what;
        private final long from;
        private final long least;
        private final boolean mayLoseInput;
        private final LongFunction<NodeVariation> to;
        private final Map<Long, Optional<Vocabulary.Use>> uses = new HashMap<>();
        private final IdentityHashMap<ProfileRule, Boolean> concerned = new IdentityHashMap<>();

        /**
         * Prepares a change.
         *
         * @param least nothing smaller can be tried
         * @param mayLoseInput whether an input is left out with it
         */
        Change(String what, long from, long least, boolean mayLoseInput, LongFunction<NodeVariation> to) {
            this.mayLoseInput = mayLoseInput;
            this.what = what;
            this.from = from;
            this.least = least;
            this.to = to;
        }

        Optional<Vocabulary.Use> use(long value) {
            return value < least ? Optional.empty() : uses.computeIfAbsent(value, key -> variations.use(to.apply(key)));
        }

        boolean isSound(long value) {
            return use(value).isPresent();
        }

        /** Tells whether something that a rule looks at changes with it. */
        boolean concerns(ProfileRule rule) {
            return concerned.computeIfAbsent(rule, key -> {
                Reads names = reads.computeIfAbsent(rule, Reads::of);
                return (mayLoseInput || !isOfInputTypesAlone(names))
                        && LongStream.of(from + 1, from - 1, 2 * from, from / 2, 1)
                                .filter(value -> value != from)
                                .mapToObj(this::use)
                                .flatMap(Optional::stream)
                                .anyMatch(use -> names.differ(use.scope(), unchanged.scope()));
            });
        }
    }

    private void changesOfParam(String name, ExpressionValue value) {
        int input =
                node.op().param(name).map(param -> indexOf(param.fromInput())).orElse(-1);
        Attribute given = AttributeValues.attribute(value).orElse(Attribute.of(false));
        if (given instanceof Attribute.IntValue number && isSize(number)) {
            changes.add(new Change(
                    name,
                    number.value(),
                    Long.MIN_VALUE,
                    input >= 0,
                    v -> subject.withParam(name, Attribute.of(v), input)));
        } else if (given instanceof Attribute.ListValue list) {
            for (int i = 0; i < list.values().size(); i++) {
                if (list.values().get(i) instanceof Attribute.IntValue number && isSize(number)) {
                    int index = i;
                    changes.add(new Change(
                            name + "[" + i + "]",
                            number.value(),
                            Long.MIN_VALUE,
                            input >= 0,
                            v -> subject.withParam(name, changed(list, List.of(index), v), input)));
                }
            }
            changesOfEqual(name, list, input);
        }
    }

    private void changesOfEqual(String name, Attribute.ListValue list, int input) {
        Map<Long, List<Integer>> indices = new TreeMap<>();
        for (int i = 0; i < list.values().size(); i++) {
            if (list.values().get(i) instanceof Attribute.IntValue number && isSize(number)) {
                indices.computeIfAbsent(number.value(), value -> new ArrayList<>())
                        .add(i);
            }
        }
        indices.forEach((from, equal) -> {
            if (equal.size() > 1) {
                String what = String.join(
                        " and ",
                        equal.stream().map(index -> name + "[" + index + "]").toList());
                ofEqual.computeIfAbsent(name, key -> new ArrayList<>())
                        .add(new Change(
                                what,
                                from,
                                Long.MIN_VALUE,
                                input >= 0,
                                v -> subject.withParam(name, changed(list, equal, v), input)));
            }
        });
    }

    /** Some numbers stand for something else, such as the largest for the end of an axis. */
    private static boolean isSize(Attribute.IntValue number) {
        return Math.abs(number.value()) <= LARGEST;
    }

    private int indexOf(String input) {
        for (int i = 0; i < node.op().inputs().size(); i++) {
            if (node.op().inputs().get(i).name().equals(input)) {
                return i;
            }
        }
        return -1;
    }

    private static Attribute changed(Attribute.ListValue list, List<Integer> indices, long value) {
        List<Attribute> values = new ArrayList<>(list.values());
        indices.forEach(index -> values.set(index, Attribute.of(value)));
        return new Attribute.ListValue(values);
    }

    private void changesOfDims() {
        Map<Long, List<Dimension>> bySize = new HashMap<>();
        for (int i = 0; i < node.inputTypes().size(); i++) {
            TensorType type = node.inputTypes().get(i);
            if (type == null || !type.shape().isKnown() || variations.isValue(i)) {
                continue;
            }
            for (int axis = 0; axis < type.shape().rank(); axis++) {
                Dimension dimension = new Dimension(i, axis);
                bySize.computeIfAbsent(type.shape().sizes()[axis], size -> new ArrayList<>())
                        .add(dimension);
            }
        }
        List<List<Dimension>> seen = new ArrayList<>();
        bySize.forEach((size, same) -> same.forEach(dimension -> together(dimension, same, size)
                .filter(found -> seen.stream().noneMatch(found::equals))
                .ifPresent(found -> {
                    seen.add(found);
                    changes.add(change(found, size));
                })));
    }

    private Change change(List<Dimension> dimensions, long size) {
        String what = String.join(" and ", dimensions.stream().map(this::name).toList());
        return new Change(what, size, 1, false, value -> {
            NodeVariation changed = subject;
            for (Dimension dimension : dimensions) {
                changed = changed.withDim(dimension.input, dimension.axis, value);
            }
            return changed;
        });
    }

    /** The dimension with the fewest others, in their order, that can be larger with it; empty where none do. */
    private Optional<List<Dimension>> together(Dimension dimension, List<Dimension> same, long size) {
        List<Dimension> alike =
                same.stream().filter(other -> other.axis == dimension.axis).toList();
        List<List<Dimension>> sets = List.of(List.of(dimension));
        for (int companions = 0; companions <= MOST_COMPANIONS; companions++) {
            Optional<List<Dimension>> sound = firstSound(sets, size);
            if (sound.isEmpty() && companions == 1) {
                sound = firstSound(List.of(alike), size);
            }
            if (sound.isPresent() || (same.size() > MANY && companions == 1)) {
                return sound;
            }
            sets = larger(sets, same);
        }
        return Optional.empty();
    }

    private Optional<List<Dimension>> firstSound(List<List<Dimension>> sets, long size) {
        for (List<Dimension> set : sets) {
            Change change = change(set, size);
            if (change.isSound(2 * size) || change.isSound(size + 1)) {
                return Optional.of(set.stream().sorted(BY_INPUT).toList());
            }
        }
        return Optional.empty();
    }

    /** Every set with one more, each once. */
    private static List<List<Dimension>> larger(List<List<Dimension>> sets, List<Dimension> same) {
        List<List<Dimension>> larger = new ArrayList<>();
        for (List<Dimension> set : sets) {
            for (Dimension other : same) {
                boolean isNew = set.size() == 1 || isAfter(other, set.get(set.size() - 1), same);
                if (!set.contains(other) && isNew) {
                    List<Dimension> more = new ArrayList<>(set);
                    more.add(other);
                    larger.add(more);
                }
            }
        }
        return larger;
    }

    private static boolean isAfter(Dimension dimension, Dimension other, List<Dimension> order) {
        return order.indexOf(dimension) > order.indexOf(other);
    }

    private String name(Dimension dimension) {
        return name(dimension.input) + ".dims[" + dimension.axis + "]";
    }

    private String name(int input) {
        List<InputDescription> inputs = node.op().inputs();
        int last = inputs.size() - 1;
        String name = inputs.get(Math.min(input, last)).name();
        return inputs.get(last).variadic() && input >= last ? name + "[" + (input - last) + "]" : name;
    }

    /**
     * The changes that would do for one profile.
     *
     * @param broken the rules that the node breaks as it is
     */
    List<Finding.PassingValue> of(ProfileJudge judge, List<ProfileRule> broken) {
        List<Finding.PassingValue> found = new ArrayList<>();
        changes.forEach(change -> add(change, judge, broken, found));
        ofEqual.forEach((list, equal) -> {
            if (found.stream().noneMatch(value -> value.what().startsWith(list + "["))) {
                equal.forEach(change -> add(change, judge, broken, found));
            }
        });
        types(judge, broken, found);
        return found;
    }

    private void add(Change change, ProfileJudge judge, List<ProfileRule> broken, List<Finding.PassingValue> found) {
        if (broken.stream().allMatch(change::concerns)) {
            LongPredicate passes = value ->
                    change.use(value).filter(use -> judge.passes(use, broken)).isPresent();
            NearestPassing.to(change.from, passes)
                    .ifPresent(to -> found.add(
                            new Finding.PassingValue(change.what, Long.toString(change.from), Long.toString(to))));
        }
    }

    /** Another type for all inputs that have the type of the first. */
    private void types(ProfileJudge judge, List<ProfileRule> broken, List<Finding.PassingValue> found) {
        if (subject.types().isEmpty() || subject.types().get(0) == null) {
            return;
        }
        DType from = subject.types().get(0).dtype();
        for (DType to : DType.values()) {
            if (to != from
                    && otherTypes
                            .computeIfAbsent(to, type -> variations.use(subject.withType(from, type)))
                            .filter(use -> judge.passes(use, broken))
                            .isPresent()) {
                found.add(new Finding.PassingValue(name(0) + ".dtype", from.label(), to.label()));
            }
        }
    }
}
