package org.clinfer.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OpCatalog;
import org.clinfer.describe.ParamDescription;
import org.clinfer.expr.ExprException;
import org.clinfer.expr.Value;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.profile.Rule;
import org.clinfer.profile.Vocabulary;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the smallest change of each single parameter, dimension or type with which a node would pass all rules of a
 * profile. Every value it names was checked again by the same rules. What the changes make of the node is the same for all
 * profiles and is worked out once; used by one thread at a time.
 *
 * <p>A dimension that cannot change alone (the channels of an input and of its weights) changes together with the fewest
 * others of the same size with which the node stays sound.
 */
final class PassingSearch {

    /** Changes up to this are all tried; larger ones by doubling, and by halving back from the first that passes. */
    private static final long NEAR = 8;

    private static final long FARTHEST = 1L << 16;

    private static final long LARGEST = 1L << 40;

    /** How many others may have to change with a dimension. */
    private static final int MOST_COMPANIONS = 3;

    /** From this many dimensions of one size on only pairs, and one axis of all inputs, are tried together. */
    private static final int MANY = 8;

    private final OpCatalog catalog;
    private final NodeWords words;
    private final CheckedNode node;
    private final Map<String, Tensor> constants;
    private final List<Change> changes = new ArrayList<>();
    private final Map<DType, Optional<Vocabulary.Use>> otherTypes = new HashMap<>();
    private final Subject subject;
    private final Vocabulary.Use unchanged;

    /**
     * Prepares the search for one node.
     *
     * @param unchanged the node as it is, in the words of the rules
     * @param constants the elements of inputs where they are known, by value name
     */
    PassingSearch(
            OpCatalog catalog,
            NodeWords words,
            CheckedNode node,
            Vocabulary.Use unchanged,
            Map<String, Tensor> constants) {
        this.catalog = catalog;
        this.words = words;
        this.node = node;
        this.unchanged = unchanged;
        this.constants = constants;
        this.subject = withoutRedundant(new Subject(params(node), node.inputTypes()));
        node.binding().params().forEach(this::changesOfParam);
        changesOfDims();
        changes.sort((a, b) -> a.what.compareTo(b.what));
    }

    /**
     * The parameters that say something: one that is as it would be anyway follows the others, as the size of a kernel
     * follows the weights.
     */
    private static Map<String, Attribute> params(CheckedNode node) {
        Map<String, Attribute> params = new HashMap<>();
        for (ParamDescription param : node.op().params()) {
            Value value = node.binding().params().getOrDefault(param.name(), Value.absent());
            Attribute given = node.node().params().get(param.name());
            if (given != null && !value.equals(byDefault(param, node))) {
                params.put(param.name(), given);
            }
        }
        return params;
    }

    /** Without the lists of numbers that the node means anyway, as the size of a kernel that the weights have. */
    private Subject withoutRedundant(Subject given) {
        Subject left = given;
        for (Map.Entry<String, Attribute> param : given.params.entrySet()) {
            if (param.getValue() instanceof Attribute.ListValue
                    && !unchanged.words().isEmpty()) {
                Map<String, Attribute> fewer = new HashMap<>(left.params);
                fewer.remove(param.getKey());
                Subject without = new Subject(fewer, left.types);
                boolean isSame = use(without)
                        .filter(use -> use.words().equals(unchanged.words()))
                        .isPresent();
                left = isSame ? without : left;
            }
        }
        return left;
    }

    private static Value byDefault(ParamDescription param, CheckedNode node) {
        try {
            return param.byDefault()
                    .map(value -> value.evaluate(node.binding().scope()))
                    .orElse(Value.absent());
        } catch (ExprException none) {
            return Value.absent();
        }
    }

    /** The node, taken out of its graph, with other parameters or types. */
    private record Subject(Map<String, Attribute> params, List<@Nullable TensorType> types) {

        Subject withParam(String name, Attribute value, int input) {
            Map<String, Attribute> changed = new HashMap<>(params);
            changed.put(name, value);
            List<@Nullable TensorType> left = new ArrayList<>(types);
            if (input >= 0 && input < left.size()) {
                left.set(input, null);
            }
            return new Subject(changed, left);
        }

        Subject withDim(Place place, long size) {
            List<@Nullable TensorType> changed = new ArrayList<>(types);
            TensorType type = changed.get(place.input);
            if (type != null) {
                long[] sizes = type.shape().sizes().clone();
                sizes[place.axis] = size;
                changed.set(place.input, new TensorType(type.dtype(), Shape.of(sizes)));
            }
            return new Subject(params, changed);
        }
    }

    /** A dimension of an input. */
    private record Place(int input, int axis) {}

    private static final Comparator<Place> BY_INPUT =
            Comparator.comparingInt(Place::input).thenComparingInt(Place::axis);

    /** One number that can be another. */
    private final class Change {
        private final String what;
        private final long from;
        private final long least;
        private final LongFunction<Subject> to;
        private final Map<Long, Optional<Vocabulary.Use>> uses = new HashMap<>();
        private final IdentityHashMap<Rule, Boolean> concerned = new IdentityHashMap<>();

