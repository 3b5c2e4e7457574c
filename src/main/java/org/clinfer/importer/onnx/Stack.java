package org.clinfer.importer.onnx;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;

/**
 * The steps of a sequence of which only a run knows how many values it has: one tensor with its values, which are of one
 * shape, along the first axis. One without values may have any other axes.
 */
final class Stack {

    private final OnnxNode node;
    private final OnnxGraphWriter graph;
    private final Steps steps;

    Stack(OnnxNode node, OnnxGraphWriter graph) {
        this.node = node;
        this.graph = graph;
        this.steps = new Steps(node, graph);
    }

    /** The type of a stack of such values; an empty shape also stands for one that the exporter did not know. */
    static KnownType type(KnownType value) {
        return value.withShape(value.shape().filter(known -> known.rank() > 0)).listed();
    }

    /**
     * A sequence as a stack, which it may be already.
     *
     * @param declared what the file says of its values
     * @return the name of the stack
     */
    String of(String sequence, KnownType declared) {
        Optional<List<String>> values = graph.sequence(sequence);
        if (values.isEmpty()) {
            return sequence;
        }
        String stack = values.get().isEmpty()
                ? empty(declared.or(graph.types().of(sequence)))
                : steps.concat(values.get().stream()
                        .map(value -> steps.unsqueezed(value, 0))
                        .toList());
        graph.addStack(stack, KnownType.NOTHING);
        return stack;
    }

    /** No value; its number of axes is that of its type, where the file tells it, else not known: it takes any shape. */
    private String empty(KnownType value) {
        DType dtype =
                value.dtype().orElseThrow(() -> node.unsupportedUse("an empty sequence whose data type is not known"));
        KnownType type = type(value).rankOnly();
        long[] sizes = new long[type.rank().orElse(1)];
        Params zeros = new Params().put("value", 0.0).put("dtype", dtype.label());
        String stack = graph.addStep(node, "ConstantOfShape", List.of(steps.vector(sizes)), zeros);
        graph.types().redeclare(stack, type);
        return stack;
    }

    void at(String stack) {
        String index = steps.add("Reshape", node.input(1), steps.vector());
        steps.last("Gather", new Params().put("axis", 0L), stack, index);
    }

    void length(String stack) {
        steps.last("Identity", steps.size(stack, 0));
    }

    /** With one value more; the empty stack takes its shape. */
    void insert(String stack) {
        String value = node.input(1);
        String count = steps.sizes(stack, 0);
        String front = steps.add("Reshape", new Params().put("allow_zero", true), stack, shape(stack, value, count));
        String added = steps.unsqueezed(value, 0);
        List<String> parts = new ArrayList<>(List.of(front, added));
        if (node.hasInput(2)) {
            String index = insertion(count);
            parts.set(0, steps.slice(front, 0, steps.vector(0), index));
            parts.add(steps.slice(front, 0, index, count));
        }
        give(steps.concat(parts), type(graph.types().of(value)));
    }

    /** The shape of the stack, or of none of such values. */
    private String shape(String stack, String value, String count) {
        String own = steps.slice(steps.shape(stack), 0, 1, Long.MAX_VALUE);
        String other = steps.shape(value);
        String none = steps.cast(steps.add("Equal", count, steps.vector(0)), DType.INT64);
        String start = steps.add("Mul", none, steps.shape(own));
        String end = steps.add("Add", steps.shape(own), steps.add("Mul", none, steps.shape(other)));
        return steps.concat(List.of(count, steps.slice(steps.concat(List.of(own, other)), 0, start, end)));
    }

    /** The index of a new value; a Gather refuses one that there is not. */
    private String insertion(String count) {
        String said = position(2);
        String zero = steps.vector(0);
        String positions = steps.add("Add", count, steps.vector(1));
        String index = steps.add("Where", steps.add("Less", said, zero), steps.add("Add", said, count), said);
        String sound = steps.add("Where", steps.add("Less", index, zero), positions, index);
        return among(positions, sound);
    }

    private String position(int input) {
        return steps.cast(steps.add("Reshape", node.input(input), steps.vector(1)), DType.INT64);
    }

    private String among(String count, String index) {
        String indices = steps.range(steps.add("Reshape", count, steps.vector()), 0);
        return steps.add("Gather", new Params().put("axis", 0L), indices, index);
    }

    void erase(String stack) {
        String count = steps.sizes(stack, 0);
        String index = among(count, node.hasInput(1) ? position(1) : steps.vector(-1));
        String before = steps.slice(stack, 0, steps.vector(0), index);
        String behind = steps.slice(stack, 0, steps.add("Add", index, steps.vector(1)), count);
        give(steps.concat(List.of(before, behind)), graph.types().of(stack).rankOnly());
    }

    /** Its values joined along an axis of theirs, or along a new one. */
    void concat(String stack, long axis, boolean isNew) {
        int along = axis >= 0
                ? Math.toIntExact(Math.min(axis, Integer.MAX_VALUE))
                : Math.toIntExact(Math.max(axis + steps.rank(stack) - (isNew ? 0 : 1), -1));
        String turned = steps.moved(stack, 0, along);
        if (isNew) {
            steps.last("Identity", turned);
            return;
        }
        String shape = steps.shape(turned);
        String joined = steps.add("Mul", steps.sizes(turned, along), steps.sizes(turned, along + 1L));
        List<String> sizes =
                List.of(steps.slice(shape, 0, 0, along), joined, steps.slice(shape, 0, along + 2L, Long.MAX_VALUE));
        steps.last("Reshape", new Params().put("allow_zero", true), turned, steps.concat(sizes));
    }

    /** The slices of an axis, each a value: of the size that the node gives, else of one. */
    void split(long axis, boolean keeps) {
        String x = node.input(0);
        int along = Math.toIntExact(axis < 0 ? axis + steps.rank(x) : axis);
        String parts = keeps ? parts(x, along) : x;
        give(steps.moved(parts, along, 0), KnownType.NOTHING);
    }

    /** With the axis as two: that of the parts, and that within them, which have to be of one size. */
    private String parts(String x, int along) {
        if (!node.hasInput(1)) {
            return steps.unsqueezed(x, along + 1L);
        }
        String each = graph.filled(node.input(1)).map(steps::vector).orElseGet(() -> position(1));
        String shape = steps.shape(x);
        List<String> sizes = List.of(
                steps.slice(shape, 0, 0, along),
                steps.add("Div", steps.sizes(x, along), each),
                each,
                steps.slice(shape, 0, along + 1L, Long.MAX_VALUE));
        return steps.add("Reshape", new Params().put("allow_zero", true), x, steps.concat(sizes));
    }

    private void give(String stack, KnownType type) {
        steps.last("Identity", stack);
        graph.addStack(node.output(), type);
    }
}
