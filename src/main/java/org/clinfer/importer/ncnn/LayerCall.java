package org.clinfer.importer.ncnn;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Inference;
import org.clinfer.importer.NamedGraph;
import org.clinfer.importer.Params;
import org.clinfer.importer.Printable;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** One layer: what its translator asks and where it adds operators. */
final class LayerCall {

    /** A definition alone, which may say anything, takes no more memory than for so many numbers at once. */
    static final long MOST_FILLED = 1L << 22;

    private final Layer layer;
    private final LayerParams params;
    private final List<Value> inputs;
    private final NamedGraph graph;
    private final Weights weights;
    private final Inference inference;
    private final List<Node> nodes = new ArrayList<>();
    private String main = "";

    LayerCall(Layer layer, List<Value> inputs, NamedGraph graph, Weights weights, Inference inference) {
        this.layer = layer;
        this.params = new LayerParams(layer);
        this.inputs = List.copyOf(inputs);
        this.graph = graph;
        this.weights = weights;
        this.inference = inference;
    }

    SourceRef source() {
        return layer.source();
    }

    String type() {
        return layer.type();
    }

    LayerParams params() {
        return params;
    }

    /** How many blobs it gives. */
    int outputs() {
        return layer.outputs().size();
    }

    /** The inputs, which are so many. */
    List<Value> inputs(int least, int most) {
        if (inputs.size() < least || inputs.size() > most) {
            String wanted = least == most ? String.valueOf(least) : least + " to " + most;
            throw malformed("it takes " + wanted + " blobs, but is given " + inputs.size());
        }
        return inputs;
    }

    /** The one input. */
    Value input() {
        return inputs(1, 1).get(0);
    }

    /** The one input, which is (c, h, w). */
    Value picture() {
        return picture(input());
    }

    Value picture(Value x) {
        if (x.dims() != 3) {
            throw unsupportedUse("a blob of " + x.dims() + " axes instead of (c, h, w)");
        }
        return x;
    }

    /** The axis of a value for an axis of its blob, which may be negative. */
    int axis(int id, int axis, Value x) {
        int counted = axis < 0 ? axis + x.dims() : axis;
        if (counted < 0 || counted >= x.dims()) {
            throw params.wrong(id, "there is no axis " + axis + " where there are " + x.dims());
        }
        return counted + 1;
    }

    /** Refuses parameters that no translator asked for. */
    void requireAllRead() {
        for (int id : params.unread()) {
            throw unsupportedUse("parameter " + id + "=" + shown(id));
        }
    }

    private String shown(int id) {
        Layer.Param param = layer.params().get(id);
        return param == null ? "" : Printable.shortened(String.join(",", param.words()));
    }

    /** The next weights of the file, in a shape. */
    Value weight(String name, Weights.Kind kind, Shape shape) {
        return weight(name, kind, shape, shape, UnaryOperator.identity());
    }

    /**
     * The next weights of the file, which are needed in another order.
     *
     * @param stored the shape in the file
     * @param needed the shape of what {@code change} gives
     */
    Value weight(String name, Weights.Kind kind, Shape stored, Shape needed, UnaryOperator<Tensor> change) {
        if (weights.exist()) {
            return constant(name, change.apply(weights.next(stored, kind, source())));
        }
        Value sizes = vector(name + "_shape", needed.sizes());
        Params unknown = new Params().put("value", Double.NaN).put("dtype", DType.FLOAT32.toString());
        String output = graph.freeName(layer.name() + "/" + name);
        nodes.add(new Node(output, "ConstantOfShape", List.of(sizes.name()), List.of(output), unknown.map(), source()));
        return new Value(output, needed);
    }

    /** A shape that must fit. */
    Shape shape(long... sizes) {
        for (long size : sizes) {
            if (size < 1) {
                throw malformed("its weights would have a side of " + size);
            }
        }
        Shape shape = Shape.of(sizes);
        if (!new TensorType(DType.FLOAT32, shape).fits()) {
            throw malformed("the shape " + shape + " is too large");
        }
        return shape;
    }