        /** @param least nothing smaller can be tried */
        Change(String what, long from, long least, LongFunction<Subject> to) {
            this.what = what;
            this.from = from;
            this.least = least;
            this.to = to;
        }

        Optional<Vocabulary.Use> use(long value) {
            return value < least
                    ? Optional.empty()
                    : uses.computeIfAbsent(value, key -> PassingSearch.this.use(to.apply(key)));
        }

        boolean isSound(long value) {
            return use(value).isPresent();
        }

        /** Whether something that a rule looks at changes with it. */
        boolean concerns(Rule rule) {
            return concerned.computeIfAbsent(rule, key -> {
                Set<String> names = rule.reads();
                return LongStream.of(from + 1, from - 1, 2 * from, from / 2, 1)
                        .filter(value -> value != from)
                        .mapToObj(this::use)
                        .flatMap(Optional::stream)
                        .anyMatch(use -> names.stream()
                                .anyMatch(name -> !use.scope()
                                        .find(name)
                                        .equals(PassingSearch.this
                                                .unchanged
                                                .scope()
                                                .find(name))));
            });
        }
    }

    private void changesOfParam(String name, Value value) {
        int input =
                node.op().param(name).map(param -> indexOf(param.fromInput())).orElse(-1);
        Attribute given = AttributeValues.attribute(value).orElse(Attribute.of(false));
        if (given instanceof Attribute.IntValue number && isSize(number)) {
            changes.add(new Change(
                    name, number.value(), Long.MIN_VALUE, v -> subject.withParam(name, Attribute.of(v), input)));
        } else if (given instanceof Attribute.ListValue list) {
            for (int i = 0; i < list.values().size(); i++) {
                if (list.values().get(i) instanceof Attribute.IntValue number && isSize(number)) {
                    int place = i;
                    changes.add(new Change(
                            name + "[" + i + "]",
                            number.value(),
                            Long.MIN_VALUE,
                            v -> subject.withParam(name, changed(list, place, v), input)));
                }
            }
        }
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

    private static Attribute changed(Attribute.ListValue list, int place, long value) {
        List<Attribute> values = new ArrayList<>(list.values());
        values.set(place, Attribute.of(value));
        return new Attribute.ListValue(values);
    }

    private void changesOfDims() {
        Map<Long, List<Place>> bySize = new HashMap<>();
        for (int i = 0; i < node.inputTypes().size(); i++) {
            TensorType type = node.inputTypes().get(i);
            if (type == null || !type.shape().isKnown() || isValue(i)) {
                continue;
            }
            for (int axis = 0; axis < type.shape().rank(); axis++) {
                Place place = new Place(i, axis);
                bySize.computeIfAbsent(type.shape().sizes()[axis], size -> new ArrayList<>())
                        .add(place);
            }
        }
        List<List<Place>> seen = new ArrayList<>();
        bySize.forEach((size, same) -> same.forEach(place -> together(place, same, size)
                .filter(found -> seen.stream().noneMatch(found::equals))
                .ifPresent(found -> {
                    seen.add(found);
                    changes.add(change(found, size));
                })));
    }

    private Change change(List<Place> places, long size) {
        String what = String.join(" and ", places.stream().map(this::name).toList());
        return new Change(what, size, 1, value -> {
            Subject changed = subject;
            for (Place place : places) {
                changed = changed.withDim(place, value);
            }
            return changed;
        });
    }

    /** The dimension with the fewest others, in their order, that can be larger with it; empty where none do. */
    private Optional<List<Place>> together(Place place, List<Place> same, long size) {
        List<Place> alike =
                same.stream().filter(other -> other.axis == place.axis).toList();
        List<List<Place>> sets = List.of(List.of(place));
        for (int companions = 0; companions <= MOST_COMPANIONS; companions++) {
            Optional<List<Place>> sound = firstSound(sets, size);
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

    private Optional<List<Place>> firstSound(List<List<Place>> sets, long size) {
        for (List<Place> set : sets) {
            Change change = change(set, size);
            if (change.isSound(2 * size) || change.isSound(size + 1)) {
                return Optional.of(set.stream().sorted(BY_INPUT).toList());
            }
        }
        return Optional.empty();
    }

    /** Every set with one more, each once. */
    private static List<List<Place>> larger(List<List<Place>> sets, List<Place> same) {
        List<List<Place>> larger = new ArrayList<>();
        for (List<Place> set : sets) {
            for (Place other : same) {
                boolean isNew = set.size() == 1 || isAfter(other, set.get(set.size() - 1), same);
                if (!set.contains(other) && isNew) {
                    List<Place> more = new ArrayList<>(set);
                    more.add(other);
                    larger.add(more);
                }
            }
        }
        return larger;
    }

    private static boolean isAfter(Place place, Place other, List<Place> order) {
        return order.indexOf(place) > order.indexOf(other);
    }

    private String name(Place place) {
        return name(place.input) + ".dims[" + place.axis + "]";
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
    List<Finding.PassingValue> of(ProfileJudge judge, List<Rule> broken) {
        List<Finding.PassingValue> found = new ArrayList<>();
        for (Change change : changes) {
            if (!broken.stream().allMatch(change::concerns)) {
                continue;
            }
            LongPredicate passes = value ->
                    change.use(value).filter(use -> judge.passes(use, broken)).isPresent();
            nearest(change.from, passes)
                    .ifPresent(to -> found.add(
                            new Finding.PassingValue(change.what, Long.toString(change.from), Long.toString(to))));
        }
        types(judge, broken, found);
        return found;
    }

    /** Another type for all inputs that have the type of the first. */
    private void types(ProfileJudge judge, List<Rule> broken, List<Finding.PassingValue> found) {
        if (subject.types.isEmpty() || subject.types.get(0) == null) {
            return;
        }
        DType from = subject.types.get(0).dtype();
        for (DType to : DType.values()) {
            if (to != from
                    && otherTypes
                            .computeIfAbsent(to, type -> use(typed(from, type)))
                            .filter(use -> judge.passes(use, broken))
                            .isPresent()) {
                found.add(new Finding.PassingValue(name(0) + ".dtype", from.label(), to.label()));
            }
        }
    }

    private Subject typed(DType from, DType to) {
        List<@Nullable TensorType> changed = new ArrayList<>();
        for (TensorType type : subject.types) {
            changed.add(type == null || type.dtype() != from ? type : new TensorType(to, type.shape()));
        }
        return new Subject(subject.params, changed);
    }

    /** The nearest number that passes, the smaller of two that are as near. */
    private static OptionalLong nearest(long from, LongPredicate passes) {
        OptionalLong below = within(down(from), distance -> passes.test(from - distance));
        OptionalLong above = within(up(FARTHEST), distance -> passes.test(from + distance));
        if (below.isPresent() && (above.isEmpty() || below.getAsLong() <= above.getAsLong())) {
            return OptionalLong.of(from - below.getAsLong());
        }
        return above.isPresent() ? OptionalLong.of(from + above.getAsLong()) : OptionalLong.empty();
    }

    /** The distances to try first: all that are near, then twice as far each time. */
    private static SortedSet<Long> up(long farthest) {
        SortedSet<Long> distances = new TreeSet<>();
        for (long distance = 1; distance <= farthest; distance = distance < NEAR ? distance + 1 : distance * 2) {
            distances.add(distance);
        }
        return distances;
    }

    /** The same towards 0, and those that halve the number, over and over. */
    private static SortedSet<Long> down(long from) {
        SortedSet<Long> distances = up(Math.min(from, FARTHEST));
        for (long left = from / 2; left > 0; left /= 2) {
            distances.add(from - left);
        }
        if (from > 0) {
            distances.add(from);
        }
        return distances;
    }

    /** The first that passes, or one between it and the one before it, beyond which all up to it pass. */
    private static OptionalLong within(SortedSet<Long> distances, LongPredicate passes) {
        long fails = 0;
        for (long distance : distances) {
            if (!passes.test(distance)) {
                fails = distance;
                continue;
            }
            long holds = distance;
            while (holds - fails > 1) {
                long middle = fails + (holds - fails) / 2;
                if (passes.test(middle)) {
                    holds = middle;
                } else {
                    fails = middle;
                }
            }
            return OptionalLong.of(holds);
        }
        return OptionalLong.empty();
    }

    /** The node so, in the words of the rules; empty where it is not sound. */
    private Optional<Vocabulary.Use> use(Subject so) {
        GraphBuilder builder = new GraphBuilder("node", node.node().source());
        Map<String, TensorType> types = new HashMap<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < so.types.size(); i++) {
            TensorType type = so.types.get(i);
            String name = type == null ? "" : "in" + i;
            names.add(name);
            if (type == null) {
                continue;
            }
            Tensor constant = constants.get(node.node().inputs().get(i));
            if (constant != null && constant.type().equals(type) && isValue(i)) {
                builder.constant(name, constant);
            } else {
                builder.input(name, type);
                types.put(name, type);
            }
        }
        List<String> outputs = new ArrayList<>();
        for (int i = 0; i < node.outputTypes().size(); i++) {
            outputs.add("out" + i);
            builder.output("out" + i);
        }
        Graph graph = builder.node(node.node().op(), names, outputs, so.params).build();
        CheckedGraph checked = Checker.check(
                new CheckRequest(graph, types, Map.of(), new HashMap<>()), catalog, ConstantEvaluator.NONE);
        return checked.findings().isEmpty() && checked.nodes().size() == 1
                ? Optional.of(words.of(checked.nodes().get(0)))
                : Optional.empty();
    }

    private boolean isValue(int input) {
        List<InputDescription> inputs = node.op().inputs();
        return inputs.get(Math.min(input, inputs.size() - 1)).value();
    }
}
