package org.clinfer.importer.caffe;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Inference;
import org.clinfer.importer.NamedGraph;
import org.clinfer.importer.Params;
import org.clinfer.importer.Printable;
import org.clinfer.importer.caffe.proto.BlobProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** One layer: what its translator asks and where it adds operators. */
final class LayerCall {

    private final Layer layer;
    private final List<Value> inputs;
    private final NamedGraph graph;
    private final Weights weights;
    private final Inference inference;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Fields> asked = new ArrayList<>();

    LayerCall(Layer layer, List<Value> inputs, NamedGraph graph, Weights weights, Inference inference) {
        this.layer = layer;
        this.inputs = List.copyOf(inputs);
        this.graph = graph;
        this.weights = weights;
        this.inference = inference;
    }

    Layer layer() {
        return layer;
    }

    SourceRef source() {
        return layer.source();
    }

    List<Value> inputs() {
        return inputs;
    }

    /** The inputs, which are so many. */
    List<Value> inputs(int least, int most) {
        if (inputs.size() < least || inputs.size() > most) {
            String wanted = least == most ? String.valueOf(least) : least + " to " + most;
            throw malformed("it takes " + wanted + " bottoms, but is given " + inputs.size());
        }
        return inputs;
    }

    /** The one input. */
    Value input() {
        return inputs(1, 1).get(0);
    }

    /** The layer's own parameters; what nobody asks of them is refused. */
    Fields params(String field) {
        Fields fields = new Fields(layer.block(), source(), "").message(field);
        asked.add(fields);
        return fields;
    }

    /** An axis of a value, counted from 0. */
    int axis(Fields params, String field, int otherwise, int rank) {
        int axis = params.small(field, otherwise);
        int counted = axis < 0 ? axis + rank : axis;
        if (counted < 0 || counted >= rank) {
            throw params.wrong(field, "there is no axis " + axis + " where there are " + rank);
        }
        return counted;
    }

    /** Refuses parameters that no translator asked for. */
    void requireAllRead() {
        for (Fields fields : asked) {
            for (String name : fields.unread()) {
                throw unsupportedUse("'" + Printable.shortened(name) + "'");
            }
        }
        boolean nothingSaid =
                asked.stream().allMatch(fields -> fields.block().fields().isEmpty());
        if (nothingSaid && !asked.isEmpty()) {
            layer.block().fields().keySet().stream()
                    .filter(name -> name.startsWith(BinaryReader.NUMBERED))
                    .filter(name -> Integer.parseInt(name.substring(BinaryReader.NUMBERED.length())) >= FIRST_PARAMETER)
                    .findFirst()
                    .ifPresent(name -> {
                        throw unsupportedUse(name + ", whose meaning only a .prototxt would tell");
                    });
        }
    }

    /** Numbers of fields from which on layers keep parameters of their types. */
    private static final int FIRST_PARAMETER = 100;

    /** The blobs that the weights have for this layer. */
    List<BlobProto> blobs() {
        return weights.of(layer.name());
    }

    /** A trained blob in the shape in which it is needed. */
    Value weight(int number, String name, Shape shape, Filler filler) {
        List<BlobProto> blobs = blobs();
        if (number < blobs.size()) {
            BlobProto blob = blobs.get(number);
            SourceRef from = weights.source(layer, number);
            if (!Arrays.equals(withoutLeadingOnes(Blobs.dims(blob)), withoutLeadingOnes(shape.sizes()))) {
                throw new GraphException(
                        from,
                        "it is " + Printable.shortened(Arrays.toString(Blobs.dims(blob))) + ", but must be "
                                + Arrays.toString(shape.sizes()));
            }
            return constant(name, () -> Blobs.tensor(blob, shape, from));
        }
        requireNoFile(number, filler);
        if (filler.equals(Filler.BILINEAR)) {
            return constant(name, () -> Filler.bilinear(shape));
        }
        return filled(name, shape, filler.value());
    }

    /** A trained blob whose shape depends on sizes that the definition does not tell; only where there are no weights. */
    Value weight(int number, String name, List<Value> sizes, Shape shape, Filler filler) {
        requireNoFile(number, filler);
        return filled(name, sizes, shape, filler.value());
    }

    private void requireNoFile(int number, Filler filler) {
        if (weights.file().isPresent() && !filler.isKnown()) {
            throw malformed(weights.file().get() + " has no blob " + number + " for it");
        }
    }

    /** A weight of one number everywhere; NaN where training alone would tell it, so that no result looks like one. */
    private Value filled(String name, List<Value> sizes, Shape shape, double value) {
        Params params = new Params().put("value", value).put("dtype", DType.FLOAT32.toString());
        Value dims = join(sizes);
        String output = graph.freeName(layer.name() + "/" + name);
        nodes.add(new Node(output, "ConstantOfShape", List.of(dims.name()), List.of(output), params.map(), source()));
        return new Value(output, shape);
    }

    /** A value of one number everywhere. */
    Value filled(String name, Shape shape, double value) {
        if (!Double.isNaN(value) && shape.rank() == 1) {
            return constant(name, () -> NormalizationLayers.filled(shape, value));
        }
        return filled(name, List.of(vector(name + "_shape", shape.sizes())), shape, value);
    }

    /** Files of older versions write four sizes, whatever the number of axes. */
    private static long[] withoutLeadingOnes(long[] dims) {
        return LongStream.of(dims).dropWhile(size -> size == 1).toArray();
    }

    /** The shape that a trained blob has in its file. */
    Shape stored(int number) {
        BlobProto blob = blobs().get(number);
        return Blobs.shape(blob, weights.source(layer, number));
    }

    /** Adds a constant of this layer. */
    Value constant(String name, Supplier<Tensor> tensor) {
        Tensor value = tensor.get();
        return new Value(graph.constant(layer.name() + "/" + name, value), value.type());
    }

    /** A constant of one element. */
    Value number(String name, double value) {
        return constant(name, () -> Tensor.scalar((float) value));
    }

    /** A constant vector of sizes. */
    Value vector(String name, long... values) {
        return constant(name, () -> Tensor.of(values, values.length));
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

    /** Hands the operators on, the last of them under the layer's name. */
    void finish() {
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            boolean named = i < nodes.size() - 1 || node.op().equals("ConstantOfShape");
            graph.node(
                    named
                            ? node
                            : new Node(
                                    layer.name(),
                                    node.op(),
                                    node.inputs(),
                                    node.outputs(),
                                    node.params(),
                                    node.source()));
        }
    }

    /** Gives a value another name, if an operator of this layer makes it. */
    Value renamed(Value value, Supplier<String> name) {
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
        return new Value(wanted, value.type());
    }

    private static List<String> replaced(List<String> names, String from, String to) {
        return names.stream().map(name -> name.equals(from) ? to : name).toList();
    }

    /** A shape that must fit. */
    Shape shape(List<Dim> dims) {
        Shape shape = new Shape(dims);
        if (!new TensorType(DType.FLOAT32, shape).fits()) {
            throw malformed("the shape " + shape + " is too large");
        }
        return shape;
    }

    GraphException malformed(String message) {
        return new GraphException(source(), message);
    }

    /** The layer is translated, but not this use of it: {@code layer Crop with 'pad'}. */
    UnsupportedException unsupportedUse(String use) {
        String feature = "layer " + Printable.shortened(layer.type()) + " with " + use;
        return new UnsupportedException(source(), feature, feature + " is not supported");
    }
}
