package org.clinfer.importer.onnx.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.clinfer.importer.onnx.export.RoundTrip.graph;
import static org.clinfer.importer.onnx.export.RoundTrip.params;
import static org.clinfer.importer.onnx.export.RoundTrip.random;
import static org.clinfer.importer.onnx.export.RoundTrip.refusal;
import static org.clinfer.importer.onnx.export.RoundTrip.sizes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.importer.Params;
import org.clinfer.importer.onnx.proto.ModelProto;
import org.clinfer.importer.onnx.proto.NodeProto;
import org.clinfer.importer.onnx.proto.TypeProto;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written as ONNX and read again gives the same numbers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OnnxExporterTest {

    @TempDir
    Path folder;

    private final RoundTrip files = new RoundTrip(() -> folder);

    @AfterAll
    void close() {
        files.close();
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
        files.same(sum, "QuantizedAdd");
        assertThat(files.operators(sum)).contains("DequantizeLinear", "Add", "QuantizeLinear");
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
        Params halves = params().put("pooled_size", sizes(2, 3)).put("spatial_scale", 0.5);
        files.same("RoiPool", sizes(2, 3, 8, 9), halves, regions);
        files.same("RoiPool", sizes(2, 3, 8, 9), params().put("pooled_size", sizes(4, 1)), regions);
    }

    @Test
    void convolutions() throws IOException {
        Tensor weights = random(4, 2, 3, 3);
        for (String mode : List.of("SAME", "SAME_LOWER", "VALID")) {
            files.same("Conv2d", sizes(1, 4, 7, 8), params().put("group", 2).put("pad_mode", mode), weights, random(4));
        }
        Params uneven = params().put("group", 2)
                .put("padding", sizes(1, 2, 0, 3))
                .put("strides", sizes(2, 1))
                .put("dilation", sizes(1, 2))
                .put("kernel_size", sizes(3, 3))
                .put("bias_term", false);
        files.same("Conv2d", sizes(2, 4, 7, 8), uneven, weights);
        files.same(
                "DepthwiseConv2d",
                sizes(1, 3, 7, 6),
                params().put("strides", sizes(2, 2)),
                random(2, 3, 3, 2),
                random(6));
        files.same("DepthwiseConv2d", sizes(1, 3, 7, 6), params().put("group", 3), random(1, 3, 3, 2));
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
        files.same("Convolution", last[spatial - 1], params, random(weights[spatial - 1]), random(4));
        files.same(
                "Convolution", last[spatial - 1], params.put("auto_pad", "same_upper"), random(weights[spatial - 1]));
        long[][] transposed = {{3, 2, 4}, {3, 2, 2, 4}, {3, 2, 1, 2, 4}};
        Params back = params().put("data_format", "NXC")
                .put("weights_format", "XOI")
                .put("strides", twos)
                .put("group", 2);
        files.same("ConvTranspose", last[spatial - 1], back, random(transposed[spatial - 1]), random(4));
    }

    @Test
    void transposedConvolutions() throws IOException {
        Tensor weights = random(4, 3, 3, 3);
        long[] x = sizes(1, 4, 5, 6);
        Params strided = params().put("strides", sizes(2, 3));
        files.same("Conv2dTranspose", x, strided, weights, random(3));
        files.same(
                "Conv2dTranspose", x, params().put("padding", sizes(1, 0, 2, 1)).put("dilation", sizes(2, 1)), weights);
        for (String mode : List.of("SAME", "SAME_LOWER", "VALID")) {
            files.same(
                    "Conv2dTranspose", x, params().put("strides", sizes(2, 2)).put("pad_mode", mode), weights);
        }
        for (long size : sizes(9, 10)) {
            Params shaped = params().put("strides", sizes(2, 2))
                    .put("output_shape", sizes(1, 3, size, 12))
                    .put("pad_mode", "SAME");
            files.same("Conv2dTranspose", x, shaped, weights);
        }
        files.same(
                "Conv2dTranspose", x, params().put("strides", sizes(2, 2)).put("output_padding", sizes(1, 0)), weights);
        files.same("Conv2dTranspose", x, params().put("strides", sizes(4, 4)).put("pad_mode", "SAME"), weights);
        files.same(
                "Deconvolution",
                x,
                params().put("stride", sizes(2)).put("pad_h", 1).put("pad_w", 2),
                weights,
                random(3));
    }

    @Test
    void pools() throws IOException {
        for (String op : List.of("MaxPool", "AvgPool")) {
            Params window = params().put("kernel_size", sizes(3, 2)).put("strides", sizes(2, 2));
            files.same(
                    op,
                    sizes(1, 2, 8, 7),
                    window.put("padding", sizes(1, 1, 0, 1)).put("ceil_mode", "CEIL"));
            files.same(
                    op,
                    sizes(1, 2, 8, 7),
                    params().put("kernel_size", sizes(3, 3)).put("pad_mode", "SAME"));
            files.same(
                    op,
                    sizes(1, 2, 8, 7),
                    params().put("kernel_size", sizes(3, 3)).put("dilation", sizes(2, 2)));
            files.same(op, sizes(1, 2, 8, 7), params().put("is_global", true));
            files.same(op, sizes(1, 2, 8), params().put("is_global", true));
        }
        Params padded = params().put("kernel_size", sizes(3, 3)).put("padding", sizes(1, 1, 1, 1));
        files.same("AvgPool", sizes(1, 2, 5, 5), padded.put("count_include_pad", false));
    }

    @Test
    void matrices() throws IOException {
        files.same("InnerProduct", sizes(2, 3, 4, 5), params().put("bias_term", true), random(6, 60), random(6));
        files.same("InnerProduct", sizes(2, 3, 4, 5), params(), random(6, 3, 4, 5));
        Params gemm = params().put("alpha", 0.5).put("beta", 2.0).put("transpose_b", true);
        files.same("Gemm", sizes(3, 4), gemm, random(5, 4), random(5));
        files.same("MatMul", sizes(2, 3, 4), params(), random(4, 5));
    }

    @Test
    void normalizations() throws IOException {
        Tensor positive = Tensor.of(new float[] {1, 2, 3}, 3);
        files.same("BatchNorm", sizes(2, 3, 4, 4), params(), random(3), random(3), random(3), positive);
        files.same("InstanceNorm", sizes(2, 3, 4, 4), params().put("epsilon", 0.1), random(3), positive);
        files.same("LayerNorm", sizes(2, 3, 4), params().put("axis", 1), random(3, 4), random(3, 4));
        files.same("RmsNorm", sizes(2, 3, 4), params(), random(4));
        files.same("Lrn", sizes(1, 7, 3, 3), params().put("size", 5).put("alpha", 0.3));
        for (String op : List.of("Softmax", "LogSoftmax")) {
            files.same(op, sizes(2, 3, 4), params());
            files.same(op, sizes(2, 3, 4), params().put("axis", 1).put("flatten", true));
            files.same(op, sizes(2, 3, 4), params().put("axis", -2).put("flatten", false));
        }
    }

    @Test
    void operatorsThatOnnxHasAlike() throws IOException {
        for (String op : List.of("Tan", "Atan", "Sinh", "Cosh", "Asinh", "Celu", "ThresholdedRelu", "Shrink")) {
            files.same(op, sizes(3, 50), params());
        }
        files.same("Shrink", sizes(3, 50), params().put("lambd", 0.25).put("bias", 0.5));
        files.same("Mod", sizes(3, 50), params().put("fmod", true), random(50));
        files.same("ArgMax", sizes(3, 4, 5), params().put("axis", 1).put("keepdims", false));
        files.same("ArgMin", sizes(3, 4, 5), params().put("select_last_index", true));
        files.same(
                "CumSum",
                sizes(3, 4, 5),
                params().put("axis", 1).put("exclusive", true).put("reverse", true));
        files.same("TopK", sizes(3, 9), params().put("k", 4).put("largest", false));
        files.same(graph("TopK", TensorType.of(DType.FLOAT32, 3, 9), params().put("k", 4), 2), "TopK of two outputs");
        files.same(
                "GatherElements",
                sizes(3, 4),
                params().put("axis", 1),
                Tensor.of(new long[] {0, -1, 2, 3, 1, 1}, 3, 2));
        files.same("GatherND", sizes(3, 4), params(), Tensor.of(new long[] {0, -1, 2, 3}, 2, 2));
        files.same(
                "ScatterND",
                sizes(3, 4),
                params().put("reduction", "add"),
                Tensor.of(new long[] {0, 2}, 2, 1),
                random(2, 4));
        files.same("ReverseSequence", sizes(4, 3), params(), Tensor.of(new long[] {4, 0, 2}, 3));
        files.same("Det", sizes(2, 3, 3), params());
    }

    @Test
    void samplesAndPlaces() throws IOException {
        Params mode =
                params().put("mode", "cubic").put("padding_mode", "border").put("align_corners", true);
        files.same("GridSample", sizes(2, 3, 5, 6), mode, random(2, 4, 4, 2));
        Params windows = params().put("output_height", 2).put("output_width", 3).put("sampling_ratio", 2);
        Tensor regions = Tensor.of(new float[] {0, 1, 4, 5, 1, 1, 3, 3}, 2, 4);
        files.same("RoiAlign", sizes(1, 2, 7, 7), windows, regions, Tensor.of(new long[] {0, 0}, 2));
        files.same(
                "DeformConv",
                sizes(1, 2, 5, 5),
                params().put("pads", sizes(1, 0, 1, 0)),
                random(3, 2, 3, 3),
                random(1, 18, 5, 3));
        Params window = params().put("kernel_size", sizes(2, 2)).put("strides", sizes(2, 2));
        files.same("MaxPoolIndices", sizes(1, 2, 4, 6), window);
        files.same("MaxPoolIndices", sizes(1, 2, 4, 6), window.put("storage_order", 1));
        Tensor places = Tensor.of(new long[] {0, 2, 8, 15}, 1, 1, 2, 2);
        Params unpool = params().put("kernel_shape", sizes(2, 2)).put("strides", sizes(2, 2));
        files.same("MaxUnpool", sizes(1, 1, 2, 2), unpool, places);
        files.same(
                "Col2Im", sizes(1, 4, 16), params(), Tensor.of(new long[] {5, 5}, 2), Tensor.of(new long[] {2, 2}, 2));
    }

    @Test
    void recurrentLayers() throws IOException {
        files.same("Lstm", sizes(4, 2, 3), params(), random(20, 3), random(20, 5));
        Params coupled = params().put("input_forget", true).put("clip", 0.5).put("reverse", true);
        files.same(
                "Lstm", sizes(4, 2, 3), coupled, random(20, 3), random(20, 5), random(20), random(2, 5), random(2, 5));
        Params others = params().put("linear_before_reset", true)
                .put("activations", Attribute.ofTexts(List.of("HardSigmoid", "Softsign")))
                .put("activation_alpha", new double[] {0.25, 1})
                .put("activation_beta", new double[] {0.5, 1});
        files.same("Gru", sizes(4, 2, 3), others, random(15, 3), random(15, 5), random(15), random(15));
        files.same("Gru", sizes(4, 2, 3), params(), random(15, 3), random(15, 5));
        files.same(graph("Rnn", TensorType.of(DType.FLOAT32, 4, 2, 3), params(), 2, random(5, 3), random(5, 5)), "Rnn");
        assertThat(refusal(graph(
                        "Lstm", TensorType.of(DType.FLOAT32, 4, 2, 3), params(), 2, random(20, 3), random(20, 5))))
                .contains("cells of each step");
    }

    @Test
    void elements() throws IOException {
        for (String op : List.of("Relu", "Relu6", "HardSwish", "Elu", "LeakyRelu", "HardSigmoid", "Selu", "Swish")) {
            files.same(op, sizes(3, 50), params());
        }
        for (String op : List.of("Round", "Floor", "Sign", "Erf", "Softplus", "Dropout", "Gelu", "Tanh")) {
            files.same(op, sizes(3, 50), params());
        }
        files.same("Swish", sizes(3, 50), params().put("alpha", 1.7));
        files.same("Gelu", sizes(3, 50), params().put("approximate", "TANH"));
        files.same("Clip", sizes(3, 50), params().put("min", -0.25));
        files.same("Clip", sizes(3, 50), params().put("max", 0.5).put("min", -0.25));
        files.same("PRelu", sizes(2, 3, 4, 5), params().put("per_channel", true), random(3));
        files.same("PRelu", sizes(2, 3, 4, 5), params(), random(3, 1, 1));
        files.same("PRelu", sizes(2, 3, 4, 3), params(), random(3));
        files.same("PRelu", sizes(2, 3, 4, 3), params().put("per_channel", false), random(3));
        files.same("PRelu", sizes(2, 3, 4, 5), params(), random(5));
        files.same("PRelu", sizes(2, 3), params(), random(3));
        files.same("Eltwise", sizes(2, 3), params().put("alpha", sizes(1, -2, 3)), random(2, 3), random(2, 3));
        files.same("Cast", sizes(2, 3), params().put("to", "int32"));
        files.same("Pow", sizes(2, 3), params(), Tensor.scalar(2f));
        for (String op : List.of("Add", "Sub", "Mul", "Div", "Sum", "Max", "Min", "Less", "Equal")) {
            files.same(op, sizes(2, 3), params(), random(3));
        }
        Graph whole = graph("Sum", TensorType.of(DType.INT32, 4), params(), 1, Tensor.allocate(DType.INT32, 4));
        files.same(whole, "Sum of integers");
        assertThat(files.operators(whole)).containsExactly("Add");
    }

    @Test
    void shapes() throws IOException {
        long[] x = sizes(2, 3, 4);
        files.same("Reshape", x, params().put("shape", sizes(0, -1)));
        files.same("Flatten", x, params().put("axis", 2));
        files.same("Unsqueeze", x, params().put("axis", sizes(0, -1)));
        files.same("Squeeze", sizes(1, 3, 1), params());
        files.same("Squeeze", sizes(1, 3, 1), params().put("axis", sizes(2)));
        files.same("Squeeze", sizes(1, 3, 1), params(), Tensor.of(new long[] {0}, 1));
        files.same("Transpose", x, params());
        files.same("Transpose", x, params().put("perm", sizes(1, 0, 2)));
        files.same("Expand", sizes(3, 1), params().put("shape", sizes(2, 1, 4)));
        files.same("DeePhiTile", sizes(2, 3), params().put("multiples", sizes(2, 3)));
        files.same("Concat", x, params().put("axis", -1), random(2, 3, 1));
        files.same("Gather", x, params().put("axis", 1), Tensor.of(new long[] {2, -3}, 2));
        files.same(
                "Slice",
                x,
                params().put("starts", sizes(-1, 0)).put("ends", sizes(-5, 2)).put("steps", sizes(-2, 1)));
        files.same(
                "Slice",
                x,
                params().put("starts", sizes(1)).put("ends", sizes(3)).put("axes", sizes(2)));
        TensorType type = TensorType.of(DType.FLOAT32, x);
        files.same(graph("Split", type, params().put("axis", 2).put("split", sizes(1, 3)), 2), "sizes");
        files.same(graph("Split", type, params().put("axis", 2).put("num_outputs", 3), 3), "equal parts");
        files.same(
                "Pad", sizes(2, 3), params().put("pad_with", sizes(1, 0, 0, 2)).put("constant_value", 1.5));
        files.same("Pad", sizes(2, 3), params().put("pads", sizes(1, 2)).put("axes", sizes(1)));
        for (String mode : List.of("REFLECT", "EDGE", "WRAP")) {
            files.same("Pad", sizes(4, 5), params().put("mode", mode).put("pad_with", sizes(1, 2, 3, 0)));
        }
        files.same("Mean", x, params().put("axis", sizes(0, 2)));
        files.same("ReduceLogSumExp", x, params().put("axis", sizes(-1)).put("keep_dims", true));
        files.same("ReduceMax", x, params());
        files.same("ReduceL2", x, params().put("noop_with_empty_axis", true));
        files.same("Shape", x, params().put("start", 1));
    }

    @ParameterizedTest
    @CsvSource({"DCR,false", "DCR,true", "CRD,false", "CRD,true", "DARKNET,false", "DARKNET,true"})
    void blocks(String order, boolean reversed) throws IOException {
        Params params = params().put("scale", 2).put("order", order).put("reversed", reversed);
        files.same("Reorg", sizes(2, 16, 4, 6), params);
    }

    @Test
    void resized() throws IOException {
        long[] x = sizes(1, 2, 5, 4);
        files.same("Upsample", x, params().put("scale", sizes(2, 3)));
        files.same("Upsample", x, params().put("scale", sizes(2, 3)).put("mode", "NEAREST"));
        Params grown = params().put("scales", new double[] {1, 1, 2, 1.5}).put("coordinate_mode", "asymmetric");
        files.same("Resize", x, grown.put("nearest_mode", "simple"));
        files.same("Resize", x, grown.put("mode", "linear"));
        files.same("Resize", x, grown.put("mode", "cubic").put("coordinate_mode", "align_corners"));
        Params sizes = params().put("sizes", sizes(1, 2, 3, 7));
        files.same(
                "Resize",
                x,
                sizes.put("coordinate_mode", "tf_half_pixel_for_nn").put("nearest_mode", "floor"));
        files.same(
                "Resize",
                x,
                params().put("sizes", sizes(3, 9)).put("axes", sizes(2, 3)).put("mode", "linear"));
    }

    @Test
    void theFormatIsOldWhereItCanBe() throws IOException {
        TensorType open = new TensorType(DType.FLOAT32, new Shape(List.of(Dim.named("n"), Dim.of(3), Dim.unknown())));
        Graph graph = graph("Relu", open, params(), 1);
        files.same(graph, "named sizes");
        ModelProto model = ModelProto.parseFrom(Files.readAllBytes(files.write(graph)));
        assertThat(model.getIrVersion()).isEqualTo(8);
        assertThat(model.getOpsetImport(0).getVersion()).isEqualTo(18);
        Graph later = graph("RmsNorm", TensorType.of(DType.FLOAT32, 2, 4), params(), 1, random(4));
        ModelProto newer = ModelProto.parseFrom(Files.readAllBytes(files.write(later)));
        assertThat(newer.getIrVersion()).isEqualTo(11);
        assertThat(newer.getOpsetImport(0).getVersion()).isEqualTo(23);
    }

    /** ONNX Runtime refuses a node whose type its operator set does not have. */
    @Test
    void theOperatorSetHasTheTypes() throws IOException {
        Map<String, Integer> versions = new LinkedHashMap<>();
        List<Long> formats = new ArrayList<>();
        for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16)) {
            for (String op : List.of("Celu", "Elu")) {
                Graph graph = graph(op, TensorType.of(dtype, 4), params(), 1);
                files.same(graph, op + " of " + dtype);
                ModelProto model = ModelProto.parseFrom(Files.readAllBytes(files.write(graph)));
                versions.put(op + " " + dtype, (int) model.getOpsetImport(0).getVersion());
                formats.add(model.getIrVersion());
            }
        }
        assertThat(versions.values()).containsExactly(18, 18, 28, 18, 28, 22);
        assertThat(formats).containsExactly(8L, 8L, 14L, 8L, 14L, 10L);
    }

    /** ONNX Runtime refuses a file with two nodes of one name. */
    @Test
    void nodesThatAreWrittenAsSeveralHaveNamesOfTheirOwn() throws IOException {
        Graph graph = new GraphBuilder("names", RoundTrip.MEMORY)
                .input("x", TensorType.of(DType.FLOAT32, 2, 3, 4))
                .constant("w", random(5, 12))
                .node("full", "InnerProduct", List.of("x", "w"), List.of("y"), Map.of())
                .node("y/Flatten", "Relu", List.of("y"), List.of("z"), Map.of())
                .output("z")
                .build();
        List<String> names =
                ModelProto.parseFrom(Files.readAllBytes(files.write(graph))).getGraph().getNodeList().stream()
                        .map(NodeProto::getName)
                        .toList();
        assertThat(names).contains("full", "y/Flatten", "y/Flatten_1").doesNotHaveDuplicates();
    }

    /** ONNX's checker refuses outputs without a type and a number of axes. */
    @Test
    void outputsHaveAsMuchOfATypeAsIsKnown() throws IOException {
        Graph graph = new GraphBuilder("sizes", RoundTrip.MEMORY)
                .input("x", TensorType.of(DType.FLOAT32, 2, 6))
                .input("sizes", TensorType.of(DType.INT64, 3))
                .node("reshape", "Reshape", List.of("x", "sizes"), List.of("y"), Map.of())
                .node("relu", "Relu", List.of("y"), List.of("z"), Map.of())
                .output("z")
                .build();
        ModelProto model = ModelProto.parseFrom(Files.readAllBytes(files.write(graph)));
        TypeProto.Tensor type = model.getGraph().getOutput(0).getType().getTensorType();
        assertThat(type.getElemType()).isEqualTo(1);
        assertThat(type.getShape().getDimCount()).isEqualTo(3);
    }
}
