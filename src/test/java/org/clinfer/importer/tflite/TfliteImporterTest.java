package org.clinfer.importer.tflite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Metadata;
import org.clinfer.graph.Node;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Importers;
import org.clinfer.importer.UnsupportedLayers;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of TensorFlow Lite: names, types, constants wherever they are, and what is refused. */
class TfliteImporterTest {

    @TempDir
    Path folder;

    /** A convolution with Relu between pictures of two channels. */
    private static TfliteNet convolution() {
        TfliteNet net = new TfliteNet();
        int x = net.input("serving_default_x:0", "float32", 1, 3, 3, 2);
        int w = net.floats("w", new float[] {1, 2, 3, -4}, 2, 1, 1, 2);
        int b = net.floats("b", new float[] {0.5f, 0}, 2);
        int y = net.value("StatefulPartitionedCall:0", "float32", 1, 3, 3, 2);
        net.op("CONV_2D", y, "stride_w=1 stride_h=1 fused_activation_function=1", x, w, b);
        return net.output(y);
    }

    private static Tensor ones(int count, long... sizes) {
        float[] values = new float[count];
        Arrays.fill(values, 1);
        return Tensor.of(values, sizes);
    }

    private static List<String> operators(Graph graph) {
        return graph.nodes().stream().map(Node::op).toList();
    }

    @Test
    void channelsAreLast() throws IOException {
        Map<String, Tensor> results = convolution().run(folder, Map.of("serving_default_x:0", ones(18, 1, 3, 3, 2)));
        assertThat(results).containsOnlyKeys("StatefulPartitionedCall:0");
        Tensor y = Objects.requireNonNull(results.get("StatefulPartitionedCall:0"));
        assertThat(y.shape()).isEqualTo(Shape.of(1, 3, 3, 2));
        assertThat(y.toFloatArray()).startsWith(3.5f, 0, 3.5f, 0);
    }

    @Test
    void formatIsKnownByItsIdentifier() throws IOException {
        Path file = Files.write(folder.resolve("model.bin"), convolution().bytes());
        assertThat(Importers.builtIn().find(file).orElseThrow()).isInstanceOf(TfliteImporter.class);
        assertThat(Importers.builtIn().read(file).outputs()).hasSize(1);
        Path other = Files.write(folder.resolve("other.tflite"), new byte[] {1, 2, 3, 4, 'T', 'F', 'L', '2'});
        assertThatThrownBy(() -> Importers.builtIn().read(other))
                .isInstanceOf(GraphException.class)
                .hasMessage(
                        "other.tflite: not a valid TensorFlow Lite model: it does not begin with the identifier TFL3");
    }

    @Test
    void signatureNamesInputsAndOutputs() throws IOException {
        TfliteNet net = convolution().nameInput("picture", 0).nameOutput("features", 3);
        Map<String, Tensor> results = net.run(folder, Map.of("picture", ones(18, 1, 3, 3, 2)));
        assertThat(results).containsOnlyKeys("features");
        assertThat(List.copyOf(results.values()).get(0).toFloatArray()).startsWith(3.5f, 0);
    }

    @Test
    void aTensorMayBeSeveralOutputs() throws IOException {
        TfliteNet net =
                convolution().nameInput("picture", 0).nameOutput("features", 3).nameOutput("again", 3);
        Map<String, Tensor> results = net.run(folder, Map.of("picture", ones(18, 1, 3, 3, 2)));
        assertThat(results).containsOnlyKeys("features", "again");
        assertThat(List.copyOf(results.values()).get(1).toFloatArray())
                .isEqualTo(List.copyOf(results.values()).get(0).toFloatArray());
    }

