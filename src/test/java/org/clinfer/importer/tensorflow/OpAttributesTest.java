package org.clinfer.importer.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.describe.OpCatalog;
import org.clinfer.errors.InputException;
import org.clinfer.graph.GraphException;
import org.clinfer.importer.tensorflow.proto.AttrValue;
import org.clinfer.importer.tensorflow.proto.DataType;
import org.clinfer.importer.tensorflow.proto.TensorShapeProto;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every attribute that TensorFlow's operators have changes the result, or is refused by its name. */
class OpAttributesTest {

    /** Attributes that change no result, each with the reason. */
    private static final Map<String, String> WITHOUT_EFFECT = Map.ofEntries(
            Map.entry("use_cudnn_on_gpu", "which library computes"),
            Map.entry("grad_x", "training"),
            Map.entry("grad_y", "training"),
            Map.entry("grad_a", "training"),
            Map.entry("grad_b", "training"),
            Map.entry("message", "a text for people"),
            Map.entry("first_n", "how often the text is shown"),
            Map.entry("summarize", "how much is shown"),
            Map.entry("validate_indices", "whether places outside are an error"),
            Map.entry("incompatible_shape_error", "whether sizes that do not fit are an error"),
            Map.entry("exponential_avg_factor", "running statistics, which are not given where it is not 1"),
            Map.entry("EnsureShape shape", "which shapes are an error"),
            Map.entry("PlaceholderWithDefault shape", "the value is the default"));

    /** Attributes that say what the operands must be, which are other ones then. */
    private static final Set<String> OF_SHAPES =
            Set.of("data_format", "MaxPoolGrad strides", "Placeholder dtype", "Placeholder shape");

    private static final String REFUSED = "refused: ";
    private static final String PICTURE = "p1,6,6,2";
    private static final String WINDOW = "strides=[1,1,1,1] padding=SAME";

    /**
     * A node with what it is given.
     *
     * @param operands {@code p} with sizes is an input, {@code w} a constant of random numbers, {@code f} a number,
     *     {@code s} a whole one, {@code i} a vector of these with sizes perhaps behind {@code @}, {@code q} some codes
     * @param port the output that is read
     */
    private record Case(String op, int port, String operands, String given, List<String> others) {
        Case(String op, String operands, String given, String... others) {
            this(op, 0, operands, given, List.of(others));
        }

        Case port(int other) {
            return new Case(op, other, operands, given, others);
        }

        Stream<String> attributes(String without) {
            return parts(given).stream().filter(each -> !name(each).equals(without));
        }
    }

