package org.clinfer.importer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.text.Printable;

/** The operators of one layer while they are written, for formats of layers whose values have a type from the start. */
public abstract class LayerNodes {

    private final String type;
    private final String name;
    private final SourceRef source;
    private final NamedGraph graph;
    private final List<Node> nodes = new ArrayList<>();
    private String main = "";

    /**
     * @param type the layer's type
     * @param name the layer's own name
     * @param source where it stands
     */
    protected LayerNodes(String type, String name, SourceRef source, NamedGraph graph) {
        this.type = type;
        this.name = name;
        this.source = source;
        this.graph = graph;
    }

    public final SourceRef source() {
        return source;
    }

    public final String type() {
        return type;
    }

    /** The number of operators of the layers before this one. */
    public final int networkSize() {
        return graph.size();
    }

    /** A constant that other uses of the layer, and other layers, may share; only the first makes it. */
    public final Value shared(String wanted, Supplier<Tensor> value) {
        return graph.shared(wanted, value);
    }

    /** A constant that a caller may supply instead, under a name of its own. */
    protected final Value defaultInput(String wanted, Tensor value) {
        return defaultInput(wanted, value, value.type());
    }

    /** The same of a type whose sizes may be open. */
    protected final Value defaultInput(String wanted, Tensor value, TensorType type) {
        return graph.defaultInput(wanted, value, type);
    }

    /** Adds a constant of this layer. */
    public final Value constant(String what, Tensor value) {
        return new Value(graph.constant(name + "/" + what, value), value.type());
    }

    /** A constant of one element. */
    public final Value number(String what, double value) {
        return constant(what, Tensor.scalar((float) value));
    }

    /** A constant vector of sizes. */
    public final Value vector(String what, long... values) {
        return constant(what, Tensor.of(values, values.length));
    }

    /** The sizes of a value along some of its axes, as a vector. */
    public final Value sizes(Value x, int from, int to) {
        return add("Shape", List.of(x), new Params().put("start", (long) from).put("end", (long) to));
    }

    /** The elements in the shape of another value, at whatever size the network is run. */
    public final Value reshapedLike(Value x, Value other) {
        return add("Reshape", List.of(x, add("Shape", other)), new Params(), other.shape());
    }

    /** Vectors one after another. */
    public final Value join(List<Value> vectors) {
        return vectors.size() == 1 ? vectors.get(0) : add("Concat", vectors, new Params().put("axis", 0L));
    }

    /** Adds an operator of one output. */
    public final Value add(String op, List<Value> operands, Params params) {
        return addAll(op, operands, params, 1).get(0);
    }

    /** Adds an operator of one output with no parameters. */
    public final Value add(String op, Value... operands) {
        return add(op, List.of(operands), new Params());
    }

    /** Adds an operator of one output. */
    public final Value add(String op, Params params, Value... operands) {
        return add(op, List.of(operands), params);
    }

    /** Adds an operator; what it makes of untyped values is untyped. */
    public final List<Value> addAll(String op, List<Value> operands, Params params, int count) {
        Node node = node(op, operands, params, count);
        if (!operands.stream().allMatch(Value::isTyped)) {
            return node.outputs().stream().map(Value::untyped).toList();
        }
        List<TensorType> types = graph.types(node, operands);
        List<Value> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(new Value(node.outputs().get(i), types.get(i)));
        }
        return values;
    }

    /**
     * Adds an operator whose output depends on elements that are only known later; its shape at the declared sizes is given. Its
     * elements are of the type of the first operand.
     */
    public final Value add(String op, List<Value> operands, Params params, Shape shape) {
        return add(op, operands, params, new TensorType(operands.get(0).type().dtype(), shape));
    }

    /** Adds an operator whose output is of a type that is given. */
    public final Value add(String op, List<Value> operands, Params params, TensorType given) {
        return new Value(node(op, operands, params, 1).outputs().get(0), given);
    }

    /** Adds a weight of one number everywhere; NaN where a file that is not there would tell it. */
    public final Value weight(String what, Value sizes, TensorType given, double value) {
        Params params =
                new Params().put("value", value).put("dtype", given.dtype().toString());
        String output = graph.freeName(name + "/" + what);
        nodes.add(new Node(output, "ConstantOfShape", List.of(sizes.name()), List.of(output), params.map(), source));
        return new Value(output, given);
    }

    /** The type that the last operator gives by its description; empty where elements decide it that are not known. */
    protected final Optional<TensorType> describedType(List<Value> operands) {
        try {
            Node last = nodes.get(nodes.size() - 1);
            return graph.types(last, operands).stream().findFirst();
        } catch (GraphException unknown) {
            return Optional.empty();
        }
    }

    private Node node(String op, List<Value> operands, Params params, int count) {
        List<String> outputs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            outputs.add(graph.freeName(name + "/" + op));
        }
        Node node = new Node(
                name + "/" + op, op, operands.stream().map(Value::name).toList(), outputs, params.map(), source);
        nodes.add(node);
        return node;
    }

    /** The operator that gives this value is the layer's own, and has its name; where none is, the last one has. */
    public final void main(Value value) {
        main = value.name();
    }

    /** Gives a value another name, if an operator of this layer makes it. */
    public final Value renamed(Value value, Supplier<String> name) {
        boolean own = nodes.stream().anyMatch(node -> node.outputs().contains(value.name()));
        if (!own) {
            return value;
        }
        String wanted = name.get();
        nodes.replaceAll(node -> new Node(
                node.name(),
                node.op(),
                replaced(node.inputs(), value.name(), wanted),
                replaced(node.outputs(), value.name(), wanted),
                node.params(),
                node.source()));
        main = main.equals(value.name()) ? wanted : main;
        return new Value(wanted, value.type());
    }

    private static List<String> replaced(List<String> names, String from, String to) {
        return names.stream().map(name -> name.equals(from) ? to : name).toList();
    }

    /** Hands the operators on, one of them under the layer's name. */
    public final void finish() {
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            boolean own =
                    main.isEmpty() ? i == nodes.size() - 1 : node.outputs().contains(main);
            boolean keeps = !own || node.op().equals("ConstantOfShape");
            graph.node(
                    keeps
                            ? node
                            : new Node(name, node.op(), node.inputs(), node.outputs(), node.params(), node.source()));
        }
    }

    /** Hands the operators on under names of their own, because another node is the layer. */
    public final void finishBeside() {
        nodes.forEach(graph::node);
    }

    /** Refuses a condition that is not one bool. */
    public final Value requireTruth(Value condition) {
        boolean isOne = condition.shape().dims().stream().allMatch(Dim.of(1)::equals);
        if (condition.type().dtype() != DType.BOOL || !isOne) {
            throw malformed("its condition must be one bool, but is " + condition.type());
        }
        return condition;
    }

    public final GraphException malformed(String message) {
        return new GraphException(source, message);
    }

    /** The layer is translated, but not this use of it: {@code layer Crop with 'pad'}. */
    public final UnsupportedException unsupportedUse(String use) {
        String feature = "layer " + Printable.shortened(type) + " with " + use;
        return new UnsupportedException(source, feature, feature + " is not supported");
    }

    /**
     * {@return the refusal of a use that takes a sentence to explain}
     *
     * @param use what it is, short enough for a list
     * @param reason the sentence
     */
    public final UnsupportedException unsupportedUse(String use, String reason) {
        return new UnsupportedException(source, "layer " + Printable.shortened(type) + " with " + use, reason);
    }
}