    /** Adds a constant of this layer. */
    Value constant(String name, Tensor value) {
        return new Value(graph.constant(layer.name() + "/" + name, value), value.type());
    }

    /** A constant of one element. */
    Value number(String name, double value) {
        return constant(name, Tensor.scalar((float) value));
    }

    /** A constant of one number for each of some channels. */
    Value filled(String name, long count, double value) {
        if (count > MOST_FILLED) {
            throw malformed("it has " + count + " channels, more than the " + MOST_FILLED + " that there may be");
        }
        Tensor tensor = Tensor.allocate(DType.FLOAT32, shape(count).sizes());
        for (long i = 0; i < count; i++) {
            tensor.setDouble(i, value);
        }
        return constant(name, tensor);
    }

    /** A constant vector of sizes. */
    Value vector(String name, long... values) {
        return constant(name, Tensor.of(values, values.length));
    }

    /** The sizes of a value along some of its axes, as a vector. */
    Value sizes(Value x, int from, int to) {
        return add("Shape", List.of(x), new Params().put("start", (long) from).put("end", (long) to));
    }

    /** Vectors one after another. */
    Value join(List<Value> vectors) {
        return vectors.size() == 1 ? vectors.get(0) : add("Concat", vectors, new Params().put("axis", 0L));
    }

    /** Adds an operator of one output. */
    Value add(String op, List<Value> operands, Params params) {
        return addAll(op, operands, params, 1).get(0);
    }

    /** Adds an operator of one output with no parameters. */
    Value add(String op, Value... operands) {
        return add(op, List.of(operands), new Params());
    }

    /** Adds an operator. */
    List<Value> addAll(String op, List<Value> operands, Params params, int count) {
        Node node = node(op, operands, params, count);
        List<TensorType> types =
                inference.types(node, operands.stream().map(Value::type).toList(), graph.constants());
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
    Value add(String op, List<Value> operands, Params params, Shape shape) {
        TensorType type = new TensorType(operands.get(0).type().dtype(), shape);
        return new Value(node(op, operands, params, 1).outputs().get(0), type);
    }

    private Node node(String op, List<Value> operands, Params params, int count) {
        List<String> outputs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            outputs.add(graph.freeName(layer.name() + "/" + op));
        }
        Node node = new Node(
                layer.name() + "/" + op,
                op,
                operands.stream().map(Value::name).toList(),
                outputs,
                params.map(),
                source());
        nodes.add(node);
        return node;
    }

    /** The operator that gives this value is the layer's own, and has its name; where none is, the last one has. */
    void main(Value value) {
        main = value.name();
    }

    /** Hands the operators on, with the names of blobs for what the layer gives. */
    List<Value> finish(List<Value> results) {
        List<Value> named = new ArrayList<>(results);
        for (int i = 0; i < results.size(); i++) {
            named.set(i, renamed(results.get(i), layer.outputs().get(i)));
        }
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            boolean own =
                    main.isEmpty() ? i == nodes.size() - 1 : node.outputs().contains(main);
            boolean keeps = !own || node.op().equals("ConstantOfShape");
            graph.node(
                    keeps
                            ? node
                            : new Node(
                                    layer.name(),
                                    node.op(),
                                    node.inputs(),
                                    node.outputs(),
                                    node.params(),
                                    node.source()));
        }
        return named;
    }

    /** Gives a value another name, if an operator of this layer makes it. */
    private Value renamed(Value value, String wanted) {
        boolean own = nodes.stream().anyMatch(node -> node.outputs().contains(value.name()));
        if (!own) {
            return value;
        }
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

    GraphException malformed(String message) {
        return new GraphException(source(), message);
    }

    /** The layer is translated, but not this use of it: {@code layer Crop with parameter 19=…}. */
    UnsupportedException unsupportedUse(String use) {
        String feature = "layer " + Printable.shortened(layer.type()) + " with " + use;
        return new UnsupportedException(source(), feature, feature + " is not supported");
    }
}
