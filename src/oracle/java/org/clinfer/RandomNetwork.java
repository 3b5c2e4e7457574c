package org.clinfer;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.OperatorSetIdProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;
import org.clinfer.robustness.OnnxModel;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/**
 * An ONNX network in the making, and the numbers that decide what becomes of it. Its steps speak of real numbers; an
 * exporter may write them in float16 or in codes.
 */
final class RandomNetwork {

    static final String INPUT = "x";

    /** Neither a value nor the products of a node are more than this, so that many networks fit into a minute. */
    private static final long MOST_ELEMENTS = 40_000;

    private static final long MOST_PRODUCTS = 4_000_000;

    private static final double NEWEST = 0.7;

    /** How many networks do not say how large their first axis is. */
    private static final double OPEN = 0.25;

    /** The domain of ONNX Runtime's own operators, and those that exporters write. */
    private static final String RUNTIME_DOMAIN = "com.microsoft";

    private static final Set<String> RUNTIME_OPERATORS =
            Set.of("QLinearAdd", "QLinearMul", "QLinearSigmoid", "QLinearGlobalAveragePool", "QGemm");

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
    private final Map<String, Tensor> constants = new HashMap<>();
    private final Set<String> demanded = new LinkedHashSet<>();
    private final RandomPieces pieces = new RandomPieces();
    private final Random random;
    private final RandomExporter exporter;
    private final String prefix;
    private int names;

    RandomNetwork(Random random, long... sizes) {
        this(random, new RandomExporter.Plain(), sizes);
    }

    RandomNetwork(Random random, RandomExporter exporter, long... sizes) {
        this(random, exporter, "", List.of(new Value(INPUT, Shape.of(sizes))));
        long[] declared = sizes.clone();
        if (chance(OPEN)) {
            declared[0] = -1;
        }
        model.typed(INPUT, RandomPieces.number(exporter.type()), declared);
    }

    private RandomNetwork(Random random, RandomExporter exporter, String prefix, List<Value> values) {
        this.random = random;
        this.exporter = exporter;
        this.prefix = prefix;
        this.values.addAll(values);
    }

    /** A branch or body in the making, which may read some values. */
    RandomNetwork inner(Value... given) {
        return new RandomNetwork(random, exporter, prefix + "b" + names++ + "_", List.of(given));
    }

    /** Makes an output of what {@link #aside} gave. */
    void output(String name) {
        demanded.add(name);
    }

    /** Where a comparison may begin anew. */
    RandomPieces pieces() {
        return pieces;
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

    /** A real number from the first to the last. */
    double between(double first, double last) {
        return first + random.nextDouble() * (last - first);
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
        Tensor tensor = Tensor.allocate(exporter.type(), sizes);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, scale * random.nextGaussian());
        }
        return constant(tensor);
    }

    /** The type of its real numbers. */
    DType type() {
        return exporter.type();
    }

    /** A constant of numbers above 0. */
    String positive(long... sizes) {
        Tensor tensor = Tensor.allocate(exporter.type(), sizes);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, 0.5 + random.nextDouble());
        }
        return constant(tensor);
    }

    String scalar(double value) {
        Tensor tensor = Tensor.allocate(exporter.type());
        tensor.setDouble(0, value);
        return constant(tensor);
    }

    /** Real numbers that are float32 in every network. */
    String reals(float... values) {
        return constant(Tensor.of(values, values.length));
    }

    String longs(long... values) {
        return constant(Tensor.of(values, values.length));
    }

    String constant(Tensor tensor) {
        String name = prefix + "c" + names++;
        model.initializer(TensorProto.newBuilder()
                .setName(name)
                .setDataType(RandomPieces.number(tensor.dtype()))
                .addAllDims(Arrays.stream(tensor.shape().sizes()).boxed().toList())
                .setRawData(ByteString.copyFrom(tensor.bytes())));
        constants.put(name, tensor);
        return name;
    }

    /** The elements of a constant, or empty if the name is one of a value. */
    Optional<Tensor> constantOf(String name) {
        return Optional.ofNullable(constants.get(name));
    }

    /** The value of a name that was given to the steps. */
    Optional<Value> valueOf(String name) {
        return values.stream().filter(value -> value.name().equals(name)).findFirst();
    }

    /** A node with one result; names of inputs are separated by commas, of one left out there is nothing. */
    Value node(String op, String inputs, long[] sizes, AttributeProto... attributes) {
        return node(op, inputs, List.of(sizes), attributes).get(0);
    }

    /** A node with a result of each of these sizes, as the exporter writes it. */
    List<Value> node(String op, String inputs, List<long[]> results, AttributeProto... attributes) {
        return exporter.write(this, new RandomExporter.Step(op, inputs, results, attributes));
    }

    /** A node as it stands. */
    List<Value> plain(String op, String inputs, List<long[]> results, AttributeProto... attributes) {
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

    /** Outputs are what nobody reads, a few of the other values, and where pieces begin. */
    byte[] model() {
        Set<String> outputs = new LinkedHashSet<>(pieces.cuts());
        outputs.addAll(demanded);
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

    private byte[] model(Collection<String> outputs) {
        model.graph().clearOutput();
        outputs.forEach(
                name -> model.graph().addOutput(ValueInfoProto.newBuilder().setName(name)));
        return bytes(model);
    }

    /** Whether the network is compared in pieces, of which a float16 network has one at least. */
    boolean isInPieces() {
        return !pieces.cuts().isEmpty() || exporter.type() == DType.FLOAT16;
    }

    /** The model in pieces that begin with what was found. */
    RandomPieces.Pieces inPieces(Map<String, Tensor> found) {
        OnnxModel parted = new OnnxModel().opset(17);
        parted.graph().mergeFrom(model.graph().build());
        List<String> outputs = pieces.part(parted, found, exporter.type() == DType.FLOAT16);
        return new RandomPieces.Pieces(ByteString.copyFrom(bytes(parted)), outputs);
    }

    private static byte[] bytes(OnnxModel model) {
        ModelProto.Builder whole = model.build().toBuilder();
        whole.addOpsetImport(
                OperatorSetIdProto.newBuilder().setDomain(RUNTIME_DOMAIN).setVersion(1));
        for (NodeProto.Builder node : whole.getGraphBuilder().getNodeBuilderList()) {
            if (RUNTIME_OPERATORS.contains(node.getOpType())) {
                node.setDomain(RUNTIME_DOMAIN);
            }
        }
        return whole.build().toByteArray();
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
        Tensor tensor = Tensor.allocate(exporter.type(), values.get(0).sizes());
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, random.nextGaussian());
        }
        return tensor;
    }
}
