package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * Sequences and optional values. A sequence is a list of values while a model is imported, of which no node is left, as long
 * as it is known then how many it has; otherwise it is a {@link Stack}. An optional value is what it holds.
 */
final class SequenceTranslators {

    /** A sequence of more values is no sequence that somebody wrote out. */
    static final int MOST = 10_000;

    private SequenceTranslators() {}

    static Map<String, OnnxTranslator> all() {
        Map<String, OnnxTranslator> all = new HashMap<>();
        all.put("SequenceEmpty", SequenceTranslators::empty);
        all.put("SequenceConstruct", SequenceTranslators::construct);
        all.put("SequenceInsert", SequenceTranslators::insert);
        all.put("SequenceErase", SequenceTranslators::erase);
        all.put("SequenceAt", SequenceTranslators::at);
        all.put("SequenceLength", SequenceTranslators::length);
        all.put("SplitToSequence", SequenceTranslators::split);
        all.put("ConcatFromSequence", SequenceTranslators::concat);
        all.put("Identity", SequenceTranslators::identity);
        all.put("Optional", SequenceTranslators::optional);
        all.put("OptionalGetElement", SequenceTranslators::element);
        all.put("OptionalHasElement", SequenceTranslators::hasElement);
        return all;
    }

    /** {@return whether an operator takes sequences} */
    static boolean takes(OnnxNode node) {
        return node.isStandard() && (ControlFlowTranslation.has(node) || all().containsKey(node.op()));
    }

    private static List<String> sequence(OnnxNode node, OnnxGraphWriter graph, int input) {
        return graph.sequence(node.input(input))
                .orElseThrow(() -> node.malformed("its first input must be a sequence"));
    }

    /**
     * {@return whether it is known which values the node has before it, and which one it means, if the input of that
     * is given}
     */
    private static boolean isList(OnnxNode node, OnnxGraphWriter graph, int position) {
        boolean isKnown =
                !node.hasInput(position) || graph.element(node.input(position)).isPresent();
        return isKnown && !graph.isStack(node.input(0));
    }

    private static void stack(OnnxNode node, OnnxGraphWriter graph, BiConsumer<Stack, String> step) {
        if (!graph.isSequence(node.input(0))) {
            throw node.malformed("its first input must be a sequence");
        }
        Stack stack = new Stack(node, graph);
        step.accept(stack, stack.of(node.input(0), KnownType.NOTHING));
    }

    private static void empty(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(0, 0);
        int dtype = (int) node.integer("dtype", OnnxElementTypes.number(DType.FLOAT32));
        graph.addSequence(node.output(), List.of());
        graph.types().declare(node.output(), new KnownType(OnnxElementTypes.find(dtype), Optional.empty()));
    }