    /** Neighbours that want the channels second pass values on as they hold them. */
    @Test
    void axesAreTurnedOnlyWhereTheyMatter() throws IOException {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 1, 4, 4, 2);
        int w = net.floats("w", new float[] {1, 2, 3, -4}, 2, 1, 1, 2);
        int slope = net.floats("slope", new float[] {0.5f, 0.25f}, 1, 1, 2);
        int a = net.value("a", "float32", 1, 4, 4, 2);
        int p = net.value("p", "float32", 1, 4, 4, 2);
        int s = net.value("s", "float32", 1, 4, 4, 2);
        int y = net.value("y", "float32", 1, 2, 2, 2);
        net.op("CONV_2D", a, "stride_w=1 stride_h=1", x, w, -1)
                .op("PRELU", p, "", a, slope)
                .op("ADD", s, "", p, a)
                .op("MAX_POOL_2D", y, "stride_w=2 stride_h=2 filter_width=2 filter_height=2", s)
                .output(y);
        assertThat(operators(net.read(folder)))
                .containsExactly("Transpose", "Conv2d", "PRelu", "Add", "MaxPool", "Transpose");
    }

    @Test
    void openSizesStayOpen() throws IOException {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 1, 4);
        int w = net.floats("w", new float[] {1, 1, 1, 1, 1, -1, 1, -1}, 2, 4);
        int y = net.value("y", "float32", 1, 2);
        net.signature(x, -1, 4).signature(y, -1, 2);
        net.op("FULLY_CONNECTED", y, "", x, w).output(y);
        Graph graph = net.read(folder);
        assertThat(graph.inputs().get(0).type())
                .isEqualTo(new TensorType(DType.FLOAT32, new Shape(List.of(Dim.unknown(), Dim.of(4)))));
        Tensor three = net.one(folder, Map.of("x", ones(12, 3, 4)));
        assertThat(three.shape()).isEqualTo(Shape.of(3, 2));
        assertThat(three.toFloatArray()).containsExactly(4, 0, 4, 0, 4, 0);
    }

    /** As Keras writes convolutions with holes of a batch of any size. */
    @Test
    void blocksOfABatchThatIsOpen() throws IOException {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 1, 4, 6, 2);
        int sizes = net.vector("sizes", 2, 3);
        int borders = net.ints("borders", new int[] {0, 0, 0, 0}, 2, 2);
        int blocks = net.value("blocks", "float32", 1, 2, 2, 2);
        int y = net.value("y", "float32", 1, 4, 6, 2);
        net.signature(x, -1, 4, 6, 2).signature(blocks, -1, 2, 2, 2).signature(y, -1, 4, 6, 2);
        net.op("SPACE_TO_BATCH_ND", blocks, "", x, sizes, borders)
                .op("BATCH_TO_SPACE_ND", y, "", blocks, sizes, borders)
                .output(blocks)
                .output(y);
        Tensor given = counted(3, 4, 6, 2);
        Map<String, Tensor> found = net.run(folder, Map.of("x", given));
        assertThat(Objects.requireNonNull(found.get("blocks")).shape()).isEqualTo(Shape.of(18, 2, 2, 2));
        assertThat(Objects.requireNonNull(found.get("y")).toFloatArray()).isEqualTo(given.toFloatArray());
    }

    /** As Keras writes it for a batch of any size: the output's size is computed of the input's. */
    @Test
    void transposedConvolutionOfABatchThatIsOpen() throws IOException {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 1, 2, 3, 1);
        int w = net.floats("w", new float[] {1, 2, 3, 4}, 1, 2, 2, 1);
        int shape = net.value("shape", "int32", 4);
        int batch = net.value("batch", "int32");
        int size = net.value("size", "int32", 4);
        int y = net.value("y", "float32", 1, 4, 6, 1);
        net.signature(x, -1, 2, 3, 1).signature(y, -1, 4, 6, 1);
        net.op("SHAPE", shape, "out_type=2", x)
                .op(
                        "STRIDED_SLICE",
                        batch,
                        "shrink_axis_mask=1",
                        shape,
                        net.vector("zero", 0),
                        net.vector("one", 1),
                        net.vector("step", 1))
                .op(
                        "PACK",
                        size,
                        "values_count=4",
                        batch,
                        net.ints("h", new int[] {4}),
                        net.ints("v", new int[] {6}),
                        net.ints("c", new int[] {1}))
                .op("TRANSPOSE_CONV", y, "stride_w=2 stride_h=2", size, w, x)
                .output(y);
        Tensor found = net.one(folder, Map.of("x", counted(3, 2, 3, 1)));
        assertThat(found.shape()).isEqualTo(Shape.of(3, 4, 6, 1));
        // the last pixel, 17, times each weight
        assertThat(found.toFloatArray()).endsWith(15 * 3, 15 * 4, 16 * 3, 16 * 4, 17 * 3, 17 * 4);
    }

    private static Tensor counted(long... sizes) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, sizes);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setLong(i, i);
        }
        return tensor;
    }

    /** As Keras writes Reshape and Flatten of a batch of any size. */
    @Test
    void sizesThatAreComputed() throws IOException {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 1, 2, 3);
        int shape = net.value("shape", "int32", 3);
        int batch = net.value("batch", "int32");
        int sizes = net.value("sizes", "int32", 2);
        int y = net.value("y", "float32", 1, 6);
        net.signature(x, -1, 2, 3).signature(y, -1, 6);
        net.op("SHAPE", shape, "out_type=2", x)
                .op(
                        "STRIDED_SLICE",
                        batch,
                        "shrink_axis_mask=1",
                        shape,
                        net.vector("from", 0),
                        net.vector("to", 1),
                        net.vector("step", 1))
                .op("PACK", sizes, "values_count=2", batch, net.ints("six", new int[] {6}))
                .op("RESHAPE", y, "", x, sizes)
                .output(y);
        assertThat(net.one(folder, Map.of("x", ones(24, 4, 2, 3))).shape()).isEqualTo(Shape.of(4, 6));
    }

    @Test
    void elementsBehindTheFlatbuffer() throws IOException {
        Tensor y = convolution().withBuffersBehind().one(folder, Map.of("serving_default_x:0", ones(18, 1, 3, 3, 2)));
        assertThat(y.toFloatArray()).startsWith(3.5f, 0);
    }

    @Test
    void weightsOf16Bits() throws IOException {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 1, 2);
        ByteBuffer halves = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
        halves.putShort((short) 0x3c00).putShort((short) 0xc000);
        int stored = net.bytes("stored", "float16", halves.array(), 1, 2);
        int w = net.value("w", "float32", 1, 2);
        int y = net.value("y", "float32", 1, 1);
        net.op("DEQUANTIZE", w, "", stored).op("FULLY_CONNECTED", y, "", x, w).output(y);
        assertThat(operators(net.read(folder))).containsExactly("Gemm");
        assertThat(net.one(folder, Map.of("x", Tensor.of(new float[] {3, 1}, 1, 2)))
                        .toFloatArray())
                .containsExactly(1);
    }

    @Test
    void everyRefusedOperatorIsNamed() throws IOException {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 2);
        int a = net.value("a", "float32", 2);
        int b = net.value("b", "float32", 2);
        int c = net.value("c", "float32", 2);
        int y = net.value("y", "float32", 2);
        net.op("LSH_PROJECTION", a, "", x)
                .custom("Mine", b, new byte[0], a)
                .op("ABS", c, "", b)
                .op("LSH_PROJECTION", y, "", x);
        net.output(y).output(c);
        assertThatThrownBy(() -> net.read(folder))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining("3 layers cannot be used")
                .hasMessageContaining("operator 0 'a' (LSH_PROJECTION): Clinfer has no layer LSH_PROJECTION")
                .hasMessageContaining("operator 1 'b' (Mine): Clinfer has no layer Mine")
                .hasMessageContaining("operator 3 'y' (LSH_PROJECTION): Clinfer has no layer LSH_PROJECTION");
    }

    @Test
    void theDescriptionIsKept() throws IOException {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 2);
        int y = net.value("y", "float32", 2);
        Graph graph = Importers.builtIn().read(net.op("ABS", y, "", x).output(y).write(folder));
        assertThat(graph.metadata().field(Metadata.Field.DOC_STRING)).contains("a test");
    }

    /** A network that is judged has a node for each of them, with the types of the file behind it. */
    @Test
    void refusedOperatorsStandAsOpaqueNodes() throws IOException {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 2);
        int a = net.value("a", "float32", 2);
        int b = net.value("b", "float32", 2);
        int y = net.value("y", "float32", 2);
        net.op("SVDF", a, "", x)
                .custom("Mine", b, new byte[0], a)
                .op("ABS", y, "", b)
                .output(y);
        Graph graph = Importers.builtIn().read(net.write(folder), UnsupportedLayers.OPAQUE);
        assertThat(operators(graph)).containsExactly("SVDF", "Mine", "Abs");
        assertThat(graph.nodes().get(1).opaque().orElseThrow().outputTypes())
                .containsExactly(Optional.of(TensorType.of(DType.FLOAT32, 2)));
    }

    /** What an operator made of its input before it was refused is not there for others. */
    @Test
    void refusedOperatorsLeaveNothingBehind() throws IOException {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 1, 3, 3, 2);
        int w = net.floats("w", new float[] {1, 2, 3, -4}, 2, 1, 1, 2);
        int a = net.value("a", "float32", 1, 3, 3, 2);
        int y = net.value("y", "float32", 1, 3, 3, 2);
        net.op("CONV_2D", a, "stride_w=1 stride_h=1 fused_activation_function=5", x, w, -1)
                .op("CONV_2D", y, "stride_w=1 stride_h=1", x, w, -1)
                .output(a)
                .output(y);
        Graph graph = Importers.builtIn().read(net.write(folder), UnsupportedLayers.OPAQUE);
        assertThat(operators(graph)).containsExactlyInAnyOrder("CONV_2D", "Transpose", "Conv2d", "Transpose");
    }

    @Test
    void tensorsThatAreNotRead() throws IOException {
        TfliteNet text = new TfliteNet();
        int t = text.input("t", "string", 2);
        refused(text.output(t), "tensor 0 't': it has the data type string, which is not supported");
        TfliteNet variable = new TfliteNet();
        int input = variable.input("x", "float32", 2);
        int state = variable.value("state", "float32", 2);
        int sum = variable.value("y", "float32", 2);
        variable.variable(state).op("ADD", sum, "", input, state).output(sum);
        refused(variable, "with the variable 'state', which keeps its elements from one run to the next");
        TfliteNet missing = new TfliteNet();
        int in = missing.input("x", "float32", 2);
        int nothing = missing.value("nothing", "float32", 2);
        int out = missing.value("y", "float32", 2);
        missing.op("ADD", out, "", in, nothing).output(out);
        refused(missing, "its input 'nothing' is no constant, and no operator before it gives it");
    }

    private void refused(TfliteNet net, String message) {
        assertThatThrownBy(() -> net.read(folder))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining(message);
    }

    @Test
    void malformedFiles() {
        refused(convolution().version(2), "it is of version 2 of the format; Clinfer reads 3");
        TfliteNet twice = convolution();
        refused(twice.output(3).op("ABS", 3, "", 0), "is given by another operator too");
        refused(new TfliteNet(), "the network has no outputs");
        TfliteNet shape = new TfliteNet();
        int w = shape.floats("w", new float[] {1, 2}, 3);
        refused(shape.output(w), "tensor 0 'w': its type is 3:float32, but it has 8 bytes");
        TfliteNet scale = new TfliteNet();
        int q = scale.input("q", "int8", 2);
        int y = scale.value("y", "float32", 2);
        scale.quantized(q, -1, 0).op("DEQUANTIZE", y, "", q).output(y);
        refused(scale, "tensor 0 'q': a scale is -1.0");
    }

    @Test
    void damagedFilesAreRefusedInOneLine() throws IOException {
        byte[] sound = convolution().bytes();
        for (int length = 0; length < sound.length; length += 7) {
            Path file = Files.write(folder.resolve("cut.tflite"), Arrays.copyOf(sound, length));
            assertThatThrownBy(() -> Importers.builtIn().read(file))
                    .as("%s bytes", length)
                    .isInstanceOf(GraphException.class)
                    .satisfies(refusal -> assertThat(refusal.getMessage())
                            .hasSizeLessThan(300)
                            .doesNotContain("\n"));
        }
    }

    /** Many operators that share one long list of inputs would be read for hours. */
    @Test
    void sharedVectorsHaveABound() throws IOException {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 1);
        int y = net.value("y", "float32", 1);
        int[] many = new int[2000];
        net.op("ADD_N", many, new int[] {y}, "").output(y);
        byte[] sound = net.bytes();
        ByteBuffer file = ByteBuffer.wrap(sound.clone()).order(ByteOrder.LITTLE_ENDIAN);
        int vector = -1;
        for (int at = 0; at + 4 < sound.length; at += 4) {
            vector = file.getInt(at) == many.length ? at : vector;
        }
        assertThat(x).isZero();
        file.putInt(vector, sound.length);
        Path path = Files.write(folder.resolve("shared.tflite"), file.array());
        assertThatThrownBy(() -> Importers.builtIn().read(path))
                .isInstanceOf(GraphException.class)
                .hasMessageContaining("does not fit into it");
    }

    @Test
    void bitsOfIntegers() throws IOException {
        assertThat(ofTwo("BITWISE_XOR", new double[] {5, -1}, new double[] {3, 1}))
                .containsExactly(6, -2);
        assertThat(ofTwo("RIGHT_SHIFT", new double[] {-8, 9}, new double[] {1, 2}))
                .containsExactly(-4, 2);
        assertThat(ofTwo("RIGHT_SHIFT", new double[] {7, -8}, new double[] {-1, 99}))
                .containsExactly(7, -1);
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 2);
        int y = net.value("y", "int32", 2);
        net.op("BITCAST", y, "", x).output(y);
        assertThat(net.one(folder, Map.of("x", Tensor.of(new float[] {1, -2}, 2)))
                        .toLongArray())
                .containsExactly(0x3f800000, (int) 0xc0000000);
    }

    @Test
    void meansOfIntegersAreCutOff() throws IOException {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "int32", 2, 4);
        int y = net.value("y", "int32", 2);
        net.op("MEAN", y, "", x, net.ints("axes", new int[] {1}, 1)).output(y);
        double[] numbers = {2, 2, 2, 1, -1, -1, -1, 0};
        assertThat(net.one(folder, Map.of("x", TfliteNet.tensor(DType.INT32, numbers, 2, 4)))
                        .toLongArray())
                .containsExactly(1, 0);
    }

    /** With an offset the end counts from where the slice begins. */
    @ParameterizedTest
    @CsvSource({
        "-2, 2, offset=1, 3 4",
        "2, 2, offset=1 begin_mask=1, 1 2",
        "1, 2, offset=1, 2 3",
        "2, 9, shrink_axis_mask=1 begin_mask=1, 1"
    })
    void stridedSlices(int begin, int end, String options, String wanted) throws IOException {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 4);
        int y = net.value("y", "float32", 2);
        int[] bounds = {
            net.ints("begin", new int[] {begin}, 1),
            net.ints("end", new int[] {end}, 1),
            net.ints("step", new int[] {1}, 1)
        };
        net.op("STRIDED_SLICE", y, options, x, bounds[0], bounds[1], bounds[2]).output(y);
        assertThat(net.one(folder, Map.of("x", Tensor.of(new float[] {1, 2, 3, 4}, 4)))
                        .toLongArray())
                .containsExactly(Stream.of(wanted.split(" ", -1))
                        .mapToLong(Long::parseLong)
                        .toArray());
    }

    private long[] ofTwo(String type, double[] left, double[] right) throws IOException {
        TfliteNet net = new TfliteNet();
        int a = net.input("a", "int32", 2);
        int b = net.input("b", "int32", 2);
        int y = net.value("y", "int32", 2);
        net.op(type, y, "", a, b).output(y);
        Map<String, Tensor> given =
                Map.of("a", TfliteNet.tensor(DType.INT32, left, 2), "b", TfliteNet.tensor(DType.INT32, right, 2));
        return net.one(folder, given).toLongArray();
    }

    /** MediaPipe's transposed convolution, whose options are numbers that lie behind each other. */
    @Test
    void transposedConvolutionWithBias() throws IOException {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 1, 2, 2, 1);
        int w = net.floats("w", new float[] {1, 2, 3, 4}, 1, 2, 2, 1);
        int b = net.floats("b", new float[] {0.5f}, 1);
        int y = net.value("y", "float32", 1, 4, 4, 1);
        ByteBuffer options = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
        options.putInt(1).putInt(2).putInt(2);
        net.custom("Convolution2DTransposeBias", y, options.array(), x, w, b).output(y);
        Tensor result = net.one(folder, Map.of("x", Tensor.of(new float[] {1, 2, 3, 4}, 1, 2, 2, 1)));
        assertThat(result.toFloatArray())
                .containsExactly(
                        1.5f, 2.5f, 2.5f, 4.5f, 3.5f, 4.5f, 6.5f, 8.5f, 3.5f, 6.5f, 4.5f, 8.5f, 9.5f, 12.5f, 12.5f,
                        16.5f);
    }
}