    private static final List<Case> CASES = List.of(
            new Case("AddN", "p2,3 p2,3", "N=2", "N=4"),
            new Case(
                    "AvgPool",
                    PICTURE,
                    "ksize=[1,3,3,1] " + WINDOW,
                    "ksize=[1,2,3,1]",
                    "strides=[1,2,1,1]",
                    "padding=VALID",
                    "explicit_paddings=[0,0,1,1,1,1,0,0]",
                    "data_format=NCHW"),
            new Case(
                    "AvgPool3D",
                    "p1,5,5,5,2",
                    "ksize=[1,3,3,3,1] strides=[1,1,1,1,1] padding=SAME",
                    "ksize=[1,2,3,3,1]",
                    "strides=[1,2,1,1,1]",
                    "padding=VALID",
                    "data_format=NCDHW",
                    "explicit_paddings=[0,0,1,1,1,1,1,1,0,0]"),
            new Case(
                    "MaxPool",
                    PICTURE,
                    "ksize=[1,3,3,1] " + WINDOW,
                    "ksize=[1,2,3,1]",
                    "strides=[1,2,1,1]",
                    "padding=VALID",
                    "explicit_paddings=[0,0,1,1,1,1,0,0]",
                    "data_format=NCHW"),
            new Case(
                    "MaxPool",
                    PICTURE,
                    "ksize=[1,3,3,1] strides=[1,1,1,1] padding=EXPLICIT explicit_paddings=[0,0,1,1,1,1,0,0]",
                    "padding=VALID",
                    "explicit_paddings=[0,0,0,1,1,1,0,0]"),
            new Case(
                    "MaxPool3D",
                    "p1,5,5,5,2",
                    "ksize=[1,3,3,3,1] strides=[1,1,1,1,1] padding=SAME",
                    "ksize=[1,2,3,3,1]",
                    "strides=[1,2,1,1,1]",
                    "padding=VALID",
                    "data_format=NCDHW",
                    "explicit_paddings=[0,0,1,1,1,1,1,1,0,0]"),
            new Case("MaxPoolV2", PICTURE + " i1,3,3,1 i1,1,1,1", "padding=SAME", "padding=VALID", "data_format=NCHW"),
            new Case(
                    "MaxPoolGrad",
                    "p1,4,4,2 p1,2,2,2 p1,2,2,2",
                    "ksize=[1,2,2,1] strides=[1,2,2,1] padding=VALID",
                    "ksize=[1,2,1,1]",
                    "strides=[1,1,2,1]",
                    "padding=SAME",
                    "explicit_paddings=[0,0,1,1,1,1,0,0]",
                    "data_format=NCHW"),
            new Case(
                    "Conv2D",
                    PICTURE + " w3,3,2,4",
                    WINDOW,
                    "strides=[1,2,1,1]",
                    "padding=VALID",
                    "explicit_paddings=[0,0,1,1,1,1,0,0]",
                    "data_format=NCHW",
                    "dilations=[1,2,1,1]",
                    "use_cudnn_on_gpu=false"),
            new Case(
                    "Conv2D",
                    PICTURE + " w3,3,2,4",
                    "strides=[1,1,1,1] padding=EXPLICIT explicit_paddings=[0,0,1,1,1,1,0,0]",
                    "padding=VALID",
                    "explicit_paddings=[0,0,0,1,1,1,0,0]",
                    "dilations=[1,2,1,1]"),
            new Case(
                    "Conv3D",
                    "p1,5,5,5,2 w3,3,3,2,4",
                    "strides=[1,1,1,1,1] padding=SAME",
                    "strides=[1,2,1,1,1]",
                    "padding=VALID",
                    "data_format=NCDHW",
                    "dilations=[1,2,1,1,1]",
                    "explicit_paddings=[0,0,1,1,1,1,1,1,0,0]",
                    "use_cudnn_on_gpu=false"),
            new Case(
                    "DepthwiseConv2dNative",
                    PICTURE + " w3,3,2,2",
                    WINDOW,
                    "strides=[1,2,2,1]",
                    "padding=VALID",
                    "explicit_paddings=[0,0,1,1,1,1,0,0]",
                    "data_format=NCHW",
                    "dilations=[1,2,2,1]",
                    "use_cudnn_on_gpu=false"),
            new Case(
                    "Conv2DBackpropInput",
                    "i1,4,4,3 w3,3,3,2 p1,4,4,2",
                    WINDOW,
                    "strides=[1,2,1,1]",
                    "padding=VALID",
                    "explicit_paddings=[0,0,1,1,1,1,0,0]",
                    "data_format=NCHW",
                    "dilations=[1,2,1,1]",
                    "use_cudnn_on_gpu=false"),
            new Case(
                    "Conv3DBackpropInputV2",
                    "i1,4,4,4,3 w3,3,3,3,2 p1,4,4,4,2",
                    "strides=[1,1,1,1,1] padding=SAME",
                    "strides=[1,2,1,1,1]",
                    "padding=VALID",
                    "data_format=NCDHW",
                    "dilations=[1,2,1,1,1]",
                    "explicit_paddings=[0,0,1,1,1,1,1,1,0,0]",
                    "use_cudnn_on_gpu=false"),
            new Case(
                    "FusedPadConv2D",
                    PICTURE + " i0,0,1,1,1,1,0,0@4,2 w3,3,2,4",
                    "mode=REFLECT strides=[1,1,1,1] padding=VALID",
                    "mode=SYMMETRIC",
                    "strides=[1,2,1,1]",
                    "padding=SAME"),
            new Case(
                    "FusedResizeAndPadConv2D",
                    PICTURE + " i8,8 i0,0,1,1,1,1,0,0@4,2 w3,3,2,4",
                    "mode=REFLECT strides=[1,1,1,1] padding=VALID",
                    "mode=SYMMETRIC",
                    "strides=[1,2,1,1]",
                    "padding=SAME",
                    "resize_align_corners=true"),
            new Case("BatchMatMul", "p2,3,3 p2,3,3", "", "adj_x=true", "adj_y=true", "grad_x=true", "grad_y=true"),
            new Case("BatchMatMulV2", "p2,3,3 p2,3,3", "", "adj_x=true", "adj_y=true", "grad_x=true", "grad_y=true"),
            new Case(
                    "BatchMatMulV3",
                    "p2,3,3 p2,3,3",
                    "",
                    "adj_x=true",
                    "adj_y=true",
                    "grad_x=true",
                    "grad_y=true",
                    "Tout=int32"),
            new Case("MatMul", "p3,3 p3,3", "", "transpose_a=true", "transpose_b=true", "grad_a=true", "grad_b=true"),
            new Case(
                    "BatchNormWithGlobalNormalization",
                    PICTURE + " w2 w2 w2 w2",
                    "variance_epsilon=.1 scale_after_normalization=true",
                    "variance_epsilon=.5",
                    "scale_after_normalization=false"),
            new Case(
                    "FusedBatchNorm",
                    "p1,2,2,2 w2 w2 w2 w2",
                    "is_training=false",
                    "epsilon=.5",
                    "is_training=true",
                    "data_format=NCHW",
                    "exponential_avg_factor=.5"),
            new Case(
                    "FusedBatchNormV2",
                    "p1,2,2,2 w2 w2 w2 w2",
                    "is_training=false",
                    "epsilon=.5",
                    "is_training=true",
                    "data_format=NCHW",
                    "exponential_avg_factor=.5"),
            new Case(
                    "FusedBatchNormV3",
                    "p1,2,2,2 w2 w2 w2 w2",
                    "is_training=false",
                    "epsilon=.5",
                    "is_training=true",
                    "data_format=NCHW",
                    "exponential_avg_factor=.5"),
            new Case("LRN", PICTURE, "", "depth_radius=0", "bias=2.0", "alpha=2.0", "beta=1.0"),
            new Case("BiasAdd", "p1,2,2,2 w2", "", "data_format=NCHW"),
            new Case(
                            "BlockLSTM",
                            "s2 p3,1,2 w1,3 w1,3 w5,12 w3 w3 w3 w12",
                            "",
                            "forget_bias=-20.0",
                            "cell_clip=.2",
                            "use_peephole=true")
                    .port(6),
            new Case("BlockLSTMV2", "s2 p3,1,2 w1,3 w1,3 w5,12 w3 w3 w3 w12", "", "cell_clip=.2", "use_peephole=true")
                    .port(6),
            new Case(
                            "LSTMBlockCell",
                            "p1,2 w1,3 w1,3 w5,12 w3 w3 w3 w12",
                            "",
                            "forget_bias=-20.0",
                            "cell_clip=.2",
                            "use_peephole=true")
                    .port(6),
            new Case("Cast", "p2,3", "SrcT=float DstT=int32", "SrcT=float", "DstT=int64", "Truncate=true"),
            new Case("CheckNumerics", "p2,3", "", "message=a"),
            new Case("PreventGradient", "p2,3", "", "message=a"),
            new Case("Print", "p2,3 p1", "", "message=a", "first_n=1", "summarize=1"),
            new Case("Concat", "s0 p2,3 p2,3", "N=2", "N=1"),
            new Case("ConcatV2", "p2,3 p2,3 s0", "N=2", "N=1"),
            new Case("Merge", "p2,3", "N=1", "N=3"),
            new Case("RefMerge", "p2,3", "N=1", "N=3"),
            new Case("Pack", "p2,3 p2,3", "N=2", "N=4", "axis=1"),
            new Case("Pack", "s1 s2", "N=2", "N=4", "axis=-2"),
            new Case("Unpack", "p2,2", "num=2", "num=1", "axis=1"),
            new Case(
                    "CropAndResize",
                    "p1,4,4,2 w1,4 i0 i3,3",
                    "",
                    "extrapolation_value=2.0",
                    "method=nearest",
                    "method=bicubic"),
            new Case("Cumsum", "p2,3 s1", "", "exclusive=true", "reverse=true"),
            new Case("DepthToSpace", "p1,2,4,8", "block_size=2", "block_size=1", "data_format=NCHW"),
            new Case("SpaceToDepth", "p1,4,4,4", "block_size=2", "block_size=4", "data_format=NCHW"),
            new Case(
                    "Dequantize",
                    "q f0 f2",
                    "mode=MIN_FIRST",
                    "mode=SCALED",
                    "narrow_range=true",
                    "axis=0",
                    "dtype=half"),
            new Case("EnsureShape", "p2,3", "", "shape=shape:2,3"),
            new Case("PlaceholderWithDefault", "w2,3", "", "shape=shape:2,3"),
            new Case("Placeholder", "", "dtype=float shape=shape:2,3", "dtype=int32", "shape=shape:3,2"),
            new Case("Equal", "p2,3 p2,3", "", "incompatible_shape_error=false"),
            new Case("NotEqual", "p2,3 p2,3", "", "incompatible_shape_error=false"),
            new Case("FakeQuantWithMinMaxArgs", "p2,3", "", "min=-1.0", "max=1.0", "num_bits=4", "narrow_range=true"),
            new Case("FakeQuantWithMinMaxVars", "p2,3 f-1 f1", "", "num_bits=4", "narrow_range=true"),
            new Case("Gather", "p3,3 i0,1", "", "validate_indices=false", "batch_dims=1"),
            new Case("Gather", "i5,6,7 i0,2", "", "batch_dims=1"),
            new Case("GatherV2", "p3,3 i0,1,2 s1", "", "batch_dims=1"),
            new Case("GatherV2", "i5,6,7 i0,2 s0", "", "batch_dims=1"),
            new Case("GatherNd", "p3,3 i0,1@1,2", "", "batch_dims=1", "bad_indices_policy=IGNORE"),
            new Case("LeakyRelu", "p2,3", "", "alpha=.5"),
            new Case("MirrorPad", "p3,3 i1,1,1,1@2,2", "mode=REFLECT", "mode=SYMMETRIC"),
            new Case("OneHot", "i1,0 s3 f5 f1", "", "axis=0"),
            new Case("ResizeBicubic", PICTURE + " i9,9", "", "align_corners=true", "half_pixel_centers=true"),
            new Case("ResizeBilinear", PICTURE + " i9,9", "", "align_corners=true", "half_pixel_centers=true"),
            new Case("ResizeNearestNeighbor", PICTURE + " i9,9", "", "align_corners=true", "half_pixel_centers=true"),
            new Case("Split", "s1 p2,4", "num_split=2", "num_split=4"),
            new Case("SplitV", "p2,4 i1,3 s1", "num_split=2", "num_split=1"),
            new Case("Squeeze", "p1,2,1", "", "squeeze_dims=[0]", "axis=[2]"),
            new Case(
                    "StridedSlice",
                    "p3,4 i1,1 i2,3 i1,1",
                    "",
                    "begin_mask=1",
                    "end_mask=1",
                    "ellipsis_mask=1",
                    "new_axis_mask=1",
                    "shrink_axis_mask=1"),
            new Case(
                    "StridedSlice",
                    "i5,6,7,8 i1 i2 i1",
                    "",
                    "begin_mask=1",
                    "end_mask=1",
                    "ellipsis_mask=1",
                    "new_axis_mask=1",
                    "shrink_axis_mask=1"),
            new Case("Prod", "i5,6,7 i0", "", "keep_dims=true", "keepdims=true"),
            new Case("Sum", "i5,6,7 i0", "", "keep_dims=true", "keepdims=true"),
            new Case("Shape", "p2,3", "", "out_type=int64"),
            new Case("Size", "p2,3", "", "out_type=int64"),
            new Case("ArgMax", "p2,3 s1", "", "output_type=int32"),
            new Case("ArgMin", "p2,3 s1", "", "output_type=int32"));

