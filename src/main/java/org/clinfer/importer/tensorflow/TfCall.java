package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.Integers;
import org.clinfer.importer.KnownType;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** A node with the values that it reads: what its translator asks, and where it writes operators and gives outputs. */
final class TfCall {

    /** The reason why an operator cannot be used whose input says nothing about its axes. */
    static final String UNKNOWN_RANK = "an input whose number of axes is not known";

    /** Outputs of one node at most. */
    private static final long MOST_OUTPUTS = 65_536;

    private final TfNode node;
    private final List<TfValue> inputs;
    private final TfGraphWriter graph;
    private final Map<Ref, TfValue> translated;
    private final Map<Integer, TfValue> outputs = new HashMap<>();

    /** @param translated the values of all nodes before this one */
    TfCall(TfNode node, List<TfValue> inputs, TfGraphWriter graph, Map<Ref, TfValue> translated) {
        this.node = node;
        this.inputs = inputs;
        this.graph = graph;
        this.translated = translated;
    }

    /** A call of another node with other inputs, whose outputs nobody gets. */
    TfCall as(TfNode other, List<TfValue> otherInputs) {
        return new TfCall(other, otherInputs, graph, translated);
    }

    /** The value of a node before this one. */
    Optional<TfValue> translated(Ref ref) {
        return Optional.ofNullable(translated.get(ref)).filter(value -> !value.equals(TfValue.DEAD));
    }

    TfNode node() {
        return node;
    }

    TfGraphWriter graph() {
        return graph;
    }

    List<TfValue> inputs() {
        return inputs;
    }

    Map<Integer, TfValue> outputs() {
        return outputs;
    }

    TfValue input(int index) {
        if (index >= inputs.size()) {
            throw malformed("input " + index + " is missing");
        }
        return inputs.get(index);
    }

    /** An input in TensorFlow's order of axes, as a name of ours. */
    String plain(int index) {
        return plain(input(index));
    }

    String plain(TfValue value) {
        return graph.plain(value, node);
    }

    /** A value with the channels second, as a name of ours. */
    String second(TfValue value) {
        return graph.second(value, node);
    }

    /** An input that must have so many axes where that is known. */
    TfValue input(int index, int rank) {
        TfValue value = input(index);
        if (value.shape().isPresent() && !value.hasRank(rank)) {
            throw malformed("input " + index + " must have " + rank + " axes, but has "
                    + value.rank().orElseThrow());
        }
        if (value.shape().isEmpty()) {
            graph.declare(value.stored(), KnownType.anyShape(rank));
        }
        return graph.value(value.name(), value.stored(), value.second());
    }

    /** The data type of a value of the operator's main type. */
    DType dtype(TfValue value) {
        return value.dtype()
                .or(() -> node.singleType("T").flatMap(TfElementTypes::find))
                .orElseThrow(() -> unsupportedUse("an input whose data type is not known"));
    }

    /** A value of ours in a data type. */
    String cast(String value, DType to) {
        boolean already = graph.type(value).dtype().equals(Optional.of(to));
        return already ? value : step("Cast", List.of(value), new Params().put("to", to.label()));
    }

    int rank(TfValue value) {
        return value.rank().orElseThrow(() -> unsupportedUse(UNKNOWN_RANK));
    }

    /** The tensor of an input that is known beforehand. */
    Optional<Tensor> constant(int index) {
        return graph.constant(input(index));
    }

    /** The integers of an input, if they are known beforehand. */
    Optional<long[]> integers(int index) {
        return graph.integers(input(index)).flatMap(Integers::all);
    }

    /** The integers of an input, which must be known beforehand. */
    long[] requiredIntegers(int index, String what) {
        return integers(index).orElseThrow(() -> unsupportedUse("a computed " + what));
    }

    /** The one integer of an input, which must be known beforehand. */
    long requiredInteger(int index, String what) {
        long[] values = requiredIntegers(index, what);
        if (values.length != 1) {
            throw malformed("its " + what + " must be one number, but is " + Arrays.toString(values));
        }
        return values[0];
    }

    /** An axis counted from the front. */
    int axis(long axis, int rank) {
        long positive = axis < 0 ? axis + rank : axis;
        if (positive < 0 || positive >= rank) {
            throw malformed("axis " + axis + " does not fit " + rank + " axes");
        }
        return (int) positive;
    }

    long[] axes(long[] axes, int rank) {
        return Arrays.stream(axes).map(each -> axis(each, rank)).toArray();
    }

