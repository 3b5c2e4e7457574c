package org.clinfer.networks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import org.clinfer.importer.onnx.proto.AttributeProto;
import org.clinfer.importer.onnx.proto.AttributeProto.AttributeType;
import org.clinfer.importer.onnx.proto.GraphProto;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.OperatorSetIdProto;
import org.clinfer.importer.onnx.proto.TensorProto;
import org.clinfer.importer.onnx.proto.TensorShapeProto;
import org.clinfer.importer.onnx.proto.TypeProto;
import org.clinfer.importer.onnx.proto.ValueInfoProto;
import org.jspecify.annotations.Nullable;

/**
 * Writes a network as ONNX, layer by layer, with weights made up so that activations neither vanish nor explode: their
 * variance is {@code gain / fan-in}, which keeps the mean square of the activations if the gain is 2 before a rectifier and
 * 1 elsewhere. A tensor's weights depend on its name alone.
 */
final class NetworkWriter implements AutoCloseable {

    /** Before a rectifier. */
    static final double RECTIFIED = 2;

    /** Where nothing follows that takes away half. */
    static final double LINEAR = 1;

    /** At the end of a branch that is added to what it began with, so that many of them do not add up. */
    static final double ADDED = 0.1;

    private static final int FLOAT = 1;
    private static final int INT64 = 7;
    private static final int OPERATOR_SET = 13;
    private static final double EPSILON = 1e-5;

    private final Form form;
    private final Path file;
    private final WeightFile weights;
    private final GraphProto.Builder graph;
    private final Map<String, Integer> counts = new HashMap<>();
    private long parameters;

    NetworkWriter(Path folder, String name, Form form) throws IOException {
        this.form = form;
        this.file = folder.resolve(name + ".onnx");
        Files.createDirectories(folder);
        this.weights = new WeightFile(folder.resolve(name + ".onnx.data"), form.zeros());
        this.graph = GraphProto.newBuilder().setName(name);
    }

    /** A width of the original as it is in this form. */
    int width(int original) {
        return Math.max(1, original / form.divisor());
    }

    int imageSize() {
        return form.imageSize();
    }

    /** Numbers that training would have found: weights, biases, and the factors and addends of normalizations. */
    long parameters() {
        return parameters;
    }

    Value input(String name, int channels, int size) {
        Value value = new Value(name, channels, size, size);
        graph.addInput(type(name, form.batch(), channels, size, size));
        return value;
    }

    /** The one input of a network for pictures. */
    Value image() {
        return input("image", 3, form.imageSize());
    }

    void output(Value value) {
        TypeProto.Tensor.Builder tensor = TypeProto.Tensor.newBuilder().setElemType(FLOAT);
        graph.addOutput(ValueInfoProto.newBuilder()
                .setName(value.name())
                .setType(TypeProto.newBuilder().setTensorType(tensor)));
    }

    /** A convolution with a bias. */
    Value convolution(Value x, Filter filter, double gain) {
        String name = next("Conv");
        return convolution(name, x, filter, random(name, gain / fanIn(x, filter)), near(name + ".bias", 0, 0.05));
    }

    /** A convolution without a bias and without anything that follows. */
    Value plain(Value x, Filter filter, double gain) {
        String name = next("Conv");
        return convolution(name, x, filter, random(name, gain / fanIn(x, filter)), null);
    }

    /** A convolution with a bias, and a rectifier. */
    Value rectified(Value x, Filter filter) {
        return relu(convolution(x, filter, RECTIFIED));
    }

    /** A convolution without a bias, and the normalization that follows it as a node or as a part of the weights. */
    Value normalized(Value x, Filter filter, double gain) {
        String name = next("Conv");
        Normalization norm = new Normalization(name);
        IntToDoubleFunction own = random(name, gain / fanIn(x, filter));
        if (form.normalizations()) {
            return norm.node(convolution(name, x, filter, own, null));
        }
        int perChannel = (int) fanIn(x, filter);
        Value y = convolution(name, x, filter, i -> own.applyAsDouble(i) * norm.factor(i / perChannel), norm::addend);
        parameters += filter.channels();
        return y;
    }

    /** A normalization that follows no convolution, and so is always a node. */
    Value normalization(Value x) {
        return new Normalization(next("BatchNormalization")).node(x);
    }