    private static void construct(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, MOST);
        graph.addSequence(node.output(), node.inputs());
    }

    private static void insert(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 3);
        Optional<Long> joined = graph.joined(node.input(0));
        if (joined.isPresent()) {
            JoinedSequences.insert(node, graph, joined.get());
            return;
        }
        if (!isList(node, graph, 2)) {
            stack(node, graph, Stack::insert);
            return;
        }
        List<String> values = new ArrayList<>(sequence(node, graph, 0));
        if (values.size() >= MOST) {
            throw node.unsupportedUse("more than " + MOST + " values");
        }
        values.add(position(node, graph, values.size(), values.size()), node.input(1));
        graph.addSequence(node.output(), values);
    }

    private static void erase(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 2);
        if (!isList(node, graph, 1)) {
            stack(node, graph, Stack::erase);
            return;
        }
        List<String> values = new ArrayList<>(sequence(node, graph, 0));
        values.remove(position(node, graph, values.size() - 1, values.size() - 1));
        graph.addSequence(node.output(), values);
    }

    /** The position that the last input says, counted from the end where it is negative. */
    private static int position(OnnxNode node, OnnxGraphWriter graph, int last, int otherwise) {
        int input = node.op().equals("SequenceInsert") ? 2 : 1;
        if (!node.hasInput(input)) {
            return within(node, otherwise, last);
        }
        long said = graph.element(node.input(input)).orElseThrow();
        int length = node.op().equals("SequenceInsert") ? last : last + 1;
        return within(node, said < 0 ? said + length : said, last);
    }

    private static int within(OnnxNode node, long position, int last) {
        if (position < 0 || position > last) {
            throw node.malformed("its sequence has no position " + position);
        }
        return (int) position;
    }

    /** One value; where its position is not known beforehand, one of all of them, which must be alike then. */
    private static void at(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(2, 2);
        if (!isList(node, graph, 1)) {
            stack(node, graph, Stack::at);
            return;
        }
        List<String> values = sequence(node, graph, 0);
        graph.addSame(node, values.get(position(node, graph, values.size() - 1, 0)), node.output());
    }

    private static void length(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        if (graph.isStack(node.input(0))) {
            stack(node, graph, Stack::length);
            return;
        }
        graph.addConstant(
                node.output(), Tensor.scalar((long) sequence(node, graph, 0).size()));
    }

    private static void split(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 2);
        long axis = node.integer("axis", 0);
        boolean keeps = node.flag("keepdims", true) || node.hasInput(1);
        if (isCutOpen(node, graph, axis)) {
            boolean isOfOnes = !node.hasInput(1)
                    || graph.element(node.input(1))
                                    .or(() -> graph.filled(node.input(1)))
                                    .orElse(0L)
                            == 1;
            if (graph.leavesToRuns() && !isOfOnes) {
                throw node.unsupportedUse("parts of which only a run knows the sizes");
            }
            new Stack(node, graph).split(axis, keeps);
            return;
        }
        Steps steps = new Steps(node, graph);
        Optional<Long> parts =
                node.hasInput(1) ? graph.types().of(node.input(1)).size(0) : Optional.empty();
        if (parts.isPresent() && graph.elements(node.input(1)).isEmpty()) {
            graph.addSequence(node.output(), slices(node, steps, axis, parts.get()));
            return;
        }
        List<String> slices = new ArrayList<>();
        long start = 0;
        for (long size : sizes(node, graph, axis)) {
            String part = steps.slice(node.input(0), axis, start, start + size);
            slices.add(keeps ? part : steps.add("Squeeze", new Params().put("axis", new long[] {axis}), part));
            start += size;
        }
        graph.addSequence(node.output(), slices);
    }

    /** {@return whether an axis is cut into slices of one size, but only a run knows how many} */
    private static boolean isCutOpen(OnnxNode node, OnnxGraphWriter graph, long axis) {
        if (!node.hasInput(1)) {
            return sizeOf(node, graph, axis).isEmpty();
        }
        KnownType split = graph.types().of(node.input(1));
        if (graph.filled(node.input(1)).isPresent() && split.size(0).isEmpty()) {
            return true;
        }
        boolean one = split.rank().orElse(1) == 0;
        boolean known = graph.element(node.input(1)).isPresent()
                && sizeOf(node, graph, axis).isPresent();
        return one && !known;
    }

    private static Optional<Long> sizeOf(OnnxNode node, OnnxGraphWriter graph, long axis) {
        KnownType x = graph.types().of(node.input(0));
        long rank = x.rank().orElse(0);
        return Optional.of(axis < 0 ? axis + rank : axis)
                .filter(along -> along >= 0 && along < rank)
                .flatMap(along -> x.size(along.intValue()));
    }

    /** So many parts of sizes that a run knows. */
    private static List<String> slices(OnnxNode node, Steps steps, long axis, long count) {
        if (count > MOST) {
            throw node.unsupportedUse("more than " + MOST + " values");
        }
        String sizes = steps.cast(node.input(1), DType.INT64);
        String ends = steps.add("CumSum", sizes, steps.whole(0));
        String starts = steps.add("Sub", ends, sizes);
        List<String> parts = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            Params first = new Params().put("axis", 0L);
            String start = steps.add("Gather", first, starts, steps.vector(i));
            String end = steps.add("Gather", new Params().put("axis", 0L), ends, steps.vector(i));
            parts.add(steps.slice(node.input(0), axis, start, end));
        }
        return parts;
    }

    /** The sizes of the parts: those that are said, else as many of one size as there are, with a smaller one at the end. */
    private static long[] sizes(OnnxNode node, OnnxGraphWriter graph, long axis) {
        KnownType split = node.hasInput(1) ? graph.types().of(node.input(1)) : KnownType.NOTHING;
        Optional<long[]> said = node.hasInput(1) ? graph.elements(node.input(1)) : Optional.of(new long[] {1});
        if (said.isEmpty()) {
            throw node.unsupportedUse("sizes that are not known beforehand");
        }
        if (split.rank().orElse(0) == 1) {
            return said.get();
        }
        long all = sizeOf(node, graph, axis).orElseThrow();
        long each = said.get()[0];
        if (each < 1 || all / each >= MOST) {
            throw node.malformed("parts of " + each + " of an axis of " + all);
        }
        long[] sizes = new long[Math.toIntExact((all + each - 1) / each)];
        Arrays.fill(sizes, each);
        if (all % each != 0) {
            sizes[sizes.length - 1] = all % each;
        }
        return sizes;
    }

    private static void concat(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        long axis = node.integer("axis");
        boolean isNew = node.flag("new_axis", false);
        if (graph.joined(node.input(0)).isPresent()) {
            graph.addSame(node, node.input(0), node.output());
            return;
        }
        if (graph.isStack(node.input(0))) {
            stack(node, graph, (stack, sequence) -> stack.concat(sequence, axis, isNew));
            return;
        }
        List<String> values = sequence(node, graph, 0);
        if (values.isEmpty()) {
            throw node.malformed("its sequence is empty");
        }
        Steps steps = new Steps(node, graph);
        List<String> parts = isNew
                ? values.stream().map(value -> steps.unsqueezed(value, axis)).toList()
                : values;
        graph.add(node, "Concat", parts, new Params().put("axis", axis));
    }

    private static void identity(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(1, 1);
        node.ignore("consumed_inputs");
        graph.addSame(node, node.input(0), node.output());
    }

    private static void optional(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(0, 1);
        node.ignore("type");
        if (node.hasInput(0)) {
            identity(node, graph);
        } else {
            graph.addNothing(node.output());
        }
    }

    private static void element(OnnxNode node, OnnxGraphWriter graph) {
        if (graph.isNothing(node.input(0))) {
            throw node.malformed("its optional value holds nothing");
        }
        identity(node, graph);
    }

    private static void hasElement(OnnxNode node, OnnxGraphWriter graph) {
        node.requireInputs(0, 1);
        boolean has = node.hasInput(0) && !graph.isNothing(node.input(0));
        Tensor truth = Tensor.allocate(DType.BOOL);
        truth.setLong(0, has ? 1 : 0);
        graph.addConstant(node.output(), truth);
    }
}
