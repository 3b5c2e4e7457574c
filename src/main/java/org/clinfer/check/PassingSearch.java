package org.clinfer.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import org.clinfer.describe.InputDescription;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the smallest change of each single parameter, dimension or type with which a node would pass all rules of a
 * profile. Every value it names was checked again by the same rules.
 */
final class PassingSearch {

    /** Changes up to this are all tried; larger ones by doubling, and by halving back from the first that passes. */
    private static final long NEAR = 8;

    private static final long FARTHEST = 1L << 24;

    private final OpCatalog catalog;
    private final ProfileJudge judge;

    PassingSearch(OpCatalog catalog, ProfileJudge judge) {
        this.catalog = catalog;
        this.judge = judge;
    }

    /** A node taken out of its graph. */
    private record Subject(CheckedNode node, Map<String, Attribute> params, List<@Nullable TensorType> types) {

        Subject withParam(String name, Attribute value) {
            Map<String, Attribute> changed = new HashMap<>(params);
            changed.put(name, value);
            return new Subject(node, changed, types);
        }

        Subject withType(int input, TensorType type) {
            List<@Nullable TensorType> changed = new ArrayList<>(types);
            changed.set(input, type);
            return new Subject(node, params, changed);
        }
    }

    /**
     * The changes.
     *
     * @param constants the elements of inputs where they are known, by value name
     */
    List<Finding.PassingValue> of(CheckedNode node, Map<String, Tensor> constants) {
        Map<String, Attribute> params = new HashMap<>();
        node.binding()
                .params()
                .forEach((name, value) ->
                        AttributeValues.attribute(value).ifPresent(attribute -> params.put(name, attribute)));
        Subject subject = new Subject(node, params, node.inputTypes());
        List<Finding.PassingValue> found = new ArrayList<>();
        params.forEach((name, value) -> params(subject, constants, name, value, found));
        for (int i = 0; i < node.inputTypes().size(); i++) {
            TensorType type = node.inputTypes().get(i);
            if (type != null) {
                dims(subject, constants, i, type, found);
            }
        }
        types(subject, constants, found);
        found.sort((a, b) -> a.what().compareTo(b.what()));
        return found;
    }

    private void params(
            Subject subject,
            Map<String, Tensor> constants,
            String name,
            Attribute value,
            List<Finding.PassingValue> found) {
        if (value instanceof Attribute.IntValue number) {
            search(name, number.value(), v -> subject.withParam(name, Attribute.of(v)), constants, found);
        } else if (value instanceof Attribute.ListValue list) {
            for (int i = 0; i < list.values().size(); i++) {
                if (list.values().get(i) instanceof Attribute.IntValue number) {
                    int place = i;
                    search(
                            name + "[" + i + "]",
                            number.value(),
                            v -> subject.withParam(name, changed(list, place, v)),
                            constants,
                            found);
                }
            }
        }
    }

    private static Attribute changed(Attribute.ListValue list, int place, long value) {
        List<Attribute> values = new ArrayList<>(list.values());
        values.set(place, Attribute.of(value));
        return new Attribute.ListValue(values);
    }

    private void dims(
            Subject subject,
            Map<String, Tensor> constants,
            int input,
            TensorType type,
            List<Finding.PassingValue> found) {
        if (!type.shape().isKnown()) {
            return;
        }
        long[] sizes = type.shape().sizes();
        for (int axis = 0; axis < sizes.length; axis++) {
            int place = axis;
            search(
                    name(subject.node, input) + ".dims[" + axis + "]",
                    sizes[axis],
                    v -> subject.withType(input, resized(type, place, v)),
                    constants,
                    found);
        }
    }

    private static TensorType resized(TensorType type, int axis, long size) {
        long[] sizes = type.shape().sizes().clone();
        sizes[axis] = size;
        return new TensorType(type.dtype(), Shape.of(sizes));
    }

    private static String name(CheckedNode node, int input) {
        List<InputDescription> inputs = node.op().inputs();
        int last = inputs.size() - 1;
        String name = inputs.get(Math.min(input, last)).name();
        return inputs.get(last).variadic() && input >= last ? name + "[" + (input - last) + "]" : name;
    }

    /** Another type for all inputs that have the type of the first. */
    private void types(Subject subject, Map<String, Tensor> constants, List<Finding.PassingValue> found) {
        if (subject.types.isEmpty() || subject.types.get(0) == null) {
            return;
        }
        DType from = subject.types.get(0).dtype();
        for (DType to : DType.values()) {
            List<@Nullable TensorType> changed = new ArrayList<>();
            for (TensorType type : subject.types) {
                changed.add(type == null || type.dtype() != from ? type : new TensorType(to, type.shape()));
            }
            if (to != from && passes(new Subject(subject.node, subject.params, changed), constants)) {
                found.add(new Finding.PassingValue(name(subject.node, 0) + ".dtype", from.label(), to.label()));
            }
        }
    }

    private void search(
            String what,
            long from,
            LongFunction<Subject> change,
            Map<String, Tensor> constants,
            List<Finding.PassingValue> found) {
        LongPredicate passes = value -> passes(change.apply(value), constants);
        OptionalLong below = nearest(distances(from), distance -> passes.test(from - distance));
        OptionalLong above = nearest(distances(FARTHEST), distance -> passes.test(from + distance));
        if (below.isPresent() && (above.isEmpty() || below.getAsLong() <= above.getAsLong())) {
            found.add(new Finding.PassingValue(what, Long.toString(from), Long.toString(from - below.getAsLong())));
        } else if (above.isPresent()) {
            found.add(new Finding.PassingValue(what, Long.toString(from), Long.toString(from + above.getAsLong())));
        }
    }

    /** The distances to try first: all that are near, then twice as far each time, at last the farthest two. */
    private static List<Long> distances(long farthest) {
        List<Long> distances = new ArrayList<>();
        for (long distance = 1; distance < farthest - 1; distance = distance < NEAR ? distance + 1 : distance * 2) {
            distances.add(distance);
        }
        for (long distance = Math.max(1, farthest - 1); distance <= farthest; distance++) {
            distances.add(distance);
        }
        return distances;
    }

    /** The first that passes, or one between it and the one before it, beyond which all up to it pass. */
    private static OptionalLong nearest(List<Long> distances, LongPredicate passes) {
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

    /** Whether the node is sound so, and breaks no rule. */
    private boolean passes(Subject subject, Map<String, Tensor> constants) {
        CheckedNode node = subject.node;
        GraphBuilder builder = new GraphBuilder("node", node.node().source());
        Map<String, TensorType> types = new HashMap<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < subject.types.size(); i++) {
            TensorType type = subject.types.get(i);
            String name = type == null ? "" : "in" + i;
            names.add(name);
            if (type == null) {
                continue;
            }
            Tensor constant = constants.get(node.node().inputs().get(i));
            if (constant != null && constant.type().equals(type) && isValue(node, i)) {
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
        Graph graph =
                builder.node(node.node().op(), names, outputs, subject.params).build();
        CheckedGraph checked = Checker.check(
                new CheckRequest(graph, types, Map.of(), new HashMap<>()), catalog, ConstantEvaluator.NONE);
        return checked.findings().isEmpty()
                && !checked.nodes().isEmpty()
                && checked.nodes().stream().allMatch(each -> judge.judge(each).isEmpty());
    }

    private static boolean isValue(CheckedNode node, int input) {
        List<InputDescription> inputs = node.op().inputs();
        return inputs.get(Math.min(input, inputs.size() - 1)).value();
    }
}