    private static double fanIn(Value x, Filter filter) {
        return (double) x.channels() / filter.groups() * filter.kernel() * filter.kernel();
    }

    private Value convolution(
            String name, Value x, Filter filter, IntToDoubleFunction elements, @Nullable IntToDoubleFunction bias) {
        List<String> inputs = new ArrayList<>(List.of(x.name()));
        inputs.add(parameter(
                name + ".weight",
                elements,
                filter.channels(),
                x.channels() / filter.groups(),
                filter.kernel(),
                filter.kernel()));
        if (bias != null) {
            inputs.add(parameter(name + ".bias", bias, filter.channels()));
        }
        int height = windows(x.height(), filter.kernel(), filter.stride(), filter.pad(), false);
        int width = windows(x.width(), filter.kernel(), filter.stride(), filter.pad(), false);
        Value y = new Value(name + ".y", filter.channels(), height, width);
        return add("Conv", inputs, y, window(filter).addAttribute(integer("group", filter.groups())));
    }

    /** A transposed convolution with a bias; every input element reaches (kernel / stride)^2 outputs of each channel. */
    Value deconvolution(Value x, Filter filter) {
        String name = next("ConvTranspose");
        double taps = (double) filter.kernel() / filter.stride();
        IntToDoubleFunction elements = random(name, LINEAR / (x.channels() * taps * taps));
        String weight = parameter(
                name + ".weight", elements, x.channels(), filter.channels(), filter.kernel(), filter.kernel());
        String bias = parameter(name + ".bias", near(name + ".bias", 0, 0.05), filter.channels());
        int grown = filter.kernel() - 2 * filter.pad();
        Value y = new Value(
                name + ".y",
                filter.channels(),
                (x.height() - 1) * filter.stride() + grown,
                (x.width() - 1) * filter.stride() + grown);
        return add("ConvTranspose", List.of(x.name(), weight, bias), y, window(filter));
    }

    /** A fully connected layer on a vector. */
    Value dense(Value x, int outputs, double gain) {
        String name = next("Gemm");
        String weight = parameter(name + ".weight", random(name, gain / x.elements()), outputs, x.elements());
        String bias = parameter(name + ".bias", near(name + ".bias", 0, 0.05), outputs);
        Value y = new Value(name + ".y", outputs, 1, 1);
        return add(
                "Gemm",
                List.of(x.name(), weight, bias),
                y,
                NodeProto.newBuilder().addAttribute(integer("transB", 1)));
    }

    Value relu(Value x) {
        return like(x, "Relu");
    }

    /** A rectifier with the upper limit 6. */
    Value relu6(Value x) {
        String name = next("Clip");
        scalar(name + ".min", 0);
        scalar(name + ".max", 6);
        Value y = new Value(name + ".y", x.channels(), x.height(), x.width());
        return add("Clip", List.of(x.name(), name + ".min", name + ".max"), y, NodeProto.newBuilder());
    }

    Value sigmoid(Value x) {
        return like(x, "Sigmoid");
    }

    /** Local response normalization over 5 channels. */
    Value localResponse(Value x) {
        return like(x, "LRN", integer("size", 5), real("alpha", 1e-4f), real("beta", 0.75f), real("bias", 1));
    }

    /** A pool whose last windows may begin within the picture and end outside it. */
    Value maxPoolCeil(Value x, int kernel, int stride) {
        return pool("MaxPool", x, new Filter(x.channels(), kernel, stride, 0, 1), true);
    }

    Value maxPool(Value x, int kernel, int stride, int pad) {
        return pool("MaxPool", x, new Filter(x.channels(), kernel, stride, pad, 1), false);
    }

    Value averagePool(Value x, int kernel, int stride) {
        return pool("AveragePool", x, new Filter(x.channels(), kernel, stride, 0, 1), false);
    }

    private Value pool(String op, Value x, Filter filter, boolean ceil) {
        int height = windows(x.height(), filter.kernel(), filter.stride(), filter.pad(), ceil);
        int width = windows(x.width(), filter.kernel(), filter.stride(), filter.pad(), ceil);
        Value y = new Value(next(op) + ".y", x.channels(), height, width);
        return add(op, List.of(x.name()), y, window(filter).addAttribute(integer("ceil_mode", ceil ? 1 : 0)));
    }