    /** A number of outputs that the file gives. */
    int count(long count) {
        if (count < 1 || count > MOST_OUTPUTS) {
            throw malformed("it has " + count + " outputs");
        }
        return (int) count;
    }

    /** Adds a constant of this node, as a name of ours. */
    String constant(String what, Tensor tensor) {
        return graph.constant(graph.freshName(node.name() + "/" + what), tensor).name();
    }

    String constant(long... values) {
        return constant("sizes", Tensor.of(values, values.length));
    }

    String scalar(DType dtype, double value) {
        Tensor tensor = Tensor.allocate(dtype);
        tensor.setDouble(0, value);
        return constant("number", tensor);
    }

    /** Adds an operator whose output is an inner value; its name. */
    String step(String op, List<String> operands, Params params) {
        String output = graph.freshName(node.name() + "/" + op);
        add(node.name() + "/" + op, op, operands, List.of(output), params);
        return output;
    }

    /** Adds an operator without parameters whose output is an inner value; its name. */
    String step(String op, String... operands) {
        return step(op, List.of(operands), new Params());
    }

    /** Adds an operator of several outputs, all inner values; their names. */
    List<String> steps(String op, List<String> operands, Params params, int count) {
        List<String> results = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            results.add(graph.freshName(node.name() + "/" + op));
        }
        add(node.name() + "/" + op, op, operands, results, params);
        return results;
    }

    private void add(String name, String op, List<String> operands, List<String> results, Params params) {
        graph.node(new Node(name, op, trimmed(operands), results, params.map(), node.source()));
    }

    private static List<String> trimmed(List<String> names) {
        int size = names.size();
        while (size > 0 && names.get(size - 1).isEmpty()) {
            size--;
        }
        return names.subList(0, size);
    }

    /** Adds the operator without parameters that gives the node's first output, in TensorFlow's order of axes. */
    TfValue give(String op, String... operands) {
        return give(op, List.of(operands), new Params());
    }

    /** Adds the operator that gives the node's first output, in TensorFlow's order of axes. */
    TfValue give(String op, List<String> operands, Params params) {
        return give(op, operands, params, false);
    }

    /** Adds the operator that gives the node's first output, with the channels second or last. */
    TfValue give(String op, List<String> operands, Params params, boolean second) {
        return give(0, op, operands, params, second);
    }

    /** Adds the operator that gives one of the node's outputs. */
    TfValue give(int port, String op, List<String> operands, Params params, boolean second) {
        String stored = stored(port, second);
        add(port == 0 ? node.name() : node.name() + "/" + port, op, operands, List.of(stored), params);
        return give(port, stored, second);
    }

    /** Adds the operator that gives all outputs. */
    void giveAll(String op, List<String> operands, Params params, int count, boolean second) {
        List<String> names =
                IntStream.range(0, count).mapToObj(port -> stored(port, second)).toList();
        add(node.name(), op, operands, names, params);
        IntStream.range(0, count).forEach(port -> give(port, names.get(port), second));
    }

    private String stored(int port, boolean second) {
        String name = new Ref(node.name(), port).toString();
        return second ? graph.freshName(name) : name;
    }

    /** A value with the channels second has as many axes as an input, even in a use that the check refuses. */
    private TfValue give(int port, String stored, boolean second) {
        if (second && graph.type(stored).shape().isEmpty()) {
            int rank = inputs.stream()
                    .mapToInt(input -> graph.type(input.stored()).rank().orElse(0))
                    .max()
                    .orElse(0);
            graph.declare(stored, KnownType.anyShape(rank));
        }
        return give(port, graph.value(new Ref(node.name(), port).toString(), stored, second));
    }

    /** States the shape of the first output, in TensorFlow's order of axes, where no description tells it. */
    void declare(TfValue value, Shape shape) {
        graph.declare(
                value.stored(),
                value.second() ? ChannelAxes.ordered(shape, ChannelAxes.toSecond(shape.rank())) : shape);
        give(0, graph.value(value.name(), value.stored(), value.second()));
    }

    /** Makes a value that exists already an output of the node. */
    TfValue give(int port, TfValue value) {
        outputs.put(port, value);
        return value;
    }

    OptionalInt commonRank(List<TfValue> values) {
        return values.stream()
                .flatMap(value -> value.shape().stream())
                .mapToInt(Shape::rank)
                .max();
    }

    GraphException malformed(String message) {
        return node.malformed(message);
    }

    UnsupportedException unsupportedUse(String use) {
        return node.unsupportedUse(use);
    }
}