    @TempDir
    Path folder;

    private static List<Case> all() {
        List<Case> all = new ArrayList<>(CASES);
        Stream.of("Mean", "Sum", "Max", "Min", "Prod", "EuclideanNorm")
                .map(op -> new Case(op, "p2,3 i1", "", "keep_dims=true", "keepdims=true"))
                .forEach(all::add);
        Stream.of("All", "Any")
                .map(op -> new Case(op, "b2,3 i1", "", "keep_dims=true", "keepdims=true"))
                .forEach(all::add);
        return all;
    }

    private static List<String> parts(String list) {
        return list.isEmpty() ? List.of() : List.of(list.split(" ", -1));
    }

    private static String name(String attribute) {
        return attribute.substring(0, attribute.indexOf('='));
    }

    private static long[] longs(String list) {
        return Stream.of(list.split(",", -1)).mapToLong(Long::parseLong).toArray();
    }

    private static int[] ints(String list) {
        return Stream.of(list.split(",", -1)).mapToInt(Integer::parseInt).toArray();
    }

    /** Numbers from -2 to 2; weights are above 0, as variances must be. */
    private static float[] random(int seed, long[] sizes, float least) {
        float[] numbers = new float[(int) LongStream.of(sizes).reduce(1, (a, b) -> a * b)];
        Random random = new Random(seed + 3L);
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = least + 4 * random.nextFloat();
        }
        return numbers;
    }

    private static void operand(TfGraph graph, String operand, String name, int number, Map<String, Tensor> inputs) {
        String what = operand.substring(1);
        switch (operand.charAt(0)) {
            case 'p' -> {
                graph.input(name, longs(what));
                inputs.put(name, Tensor.of(random(number, longs(what), -2), longs(what)));
            }
            case 'w' -> graph.floats(name, longs(what), random(number, longs(what), .1f));
            case 'f' -> graph.number(name, Float.parseFloat(what));
            case 's' -> graph.integer(name, Integer.parseInt(what));
            case 'b' -> {
                graph.input(name + "x", longs(what));
                graph.number(name + "zero", 0);
                graph.node("Greater", name, name + "x " + name + "zero");
                inputs.put(name + "x", Tensor.of(random(number, longs(what), -2), longs(what)));
            }
            case 'q' ->
                graph.constant(
                        name,
                        TfGraph.tensor(DataType.DT_QUINT8, 3)
                                .setTensorContent(ByteString.copyFrom(new byte[] {1, 9, 99})));
            default -> {
                String[] both = what.split("@", -1);
                long[] sizes = both.length > 1 ? longs(both[1]) : new long[] {ints(both[0]).length};
                graph.ints(name, sizes, ints(both[0]));
            }
        }
    }

    private static AttrValue shape(String sizes) {
        TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
        LongStream.of(longs(sizes))
                .forEach(size -> shape.addDim(TensorShapeProto.Dim.newBuilder().setSize(size)));
        return AttrValue.newBuilder().setShape(shape).build();
    }

    /** The results, or the refusal. */
    private String outcome(Engine engine, Case of, Stream<String> attributes) throws IOException {
        TfGraph graph = new TfGraph();
        Map<String, Tensor> inputs = new HashMap<>();
        List<String> names = new ArrayList<>();
        for (String operand : parts(of.operands())) {
            names.add("i" + names.size());
            operand(graph, operand, names.get(names.size() - 1), names.size(), inputs);
        }
        Map<Boolean, List<String>> shapes =
                attributes.collect(Collectors.partitioningBy(each -> each.contains("=shape:")));
        graph.node(
                of.op(),
                "y",
                String.join(" ", names),
                Objects.requireNonNull(shapes.get(false)).toArray(String[]::new));
        Objects.requireNonNull(shapes.get(true))
                .forEach(each -> graph.with(node -> node.putAttr(name(each), shape(each.replaceFirst(".*:", "")))));
        if (of.op().equals("Placeholder")) {
            inputs.put("y", Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3));
        }
        graph.node("Identity", "z", of.port() == 0 ? "y" : "y:" + of.port());
        try (Model model = engine.load(engine.read(graph.write(folder)));
                Session session = model.session();
                Result result = session.run(inputs)) {
            return model.graph().inputs()
                    + result.outputs().entrySet().stream()
                            .map(y -> y.getKey()
                                    + y.getValue()
                                    + Arrays.toString(y.getValue().toDoubleArray()))
                            .collect(Collectors.joining());
        } catch (GraphException | InputException | IllegalArgumentException refusal) {
            return REFUSED + refusal.getMessage();
        }
    }

    private static Engine cpu() {
        return Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
    }

    @Test
    void everyAttributeHasACase() {
        Map<String, Set<String>> tried = new HashMap<>();
        for (Case each : all()) {
            each.others()
                    .forEach(other -> tried.computeIfAbsent(each.op(), op -> new TreeSet<>())
                            .add(name(other)));
        }
        OpAttributes.OTHERS.forEach((op, attributes) -> {
            // the value of a constant is all that there is of it
            if (!op.equals("Const")) {
                assertThat(tried.getOrDefault(op, Set.of())).as(op).containsAll(attributes);
            }
        });
    }

    @Test
    void everyAttributeChangesTheResultOrIsRefused() throws IOException {
        List<String> wrong = new ArrayList<>();
        try (Engine engine = cpu()) {
            for (Case each : all()) {
                String before = outcome(engine, each, each.attributes(""));
                if (before.startsWith(REFUSED)) {
                    wrong.add(each + ": " + before);
                }
                for (String other : each.others()) {
                    String name = name(other);
                    String after = outcome(engine, each, Stream.concat(each.attributes(name), Stream.of(other)));
                    boolean fits = !OF_SHAPES.contains(name) && !OF_SHAPES.contains(each.op() + " " + name);
                    boolean told = after.startsWith(REFUSED) ? after.contains(name) || !fits : !after.equals(before);
                    boolean excused = WITHOUT_EFFECT.containsKey(name)
                            || WITHOUT_EFFECT.containsKey(each.op() + " " + name)
                            || name.equals("SrcT");
                    if (excused ? !after.equals(before) : !told) {
                        wrong.add(each.op() + " " + other + ": " + after);
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void attributesThatNoOperatorHasAreRefused() throws IOException {
        List<String> wrong = new ArrayList<>();
        try (Engine engine = cpu()) {
            for (String op : operators()) {
                Case unary = new Case(op, op.equals("Const") ? "" : "p1,4,4,1", "");
                String after = outcome(engine, unary, Stream.of("foreign=1"));
                if (!after.startsWith(REFUSED) || !after.contains("'foreign'")) {
                    wrong.add(op + ": " + after);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void attributesThatAnOperatorNeedsAreAskedFor() throws IOException {
        Map<String, String> wrong = new HashMap<>();
        try (Engine engine = cpu()) {
            for (String op : OpAttributes.REQUIRED.keySet()) {
                Case given = all().stream()
                        .filter(each -> each.op().equals(op))
                        .findFirst()
                        .orElse(new Case(op, "", ""));
                for (String name : Objects.requireNonNull(OpAttributes.REQUIRED.get(op))) {
                    String after = outcome(engine, given, given.attributes(name));
                    if (!after.endsWith("attribute '" + name + "' is missing; " + op + " needs it")) {
                        wrong.put(op + " " + name, after);
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void aListOfNothingIsNoWindow() throws IOException {
        try (Engine engine = cpu()) {
            Case pool = new Case("MaxPool", PICTURE, "");
            Stream<String> given = Stream.of("ksize=[1,2,2,1]", "padding=SAME", "strides=[]");
            assertThat(outcome(engine, pool, given)).endsWith("attribute 'strides' is missing; MaxPool needs it");
        }
    }

    private static Set<String> operators() {
        TfNetwork network = new TfNetwork(new TfGraph().input("x", 1).build(), "graph.pb");
        return new TreeSet<>(new TfTranslatorTable(network, OpCatalog.builtIn()).operators());
    }
}