    Value globalAverage(Value x) {
        Value y = new Value(next("GlobalAveragePool") + ".y", x.channels(), 1, 1);
        return add("GlobalAveragePool", List.of(x.name()), y, NodeProto.newBuilder());
    }

    Value flatten(Value x) {
        Value y = new Value(next("Flatten") + ".y", x.elements(), 1, 1);
        return add("Flatten", List.of(x.name()), y, NodeProto.newBuilder().addAttribute(integer("axis", 1)));
    }

    Value add(Value one, Value other) {
        Value y = new Value(next("Add") + ".y", one.channels(), one.height(), one.width());
        return add("Add", List.of(one.name(), other.name()), y, NodeProto.newBuilder());
    }

    /** One after another along the channels. */
    Value concat(Value... parts) {
        int channels = Arrays.stream(parts).mapToInt(Value::channels).sum();
        Value y = new Value(next("Concat") + ".y", channels, parts[0].height(), parts[0].width());
        List<String> names = Arrays.stream(parts).map(Value::name).toList();
        return add("Concat", names, y, NodeProto.newBuilder().addAttribute(integer("axis", 1)));
    }

    /** Images in one input. */
    int batch() {
        return form.batch();
    }

    /** A node of any operator; gives the name of its one output. */
    String node(String op, List<String> inputs, AttributeProto... attributes) {
        String name = next(op);
        graph.addNode(NodeProto.newBuilder()
                .setOpType(op)
                .setName(name)
                .addAllInput(inputs)
                .addOutput(name + ".y")
                .addAllAttribute(List.of(attributes)));
        return name + ".y";
    }

    /** A product with a trained matrix, and a bias, as exporters write a linear layer on more than two axes. */
    String linear(String x, int inputs, int outputs, double gain) {
        String name = next("Linear");
        String weight = parameter(name + ".weight", random(name, gain / inputs), inputs, outputs);
        String bias = parameter(name + ".bias", near(name + ".bias", 0, 0.05), outputs);
        return node("Add", List.of(bias, node("MatMul", List.of(x, weight))));
    }

    /** Trained values of about this size. */
    String trained(String name, double size, int... sizes) {
        return parameter(name, near(name, 0, size), sizes);
    }

    /** The trained factors and addends of a normalization, in this order. */
    List<String> trainedScale(int channels) {
        String name = next("Norm");
        return List.of(
                parameter(name + ".scale", near(name + ".scale", 1, 0.2), channels),
                parameter(name + ".bias", near(name + ".bias", 0, 0.1), channels));
    }

    /** A constant number. */
    String number(double value) {
        String name = next("Number");
        scalar(name, (float) value);
        return name;
    }

    /** A constant list of whole numbers. */
    String numbers(long... values) {
        String name = next("Numbers");
        TensorProto.Builder tensor =
                TensorProto.newBuilder().setName(name).setDataType(INT64).addDims(values.length);
        Arrays.stream(values).forEach(tensor::addInt64Data);
        graph.addInitializer(tensor);
        return name;
    }

    /** A constant whole number. */
    String index(long value) {
        String name = next("Index");
        graph.addInitializer(
                TensorProto.newBuilder().setName(name).setDataType(INT64).addInt64Data(value));
        return name;
    }

