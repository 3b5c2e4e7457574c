package org.clinfer;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;
import org.clinfer.robustness.OnnxModel;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/** A float32 ONNX network in the making, and the numbers that decide what becomes of it. */
final class RandomNetwork {

    static final String INPUT = "x";

    /** Neither a value nor the products of a node are more than this, so that many networks fit into a minute. */
    private static final long MOST_ELEMENTS = 40_000;

    private static final long MOST_PRODUCTS = 4_000_000;

    private static final double NEWEST = 0.7;

    /** How many networks do not say how large their first axis is. */
    private static final double OPEN = 0.25;

    /** A value of the network; its sizes are known. */
    record Value(String name, Shape shape) {

        int rank() {
            return shape.rank();
        }

        long size(int axis) {
            return shape.size(axis);
        }

        long[] sizes() {
            return shape.sizes();
        }

        /** The sizes with another one along an axis. */
        long[] sizesWith(int axis, long size) {
            long[] sizes = sizes();
            sizes[axis] = size;
            return sizes;
        }
    }

    private final OnnxModel model = new OnnxModel().opset(17);
    private final List<Value> values = new ArrayList<>();
    private final Set<String> read = new HashSet<>();
    private final Random random;
    private final String prefix;
    private int names;

    RandomNetwork(Random random, long... sizes) {
        this(random, "", List.of(new Value(INPUT, Shape.of(sizes))));
        long[] declared = sizes.clone();
        if (chance(OPEN)) {
            declared[0] = -1;
        }
        model.input(INPUT, declared);
    }

    private RandomNetwork(Random random, String prefix, List<Value> values) {
        this.random = random;
        this.prefix = prefix;
        this.values.addAll(values);
    }

    /** A branch or body in the making, which may read some values. */
    RandomNetwork inner(Value... given) {
        return new RandomNetwork(random, prefix + "b" + names++ + "_", List.of(given));
    }

    /** The branch or body as an attribute; its outputs are names of values. */
    AttributeProto graph(String attribute, String... outputs) {
        model.graph().clearOutput();
        for (String output : outputs) {
            model.graph().addOutput(ValueInfoProto.newBuilder().setName(output));
        }
        return OnnxModel.subgraph(attribute, model);
    }

    /** An input of a body, of an ONNX element type. */
    void input(String name, int type, long... sizes) {
        model.typed(name, type, sizes);
    }

    /** A name that nothing in the network has. */
    String freshName() {
        return prefix + "v" + names++;
    }

    /** A number from the first to the last. */
    int between(int first, int last) {
        return first + random.nextInt(last - first + 1);
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    @SafeVarargs
    final <T> T one(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    <T> T one(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /** The axes in any order. */
    int[] order(int rank) {
        int[] order = new int[rank];
        for (int i = 0; i < rank; i++) {
            int other = random.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        return order;
    }

    /** A value that is suited, mostly the newest of them. */
    Optional<Value> pick(Predicate<Value> suited) {
        List<Value> found = all(suited);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(chance(NEWEST) ? found.get(found.size() - 1) : one(found));
    }

    List<Value> all(Predicate<Value> suited) {
        return values.stream().filter(suited).toList();
    }

    Value newest() {
        return values.get(values.size() - 1);
    }

    int nodes() {
        return model.graph().getNodeCount();
    }

    /** Whether a value of these sizes, each element a sum of so many products, is small enough. */
    static boolean isSmall(long terms, long... sizes) {
        long elements = LongStream.of(sizes).reduce(1, (a, b) -> a * b);
        return elements <= MOST_ELEMENTS && elements * terms <= MOST_PRODUCTS;
    }

    /** The factor by which a sum of so many products with normally distributed numbers is as large as one of them. */
    static double scale(long terms) {
        return 1 / Math.sqrt((double) terms);
    }

    /** A constant of normally distributed numbers. */
    String weights(double scale, long... sizes) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, sizes);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, scale * random.nextGaussian());
        }
        return constant(OnnxModel.FLOAT, tensor);
    }

    /** A constant of numbers above 0. */
    String positive(long... sizes) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, sizes);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, 0.5 + random.nextDouble());
        }
        return constant(OnnxModel.FLOAT, tensor);
    }

    String scalar(double value) {
        return constant(OnnxModel.FLOAT, Tensor.scalar((float) value));
    }

    String reals(float... values) {
        return constant(OnnxModel.FLOAT, Tensor.of(values, values.length));
    }

    String longs(long... values) {
        return constant(OnnxModel.INT64, Tensor.of(values, values.length));
    }

    private String constant(int type, Tensor tensor) {
        String name = prefix + "c" + names++;
        model.initializer(TensorProto.newBuilder()
                .setName(name)
                .setDataType(type)
                .addAllDims(Arrays.stream(tensor.shape().sizes()).boxed().toList())
                .setRawData(ByteString.copyFrom(tensor.bytes())));
        return name;
    }

    /** A node with one result; names of inputs are separated by commas, of one left out there is nothing. */
    Value node(String op, String inputs, long[] sizes, AttributeProto... attributes) {
        return node(op, inputs, List.of(sizes), attributes).get(0);
    }

    /** A node with a result of each of these sizes. */
    List<Value> node(String op, String inputs, List<long[]> results, AttributeProto... attributes) {
        List<Value> made = results.stream()
                .map(sizes -> new Value(freshName(), Shape.of(sizes)))
                .toList();
        String outputs = String.join(",", made.stream().map(Value::name).toList());
        model.node(op, inputs, outputs, attributes);
        read.addAll(Arrays.asList(inputs.split(",", -1)));
        values.addAll(made);
        return made;
    }

    /** A node whose result is not for others to pick: a condition, or a value of sizes that data decide. */
    String aside(String op, String inputs, AttributeProto... attributes) {
        String output = freshName();
        model.node(op, inputs, output, attributes);
        read.addAll(Arrays.asList(inputs.split(",", -1)));
        return output;
    }

    /** As {@link #aside}, with several results. */
    List<String> several(String op, String inputs, int count, AttributeProto... attributes) {
        List<String> outputs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            outputs.add(freshName());
        }
        model.node(op, inputs, String.join(",", outputs), attributes);
        read.addAll(Arrays.asList(inputs.split(",", -1)));
        return outputs;
    }

    /** Outputs are what nobody reads, and a few of the other values. */
    byte[] model() {
        List<String> outputs = new ArrayList<>();
        for (Value value : values.subList(1, values.size())) {
            if (!read.contains(value.name()) || chance(0.1)) {
                outputs.add(value.name());
            }
        }
        return model(outputs);
    }

    /** The model, with all values as its outputs, in the order of its nodes. */
    byte[] modelOfAllValues() {
        return model(values.subList(1, values.size()).stream().map(Value::name).toList());
    }

    private byte[] model(List<String> outputs) {
        model.graph().clearOutput();
        outputs.forEach(
                name -> model.graph().addOutput(ValueInfoProto.newBuilder().setName(name)));
        return model.bytes();
    }

    /** The operator of the node that makes a value. */
    String operatorOf(String value) {
        return model.graph().getNodeList().stream()
                .filter(node -> node.getOutputList().contains(value))
                .map(node -> node.getOpType() + " " + node.getName())
                .findFirst()
                .orElse("?");
    }

    /** What the network is fed with. */
    Tensor input() {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, values.get(0).sizes());
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, random.nextGaussian());
        }
        return tensor;
    }
}
