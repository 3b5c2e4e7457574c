package org.clinfer.importer.onnx.export;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.InputException;
import org.clinfer.Model;
import org.clinfer.Result;
import org.clinfer.Session;
import org.clinfer.cli.verify.CaseFinder;
import org.clinfer.cli.verify.TestCase;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.SourceRef;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Importers;
import org.clinfer.importer.Params;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.tensor.Comparison;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.clinfer.tensor.Tolerance;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written as ONNX and read again gives the same numbers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OnnxExporterTest {

    private static final Path SETS = Path.of(System.getProperty("clinfer.conformance", "../shared/conformance"));

    /** Both run the same kernels; formulas in the place of one operator round once more or less. */
    private static final Tolerance TOLERANCE = new Tolerance(Optional.of(1e-6), Optional.of(0.0));

    private static final SourceRef MEMORY = new SourceRef("memory", "");

    private final Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));

    @TempDir
    Path folder;

    @AfterAll
    void close() {
        engine.close();
    }

    private Path write(Graph graph) throws IOException {
        OnnxExporter.Content content = new OnnxExporter(OpCatalog.builtIn()).content(graph);
        Path file = folder.resolve("m.onnx");
        try (OutputStream out = Files.newOutputStream(file)) {
            content.writeTo(out);
        }
        return file;
    }

    private static Tensor random(DType dtype, Random random, long... sizes) {
        Tensor tensor = Tensor.allocate(dtype, sizes);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, dtype.isFloating() ? random.nextGaussian() : random.nextInt(2));
        }
        return tensor;
    }

    private static Tensor random(long... sizes) {
        return random(DType.FLOAT32, new Random(sizes.length), sizes);
    }

    /** Values for every input; sizes that are not known are 2. */
    private static Map<String, Tensor> inputs(Graph graph) {
        Map<String, Tensor> inputs = new LinkedHashMap<>();
        Random random = new Random(1);
        for (Graph.Input input : graph.inputs()) {
            long[] sizes = input.type().shape().dims().stream()
                    .mapToLong(dim -> dim instanceof Dim.Known known ? known.size() : 2)
                    .toArray();
            inputs.put(input.name(), random(input.type().dtype(), random, sizes));
        }
        return inputs;
    }

    private Map<String, Tensor> run(Graph graph, Map<String, Tensor> inputs) {
        try (Model model = engine.load(graph);
                Session session = model.session();
                Result result = session.run(inputs)) {
            Map<String, Tensor> outputs = new LinkedHashMap<>();
            result.outputs().forEach((name, tensor) -> outputs.put(name, tensor.copy()));
            return outputs;
        }
    }

    private static void assertSame(Map<String, Tensor> wanted, Map<String, Tensor> found, String what) {
        assertThat(found.keySet()).as(what).isEqualTo(wanted.keySet());
        wanted.forEach(
                (name, tensor) -> assertThat(Comparison.difference(tensor, requireNonNull(found.get(name)), TOLERANCE))
                        .as("%s: %s", what, name)
                        .isEmpty());
    }

    /** A graph of one node; the first input is given with the run, the others are constants. */
    private static Graph graph(String op, TensorType x, Params params, int outputs, Tensor... constants) {
        GraphBuilder graph = new GraphBuilder("one", MEMORY).input("x", x);
        List<String> inputs = new ArrayList<>(List.of("x"));
        for (int i = 0; i < constants.length; i++) {
            graph.constant("c" + i, constants[i]);
            inputs.add("c" + i);
        }
        List<String> names = IntStream.range(0, outputs).mapToObj(i -> "y" + i).toList();
        graph.node("node", op, inputs, names, params.map());
        names.forEach(graph::output);
        return graph.build();
    }

    private void same(Graph graph, String what) throws IOException {
        Map<String, Tensor> inputs = inputs(graph);
        Graph again = Importers.builtIn().read(write(graph));
        assertThat(again.inputs()).as(what).isEqualTo(graph.inputs());
        assertThat(again.outputs()).as(what).isEqualTo(graph.outputs());
        assertSame(run(graph, inputs), run(again, inputs), what);
    }

    private void same(String op, long[] x, Params params, Tensor... constants) throws IOException {
        Graph graph = graph(op, TensorType.of(DType.FLOAT32, x), params, 1, constants);
        same(graph, op + " " + params.map());
    }

    private static Params params() {
        return new Params();
    }

    private static long[] of(long... values) {
        return values;
    }

    private List<String> operators(Graph graph) throws IOException {
        ModelProto model = ModelProto.parseFrom(Files.readAllBytes(write(graph)));
        return model.getGraph().getNodeList().stream().map(NodeProto::getOpType).toList();
    }

    /** ONNX has no operator for them: it makes numbers of the codes, adds these and makes codes of the sum. */
    @Test
    void sumsOfCodes() throws IOException {
        Graph sum = graph(
                "QuantizedAdd",
                TensorType.of(DType.UINT8, 2, 3, 5),
                params(),
                1,
                codes(IntStream.range(0, 30).toArray()).reshaped(Shape.of(2, 3, 5)),
                codes(3),
                codes(1),
                Tensor.of(new float[] {0.25f}, 1),
                Tensor.of(new float[] {0.5f}, 1),
                Tensor.of(new float[] {0.25f}, 1),
                codes(7));
        same(sum, "QuantizedAdd");
        assertThat(operators(sum)).contains("DequantizeLinear", "Add", "QuantizeLinear");
    }

    private static Tensor codes(int... values) {
        Tensor codes = Tensor.allocate(DType.UINT8, values.length);
        for (int i = 0; i < values.length; i++) {
            codes.setDouble(i, values[i]);
        }
        return codes;
    }

    @Test
    void poolsOfRegions() throws IOException {
        Tensor regions = Tensor.of(new float[] {0, 1, 2, 13, 9, 1, 0, 0, 3, 15, 0, 8, 8, 8, 8}, 3, 5);
        Params halves = params().put("pooled_size", of(2, 3)).put("spatial_scale", 0.5);
        same("RoiPool", of(2, 3, 8, 9), halves, regions);
        same("RoiPool", of(2, 3, 8, 9), params().put("pooled_size", of(4, 1)), regions);
    }

    @Test
    void convolutions() throws IOException {
        Tensor weights = random(4, 2, 3, 3);
        for (String mode : List.of("SAME", "SAME_LOWER", "VALID")) {
            same("Conv2d", of(1, 4, 7, 8), params().put("group", 2).put("pad_mode", mode), weights, random(4));
        }
        Params uneven = params().put("group", 2)
                .put("padding", of(1, 2, 0, 3))
                .put("strides", of(2, 1))
                .put("dilation", of(1, 2))
                .put("kernel_size", of(3, 3))
                .put("bias_term", false);
        same("Conv2d", of(2, 4, 7, 8), uneven, weights);
        same("DepthwiseConv2d", of(1, 3, 7, 6), params().put("strides", of(2, 2)), random(2, 3, 3, 2), random(6));
        same("DepthwiseConv2d", of(1, 3, 7, 6), params().put("group", 3), random(1, 3, 3, 2));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void convolutionsOfSeveralAxesAndLayouts(int spatial) throws IOException {
        long[] ones = IntStream.range(0, spatial).mapToLong(i -> 1).toArray();
        long[] twos = IntStream.range(0, spatial).mapToLong(i -> 2).toArray();
        long[][] weights = {{3, 2, 4}, {3, 2, 2, 4}, {3, 2, 1, 2, 4}};
        long[][] last = {{2, 7, 4}, {2, 7, 6, 4}, {2, 7, 6, 5, 4}};
        Params params = params().put("strides", twos)
                .put("pads_begin", ones)
                .put("pads_end", twos)
                .put("dilations", ones)
                .put("groups", 2);
        same("Convolution", last[spatial - 1], params, random(weights[spatial - 1]), random(4));
        same("Convolution", last[spatial - 1], params.put("auto_pad", "same_upper"), random(weights[spatial - 1]));
        long[][] transposed = {{3, 2, 4}, {3, 2, 2, 4}, {3, 2, 1, 2, 4}};
        Params back = params().put("data_format", "NXC")
                .put("weights_format", "XOI")
                .put("strides", twos)
                .put("group", 2);
        same("ConvTranspose", last[spatial - 1], back, random(transposed[spatial - 1]), random(4));
    }

    @Test
    void transposedConvolutions() throws IOException {
        Tensor weights = random(4, 3, 3, 3);
        long[] x = of(1, 4, 5, 6);
        Params strided = params().put("strides", of(2, 3));
        same("Conv2dTranspose", x, strided, weights, random(3));
        same("Conv2dTranspose", x, params().put("padding", of(1, 0, 2, 1)).put("dilation", of(2, 1)), weights);
        for (String mode : List.of("SAME", "SAME_LOWER", "VALID")) {
            same("Conv2dTranspose", x, params().put("strides", of(2, 2)).put("pad_mode", mode), weights);
        }
        for (long size : of(9, 10)) {
            Params shaped = params().put("strides", of(2, 2))
                    .put("output_shape", of(1, 3, size, 12))
                    .put("pad_mode", "SAME");
            same("Conv2dTranspose", x, shaped, weights);
        }
        same("Conv2dTranspose", x, params().put("strides", of(2, 2)).put("output_padding", of(1, 0)), weights);
        same("Conv2dTranspose", x, params().put("strides", of(4, 4)).put("pad_mode", "SAME"), weights);
        same("Deconvolution", x, params().put("stride", of(2)).put("pad_h", 1).put("pad_w", 2), weights, random(3));
    }

    @Test
    void pools() throws IOException {
        for (String op : List.of("MaxPool", "AvgPool")) {
            Params window = params().put("kernel_size", of(3, 2)).put("strides", of(2, 2));
            same(op, of(1, 2, 8, 7), window.put("padding", of(1, 1, 0, 1)).put("ceil_mode", "CEIL"));
            same(op, of(1, 2, 8, 7), params().put("kernel_size", of(3, 3)).put("pad_mode", "SAME"));
            same(op, of(1, 2, 8, 7), params().put("kernel_size", of(3, 3)).put("dilation", of(2, 2)));
            same(op, of(1, 2, 8, 7), params().put("is_global", true));
            same(op, of(1, 2, 8), params().put("is_global", true));
        }
        Params padded = params().put("kernel_size", of(3, 3)).put("padding", of(1, 1, 1, 1));
        same("AvgPool", of(1, 2, 5, 5), padded.put("count_include_pad", false));
    }

    @Test
    void matrices() throws IOException {
        same("InnerProduct", of(2, 3, 4, 5), params().put("bias_term", true), random(6, 60), random(6));
        same("InnerProduct", of(2, 3, 4, 5), params(), random(6, 3, 4, 5));
        Params gemm = params().put("alpha", 0.5).put("beta", 2.0).put("transpose_b", true);
        same("Gemm", of(3, 4), gemm, random(5, 4), random(5));
        same("MatMul", of(2, 3, 4), params(), random(4, 5));
    }

    @Test
    void normalizations() throws IOException {
        Tensor positive = Tensor.of(new float[] {1, 2, 3}, 3);
        same("BatchNorm", of(2, 3, 4, 4), params(), random(3), random(3), random(3), positive);
        same("InstanceNorm", of(2, 3, 4, 4), params().put("epsilon", 0.1), random(3), positive);
        same("LayerNorm", of(2, 3, 4), params().put("axis", 1), random(3, 4), random(3, 4));
        same("RmsNorm", of(2, 3, 4), params(), random(4));
        same("Lrn", of(1, 7, 3, 3), params().put("size", 5).put("alpha", 0.3));
        for (String op : List.of("Softmax", "LogSoftmax")) {
            same(op, of(2, 3, 4), params());
            same(op, of(2, 3, 4), params().put("axis", 1).put("flatten", true));
            same(op, of(2, 3, 4), params().put("axis", -2).put("flatten", false));
        }
    }

    @Test
    void operatorsThatOnnxHasAlike() throws IOException {
        for (String op : List.of("Tan", "Atan", "Sinh", "Cosh", "Asinh", "Celu", "ThresholdedRelu", "Shrink")) {
            same(op, of(3, 50), params());
        }
        same("Shrink", of(3, 50), params().put("lambd", 0.25).put("bias", 0.5));
        same("Mod", of(3, 50), params().put("fmod", true), random(50));
        same("ArgMax", of(3, 4, 5), params().put("axis", 1).put("keepdims", false));
        same("ArgMin", of(3, 4, 5), params().put("select_last_index", true));
        same(
                "CumSum",
                of(3, 4, 5),
                params().put("axis", 1).put("exclusive", true).put("reverse", true));
        same("TopK", of(3, 9), params().put("k", 4).put("largest", false));
        same(graph("TopK", TensorType.of(DType.FLOAT32, 3, 9), params().put("k", 4), 2), "TopK of two outputs");
        same("GatherElements", of(3, 4), params().put("axis", 1), Tensor.of(new long[] {0, -1, 2, 3, 1, 1}, 3, 2));
        same("GatherND", of(3, 4), params(), Tensor.of(new long[] {0, -1, 2, 3}, 2, 2));
        same("ScatterND", of(3, 4), params().put("reduction", "add"), Tensor.of(new long[] {0, 2}, 2, 1), random(2, 4));
        same("ReverseSequence", of(4, 3), params(), Tensor.of(new long[] {4, 0, 2}, 3));
        same("Det", of(2, 3, 3), params());
    }

    @Test
    void samplesAndPlaces() throws IOException {
        Params mode =
                params().put("mode", "cubic").put("padding_mode", "border").put("align_corners", true);
        same("GridSample", of(2, 3, 5, 6), mode, random(2, 4, 4, 2));
        Params windows = params().put("output_height", 2).put("output_width", 3).put("sampling_ratio", 2);
        Tensor regions = Tensor.of(new float[] {0, 1, 4, 5, 1, 1, 3, 3}, 2, 4);
        same("RoiAlign", of(1, 2, 7, 7), windows, regions, Tensor.of(new long[] {0, 0}, 2));
        same(
                "DeformConv",
                of(1, 2, 5, 5),
                params().put("pads", of(1, 0, 1, 0)),
                random(3, 2, 3, 3),
                random(1, 18, 5, 3));
        Params window = params().put("kernel_size", of(2, 2)).put("strides", of(2, 2));
        same("MaxPoolIndices", of(1, 2, 4, 6), window);
        same("MaxPoolIndices", of(1, 2, 4, 6), window.put("storage_order", 1));
        Tensor places = Tensor.of(new long[] {0, 2, 8, 15}, 1, 1, 2, 2);
        Params unpool = params().put("kernel_shape", of(2, 2)).put("strides", of(2, 2));
        same("MaxUnpool", of(1, 1, 2, 2), unpool, places);
        same("Col2Im", of(1, 4, 16), params(), Tensor.of(new long[] {5, 5}, 2), Tensor.of(new long[] {2, 2}, 2));
    }

    @Test
    void recurrentLayers() throws IOException {
        same("Lstm", of(4, 2, 3), params(), random(20, 3), random(20, 5));
        Params coupled = params().put("input_forget", true).put("clip", 0.5).put("reverse", true);
        same("Lstm", of(4, 2, 3), coupled, random(20, 3), random(20, 5), random(20), random(2, 5), random(2, 5));
        Params others = params().put("linear_before_reset", true)
                .put("activations", Attribute.ofTexts(List.of("HardSigmoid", "Softsign")))
                .put("activation_alpha", new double[] {0.25, 1})
                .put("activation_beta", new double[] {0.5, 1});
        same("Gru", of(4, 2, 3), others, random(15, 3), random(15, 5), random(15), random(15));
        same("Gru", of(4, 2, 3), params(), random(15, 3), random(15, 5));
        same(graph("Rnn", TensorType.of(DType.FLOAT32, 4, 2, 3), params(), 2, random(5, 3), random(5, 5)), "Rnn");
        assertThat(refusal(graph(
                        "Lstm", TensorType.of(DType.FLOAT32, 4, 2, 3), params(), 2, random(20, 3), random(20, 5))))
                .contains("cells of each step");
    }

    @Test
    void elements() throws IOException {
        for (String op : List.of("Relu", "Relu6", "HardSwish", "Elu", "LeakyRelu", "HardSigmoid", "Selu", "Swish")) {
            same(op, of(3, 50), params());
        }
        for (String op : List.of("Round", "Floor", "Sign", "Erf", "Softplus", "Dropout", "Gelu", "Tanh")) {
            same(op, of(3, 50), params());
        }
        same("Swish", of(3, 50), params().put("alpha", 1.7));
        same("Gelu", of(3, 50), params().put("approximate", "TANH"));
        same("Clip", of(3, 50), params().put("min", -0.25));
        same("Clip", of(3, 50), params().put("max", 0.5).put("min", -0.25));
        same("PRelu", of(2, 3, 4, 5), params().put("per_channel", true), random(3));
        same("PRelu", of(2, 3, 4, 5), params(), random(3, 1, 1));
        same("Eltwise", of(2, 3), params().put("alpha", of(1, -2, 3)), random(2, 3), random(2, 3));
        same("Cast", of(2, 3), params().put("to", "int32"));
        same("Pow", of(2, 3), params(), Tensor.scalar(2f));
        for (String op : List.of("Add", "Sub", "Mul", "Div", "Sum", "Max", "Min", "Less", "Equal")) {
            same(op, of(2, 3), params(), random(3));
        }
        Graph whole = graph("Sum", TensorType.of(DType.INT32, 4), params(), 1, Tensor.allocate(DType.INT32, 4));
        same(whole, "Sum of integers");
        assertThat(operators(whole)).containsExactly("Add");
    }

    @Test
    void shapes() throws IOException {
        long[] x = of(2, 3, 4);
        same("Reshape", x, params().put("shape", of(0, -1)));
        same("Flatten", x, params().put("axis", 2));
        same("Unsqueeze", x, params().put("axis", of(0, -1)));
        same("Squeeze", of(1, 3, 1), params());
        same("Squeeze", of(1, 3, 1), params().put("axis", of(2)));
        same("Squeeze", of(1, 3, 1), params(), Tensor.of(new long[] {0}, 1));
        same("Transpose", x, params());
        same("Transpose", x, params().put("perm", of(1, 0, 2)));
        same("Expand", of(3, 1), params().put("shape", of(2, 1, 4)));
        same("DeePhiTile", of(2, 3), params().put("multiples", of(2, 3)));
        same("Concat", x, params().put("axis", -1), random(2, 3, 1));
        same("Gather", x, params().put("axis", 1), Tensor.of(new long[] {2, -3}, 2));
        same(
                "Slice",
                x,
                params().put("starts", of(-1, 0)).put("ends", of(-5, 2)).put("steps", of(-2, 1)));
        same("Slice", x, params().put("starts", of(1)).put("ends", of(3)).put("axes", of(2)));
        TensorType type = TensorType.of(DType.FLOAT32, x);
        same(graph("Split", type, params().put("axis", 2).put("split", of(1, 3)), 2), "sizes");
        same(graph("Split", type, params().put("axis", 2).put("num_outputs", 3), 3), "equal parts");
        same("Pad", of(2, 3), params().put("pad_with", of(1, 0, 0, 2)).put("constant_value", 1.5));
        same("Pad", of(2, 3), params().put("pads", of(1, 2)).put("axes", of(1)));
        for (String mode : List.of("REFLECT", "EDGE", "WRAP")) {
            same("Pad", of(4, 5), params().put("mode", mode).put("pad_with", of(1, 2, 3, 0)));
        }
        same("Mean", x, params().put("axis", of(0, 2)));
        same("ReduceLogSumExp", x, params().put("axis", of(-1)).put("keep_dims", true));
        same("ReduceMax", x, params());
        same("ReduceL2", x, params().put("noop_with_empty_axis", true));
        same("Shape", x, params().put("start", 1));
    }

    @ParameterizedTest
    @CsvSource({"DCR,false", "DCR,true", "CRD,false", "CRD,true", "DARKNET,false", "DARKNET,true"})
    void blocks(String order, boolean reversed) throws IOException {
        Params params = params().put("scale", 2).put("order", order).put("reversed", reversed);
        same("Reorg", of(2, 16, 4, 6), params);
    }

    @Test
    void resized() throws IOException {
        long[] x = of(1, 2, 5, 4);
        same("Upsample", x, params().put("scale", of(2, 3)));
        same("Upsample", x, params().put("scale", of(2, 3)).put("mode", "NEAREST"));
        Params grown = params().put("scales", new double[] {1, 1, 2, 1.5}).put("coordinate_mode", "asymmetric");
        same("Resize", x, grown.put("nearest_mode", "simple"));
        same("Resize", x, grown.put("mode", "linear"));
        same("Resize", x, grown.put("mode", "cubic").put("coordinate_mode", "align_corners"));
        Params sizes = params().put("sizes", of(1, 2, 3, 7));
        same("Resize", x, sizes.put("coordinate_mode", "tf_half_pixel_for_nn").put("nearest_mode", "floor"));
        same("Resize", x, params().put("sizes", of(3, 9)).put("axes", of(2, 3)).put("mode", "linear"));
    }

    @Test
    void theFormatIsOldWhereItCanBe() throws IOException {
        TensorType open = new TensorType(DType.FLOAT32, new Shape(List.of(Dim.named("n"), Dim.of(3), Dim.unknown())));
        Graph graph = graph("Relu", open, params(), 1);
        same(graph, "named sizes");
        ModelProto model = ModelProto.parseFrom(Files.readAllBytes(write(graph)));
        assertThat(model.getIrVersion()).isEqualTo(8);
        assertThat(model.getOpsetImport(0).getVersion()).isEqualTo(18);
        Graph later = graph("RmsNorm", TensorType.of(DType.FLOAT32, 2, 4), params(), 1, random(4));
        ModelProto newer = ModelProto.parseFrom(Files.readAllBytes(write(later)));
        assertThat(newer.getIrVersion()).isEqualTo(11);
        assertThat(newer.getOpsetImport(0).getVersion()).isEqualTo(23);
    }

    private static String refusal(Graph graph) {
        try {
            new OnnxExporter(OpCatalog.builtIn()).content(graph);
            return "";
        } catch (UnsupportedException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    @Test
    void whatOnnxCannotSayIsNamed() {
        TensorType x = TensorType.of(DType.FLOAT32, 1, 2, 8, 8);
        assertThat(refusal(graph("DeePhiDownsample", x, params().put("scale", of(2, 2)), 1)))
                .isEqualTo("memory: node 0 'node' (DeePhiDownsample): ONNX has no operator DeePhiDownsample");
        assertThat(refusal(graph("Relu", x, params().put("frob", 1), 1))).contains("with parameter frob");
        assertThat(refusal(graph("Elu", x, params().put("alpha", "much"), 1))).contains("parameter alpha much");
        assertThat(refusal(graph("Lrn", x, params(), 1))).contains("no parameter size");
        Params corners = params().put("pad_with", of(1, 1, 0, 0, 0, 0, 0, 0))
                .put("constant_values", new double[] {1, 2, 0, 0, 0, 0, 0, 0});
        assertThat(refusal(graph("Pad", x, corners, 1))).contains("several constant_values");
        Params third = params().put("scales", new double[] {1, 1, 1.0 / 3, 1});
        assertThat(refusal(graph("Resize", x, third, 1))).contains("scale 0.333");
        Params ceil = params().put("strides", of(2, 2)).put("ceil_mode", "CEIL");
        assertThat(refusal(graph("Conv2d", x, ceil, 1, random(2, 2, 2, 2)))).contains("ceil_mode CEIL");
        TensorType bytes = TensorType.of(DType.INT8, 1, 2, 8, 8);
        assertThat(refusal(graph("Conv2d", bytes, params(), 1, Tensor.allocate(DType.INT8, 2, 2, 2, 2))))
                .contains("elements of int8");
        assertThat(refusal(graph("Identity", TensorType.of(DType.U1, 8), params(), 1)))
                .contains("input 'x': ONNX has no data type u1");
    }

    @Test
    void refusalsAreNamedTogether() {
        Graph graph = new GraphBuilder("two", MEMORY)
                .input("x", DType.FLOAT32, 1, 1, 8, 8)
                .node(
                        "a",
                        "DeePhiDownsample",
                        List.of("x"),
                        List.of("h"),
                        params().put("scale", of(2, 2)).map())
                .node("b", "Relu", List.of("h"), List.of("r"), Map.of())
                .node(
                        "c",
                        "DeePhiDownsample",
                        List.of("r"),
                        List.of("y"),
                        params().put("scale", of(2, 2)).map())
                .output("y")
                .build();
        assertThat(refusal(graph))
                .isEqualTo("memory: 2 nodes cannot be written as ONNX:"
                        + " node 0 'a' (DeePhiDownsample): ONNX has no operator DeePhiDownsample;"
                        + " node 2 'c' (DeePhiDownsample): ONNX has no operator DeePhiDownsample");
    }

    @Test
    void filesEndAtTwoGiB() {
        Tensor large = Tensor.allocate(DType.INT8, 1 << 28);
        GraphBuilder graph = new GraphBuilder("large", MEMORY);
        for (int i = 0; i < 9; i++) {
            graph.constant("c" + i, large).output("c" + i);
        }
        assertThatThrownBy(() -> new OnnxExporter(OpCatalog.builtIn()).content(graph.build()))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("such files end at 2 GiB");
        large.close();
    }

    /** What ONNX cannot say: Upsample's rule before operator set 10 with scales that the run computes. */
    private static final Map<String, Set<String>> REFUSED =
            Map.of("opencv-onnx", Set.of("opencv-onnx/upsample_unfused_two_inputs_opset9_torch1.4"));

    @ParameterizedTest
    @CsvSource({
        "onnx-node,360",
        "opencv-onnx,110",
        "opencv-caffe,15",
        "opencv-tf,50",
        "opencv-darknet,10",
        "models/lenet,1",
        "models/mnist-8,1",
        "models/samplenet,2",
        "models/fsrcnn_x2,1"
    })
    void publicModels(String set, int atLeast) throws IOException {
        Assumptions.assumeTrue(Files.isDirectory(SETS.resolve(set)), () -> SETS.resolve(set) + " is not there");
        Map<String, String> refused = new TreeMap<>();
        Map<String, String> failed = new TreeMap<>();
        int same = 0;
        int notRun = 0;
        for (TestCase test : CaseFinder.find(SETS.resolve(set))) {
            Graph graph;
            Map<String, Tensor> wanted;
            Map<String, Tensor> inputs;
            try {
                graph = Importers.builtIn().read(test.models().get(0));
                inputs = inputs(graph);
                wanted = run(graph, inputs);
            } catch (GraphException | InputException other) {
                notRun++; // there are operators that Clinfer lacks, and inputs for which random numbers are not right
                continue;
            }
            try {
                assertSame(wanted, run(Importers.builtIn().read(write(graph)), inputs), test.name());
                same++;
            } catch (UnsupportedException lacking) {
                refused.put(test.name(), String.valueOf(lacking.getMessage()));
            } catch (GraphException | AssertionError different) {
                failed.put(test.name(), String.valueOf(different.getMessage()));
            }
        }
        System.out.println(set + ": " + same + " models give the same numbers as ONNX, " + notRun
                + " do not run with random inputs, refused are " + refused);
        assertThat(failed).isEmpty();
        assertThat(new TreeSet<>(refused.keySet())).isEqualTo(REFUSED.getOrDefault(set, Set.of()));
        assertThat(same).isGreaterThanOrEqualTo(atLeast);
    }
}