    /** Writes the file; its weights are beside it. */
    Path write() throws IOException {
        ModelProto model = ModelProto.newBuilder()
                .setIrVersion(8)
                .setProducerName("clinfer")
                .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(OPERATOR_SET))
                .setGraph(graph)
                .build();
        return Files.write(file, model.toByteArray());
    }

    @Override
    public void close() throws IOException {
        weights.close();
    }

    /** What training would have made of a normalization, drawn from its name. */
    private final class Normalization {

        private final String name;
        private final IntToDoubleFunction scale;
        private final IntToDoubleFunction bias;
        private final IntToDoubleFunction mean;
        private final IntToDoubleFunction variance;

        Normalization(String owner) {
            this.name = owner.startsWith("BatchNormalization") ? owner : owner + ".BatchNormalization";
            this.scale = near(name + ".scale", 1, 0.2);
            this.bias = near(name + ".bias", 0, 0.1);
            this.mean = near(name + ".mean", 0, 0.1);
            this.variance = near(name + ".variance", 1, 0.2);
        }

        double factor(int channel) {
            return scale.applyAsDouble(channel) / Math.sqrt(variance.applyAsDouble(channel) + EPSILON);
        }

        double addend(int channel) {
            return bias.applyAsDouble(channel) - mean.applyAsDouble(channel) * factor(channel);
        }

        Value node(Value x) {
            int channels = x.channels();
            String scales = parameter(name + ".scale", scale, channels);
            String biases = parameter(name + ".bias", bias, channels);
            initializer(name + ".mean", mean, channels);
            initializer(name + ".variance", variance, channels);
            Value y = new Value(name + ".y", channels, x.height(), x.width());
            List<String> inputs = List.of(x.name(), scales, biases, name + ".mean", name + ".variance");
            return NetworkWriter.this.add(
                    "BatchNormalization", inputs, y, NodeProto.newBuilder().addAttribute(real("epsilon", (float)
                            EPSILON)));
        }
    }

    private Value like(Value x, String op, AttributeProto... attributes) {
        Value y = new Value(next(op) + ".y", x.channels(), x.height(), x.width());
        return add(op, List.of(x.name()), y, NodeProto.newBuilder().addAllAttribute(List.of(attributes)));
    }

    private Value add(String op, List<String> inputs, Value y, NodeProto.Builder node) {
        String name = y.name().substring(0, y.name().length() - ".y".length());
        graph.addNode(node.setOpType(op).setName(name).addAllInput(inputs).addOutput(y.name()));
        return y;
    }

    /** A name that does not depend on how normalizations are written. */
    private String next(String op) {
        return op + "_" + counts.merge(op, 1, Integer::sum);
    }

    /** A trained tensor. */
    private String parameter(String name, IntToDoubleFunction elements, int... sizes) {
        parameters += Arrays.stream(sizes).asLongStream().reduce(1, (one, other) -> one * other);
        return initializer(name, elements, sizes);
    }

    private String initializer(String name, IntToDoubleFunction elements, int... sizes) {
        graph.addInitializer(weights.tensor(name, elements, sizes));
        return name;
    }

    private void scalar(String name, float value) {
        graph.addInitializer(
                TensorProto.newBuilder().setName(name).setDataType(FLOAT).addFloatData(value));
    }

    /** Uniform values of this variance, which have to be asked for one after another. */
    private static IntToDoubleFunction random(String name, double variance) {
        SplittableRandom random = new SplittableRandom(name.hashCode());
        double bound = Math.sqrt(3 * variance);
        return i -> bound * (2 * random.nextDouble() - 1);
    }

    /** Uniform values around a centre, which may be asked for in any order. */
    private static IntToDoubleFunction near(String name, double centre, double bound) {
        int seed = name.hashCode();
        return i -> centre + bound * (2 * new SplittableRandom(31L * seed + i).nextDouble() - 1);
    }

    private static int windows(int size, int kernel, int stride, int pad, boolean ceil) {
        int room = size + 2 * pad - kernel;
        return (ceil ? (room + stride - 1) / stride : room / stride) + 1;
    }

    private static NodeProto.Builder window(Filter filter) {
        return NodeProto.newBuilder()
                .addAttribute(integers("kernel_shape", filter.kernel(), filter.kernel()))
                .addAttribute(integers("strides", filter.stride(), filter.stride()))
                .addAttribute(integers("pads", filter.pad(), filter.pad(), filter.pad(), filter.pad()));
    }

    private static ValueInfoProto type(String name, int... sizes) {
        TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
        for (int size : sizes) {
            shape.addDim(TensorShapeProto.Dimension.newBuilder().setDimValue(size));
        }
        TypeProto.Tensor.Builder tensor =
                TypeProto.Tensor.newBuilder().setElemType(FLOAT).setShape(shape);
        return ValueInfoProto.newBuilder()
                .setName(name)
                .setType(TypeProto.newBuilder().setTensorType(tensor))
                .build();
    }

    static AttributeProto integer(String name, long value) {
        return attribute(name, AttributeType.INT).setI(value).build();
    }

    static AttributeProto real(String name, float value) {
        return attribute(name, AttributeType.FLOAT).setF(value).build();
    }

    static AttributeProto integers(String name, int... values) {
        AttributeProto.Builder attribute = attribute(name, AttributeType.INTS);
        Arrays.stream(values).forEach(attribute::addInts);
        return attribute.build();
    }

    private static AttributeProto.Builder attribute(String name, AttributeType type) {
        return AttributeProto.newBuilder().setName(name).setType(type);
    }
}
