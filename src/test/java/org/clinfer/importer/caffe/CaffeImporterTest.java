package org.clinfer.importer.caffe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.Node;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Importers;
import org.clinfer.importer.caffe.proto.BlobProto;
import org.clinfer.importer.caffe.proto.ConvolutionParameter;
import org.clinfer.importer.caffe.proto.InputParameter;
import org.clinfer.importer.caffe.proto.LayerParameter;
import org.clinfer.importer.caffe.proto.NetParameter;
import org.clinfer.importer.caffe.proto.V1LayerParameter;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Networks as files: versions of the format, phases, weights, and files that are none. */
class CaffeImporterTest {

    private static final String CONV = """
            input: 'x' input_dim: 1 input_dim: 1 input_dim: 1 input_dim: 2
            layer { name: 'c' type: 'Convolution' bottom: 'x' top: 'y'
                    convolution_param { num_output: 1 kernel_size: 1 } }
            """;

    @TempDir
    Path folder;

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("net.prototxt"), text);
    }

    private Graph read(String text) throws IOException {
        return Importers.builtIn().read(write(text));
    }

    private void refused(String text, String message) throws IOException {
        Path file = write(text);
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .isInstanceOf(GraphException.class)
                .hasMessage("net.prototxt: " + message);
    }

    private static List<String> ops(Graph graph) {
        return graph.nodes().stream().map(Node::op).toList();
    }

    private static Tensor output(Map<String, Tensor> outputs) {
        return Objects.requireNonNull(outputs.get("y"));
    }

    @Test
    void layersInPlaceAreValuesOfTheirOwn() throws IOException {
        Graph graph = read("""
                input: 'x' input_shape { dim: 1 dim: 2 }
                layer { name: 'a' type: 'ReLU' bottom: 'x' top: 'x' }
                layer { name: 'b' type: 'Sigmoid' bottom: 'x' top: 'h' }
                layer { name: 'c' type: 'TanH' bottom: 'h' top: 'h' }
                layer { name: 'd' type: 'AbsVal' bottom: 'h' top: 'y' }
                layer { name: 'e' type: 'ReLU' bottom: 'y' top: 'y' }
                """);

        assertThat(graph.nodes()).extracting(node -> node.outputs().get(0)).containsExactly("a", "h", "c", "d", "y");
        assertThat(graph.nodes()).extracting(Node::name).containsExactly("a", "b", "c", "d", "e");
        assertThat(graph.outputs()).containsExactly("y");
        assertThat(graph.inputs().get(0).resizable()).isTrue();
    }

    @Test
    void phaseIsTest() throws IOException {
        Graph graph = read("""
                layer { name: 'd' type: 'Data' top: 'x' top: 'label' include { phase: TRAIN }
                        data_param { batch_size: 9 } transform_param { crop_size: 5 } }
                layer { name: 'd' type: 'Data' top: 'x' top: 'label' include: { phase: TEST }
                        data_param { batch_size: 2 } transform_param { crop_size: 7 } }
                layer { name: 'r' type: 'ReLU' bottom: 'x' top: 'y' exclude { phase: TRAIN } }
                layer { name: 'n' type: 'AbsVal' bottom: 'y' top: 'y' include { phase: TEST stage: 'deploy' } }
                layer { name: 'm' type: 'AbsVal' bottom: 'y' top: 'y' include { phase: TEST not_stage: 'deploy' min_level: 1 } }
                layer { name: 's' type: 'Sigmoid' bottom: 'y' top: 'score' include { not_stage: 'deploy' max_level: 0 } }
                layer { name: 'l' type: 'SoftmaxWithLoss' bottom: 'score' bottom: 'label' top: 'loss' }
                layer { name: 'a' type: 'Accuracy' bottom: 'score' bottom: 'label' top: 'accuracy' }
                """);

        assertThat(ops(graph)).containsExactly("Relu", "Sigmoid");
        assertThat(graph.outputs()).containsExactly("score");
        assertThat(graph.inputs()).hasSize(1);
        assertThat(graph.inputs().get(0).type().shape()).hasToString("2x?x7x7");
    }

    @Test
    void layersOfTheFirstVersionsAreUpgraded() throws IOException {
        Path v1 = write("""
                input: 'x' input_dim: 1 input_dim: 1 input_dim: 1 input_dim: 2
                layers { name: 'c' type: CONVOLUTION bottom: 'x' top: 'c' blobs_lr: 1
                         convolution_param { num_output: 1 kernel_size: 1 } }
                layers { name: 'y' type: RELU bottom: 'c' top: 'y' }
                """);
        Files.write(
                folder.resolve("net.caffemodel"),
                NetParameter.newBuilder()
                        .addLayers(V1LayerParameter.newBuilder()
                                .setName("c")
                                .addBlobs(old(3, 1, 1, 1, 1))
                                .addBlobs(old(-1, 1, 1, 1, 1)))
                        .build()
                        .toByteArray());
        Tensor x = Tensor.of(new float[] {2, -2}, 1, 1, 1, 2);
        assertThat(output(CaffeNet.run(v1, Map.of("x", x))).toFloatArray()).containsExactly(5, 0);

        Path v0 = write("""
                input: 'x' input_dim: 1 input_dim: 1 input_dim: 1 input_dim: 2
                layers { layer { name: 'p' type: 'padding' pad: 1 } bottom: 'x' top: 'p' }
                layers { layer { name: 'c' type: 'conv' num_output: 1 kernelsize: 1 biasterm: true } bottom: 'p' top: 'c' }
                layers { layer { name: 'm' type: 'pool' pool: MAX kernelsize: 3 stride: 4 } bottom: 'c' top: 'm' }
                layers { layer { name: 'r' type: 'relu' } bottom: 'm' top: 'y' }
                """);
        assertThat(output(CaffeNet.run(v0, Map.of("x", x))).toFloatArray()).startsWith(5);
    }

    private static BlobProto old(float value, int num, int channels, int height, int width) {
        return CaffeNet.floats(value)
                .setNum(num)
                .setChannels(channels)
                .setHeight(height)
                .setWidth(width)
                .build();
    }

    @Test
    void binaryFilesDefineNetworks() throws IOException {
        NetParameter net = NetParameter.newBuilder()
                .addLayer(LayerParameter.newBuilder()
                        .setName("x")
                        .setType("Input")
                        .addTop("x")
                        .setInputParam(InputParameter.newBuilder().addShape(CaffeNet.shape(1, 1, 1, 2))))
                .addLayer(LayerParameter.newBuilder()
                        .setName("c")
                        .setType("Convolution")
                        .addBottom("x")
                        .addTop("y")
                        .setConvolutionParam(ConvolutionParameter.newBuilder()
                                .setNumOutput(1)
                                .addKernelSize(1)
                                .setBiasTerm(false))
                        .addBlobs(BlobProto.newBuilder()
                                .addDoubleData(CaffeNet.doubles(4))
                                .setShape(CaffeNet.shape(1, 1, 1, 1))))
                .build();
        Path file = Files.write(folder.resolve("net.caffemodel"), net.toByteArray());

        Tensor x = Tensor.of(new float[] {2, -2}, 1, 1, 1, 2);
        assertThat(output(CaffeNet.run(file, Map.of("x", x))).toFloatArray()).containsExactly(8, -8);
    }

    /** Weights are often those of the network for training, which takes its data from layers that are left out. */
    @Test
    void weightsWithoutInputsAskForTheDefinition() throws IOException {
        NetParameter net = NetParameter.newBuilder()
                .addLayer(LayerParameter.newBuilder()
                        .setName("r")
                        .setType("ReLU")
                        .addBottom("data")
                        .addTop("y"))
                .build();
        Path file = Files.write(folder.resolve("net.caffemodel"), net.toByteArray());
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .hasMessage(
                        "net.caffemodel: layer 0 'r' (ReLU): its bottom 'data' is given by no layer before it;"
                                + " name the .prototxt with the inputs, which takes its weights from the .caffemodel beside it");
    }

    @Test
    void withoutWeightsEverythingIsUnknown() throws IOException {
        Tensor x = Tensor.of(new float[] {2, -2}, 1, 1, 1, 2);
        assertThat(output(CaffeNet.run(write(CONV), Map.of("x", x))).toFloatArray())
                .containsOnly(Float.NaN);
    }

    @Test
    void inputsMayHaveOtherSizes() throws IOException {
        CaffeNet net = CaffeNet.of(CONV).blob("c", new float[] {3}, 1, 1, 1, 1).blob("c", new float[] {1}, 1);
        Tensor x = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 1, 1, 3);
        assertThat(output(CaffeNet.run(net.write(folder, "net"), Map.of("x", x)))
                        .toFloatArray())
                .containsExactly(4, 7, 10, 13, 16, 19);
    }

    @Test
    void theOnlyWeightsBesideADefinitionAreTaken() throws IOException {
        CaffeNet net = CaffeNet.of(CONV).blob("c", new float[] {3}, 1, 1, 1, 1).blob("c", new float[] {1}, 1);
        net.write(folder, "other");
        Files.delete(folder.resolve("other.prototxt"));
        Tensor x = Tensor.of(new float[] {1, 2}, 1, 1, 1, 2);
        assertThat(output(CaffeNet.run(write(CONV), Map.of("x", x))).toFloatArray())
                .containsExactly(4, 7);
    }

    @Test
    void allUnknownLayersAreNamedAtOnce() throws IOException {
        Path file = write("""
                input: 'x' input_dim: 1 input_dim: 1 input_dim: 1 input_dim: 2
                layer { name: 'a' type: 'Python' bottom: 'x' top: 'a'
                        python_param { module: 'rpn.layers' layer: 'Proposals' param_str: 'x' } }
                layer { name: 'b' type: 'ReLU' bottom: 'a' top: 'b' }
                layer { name: 'c' type: 'SpatialTransformer' bottom: 'b' top: 'c' }
                layer { name: 'd' type: 'Pooling' bottom: 'x' top: 'd' pooling_param { kernel_size: 1 fancy: 3 } }
                """);
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .isExactlyInstanceOf(UnsupportedException.class)
                .hasMessage("net.prototxt: 3 layers cannot be used: layer 0 'a' (Python): Clinfer has no layer Python"
                        + " 'rpn.layers.Proposals'; layer 2 'c' (SpatialTransformer): Clinfer has no layer"
                        + " SpatialTransformer; layer 3 'd' (Pooling): layer Pooling with 'fancy' is not supported");
    }

    @Test
    void mistakesAreNamedWithTheirPlace() throws IOException {
        String input = "input: 'x' input_dim: 1 input_dim: 2 input_dim: 3 input_dim: 3\n";
        refused("name: 'empty'", "not a Caffe network: it has no layers");
        refused(input + "layer { name: 'r' }", "layer 0 'r' (): it has no type");
        refused(
                input + "layer { name: 'r' type: 'ReLU' bottom: 'z' top: 'y' }",
                "layer 0 'r' (ReLU): its bottom 'z' is given by no layer before it");
        refused(
                input + "layer { name: 'r' type: 'ReLU' bottom: 'x' top: 'y' top: 'z' }",
                "layer 0 'r' (ReLU): it gives 1 tops, but names 2");
        refused(
                input
                        + "layer { name: 'c' type: 'Convolution' bottom: 'x' top: 'y' convolution_param { num_output: 1 } }",
                "layer 0 'c' (Convolution): convolution_param.kernel_size: it is missing");
        String together = input + "layer { name: 'c' type: 'Correlation' bottom: 'x' bottom: 'x' top: 'y'";
        refused(
                together + " correlation_param { max_displacement: 1 pad: 1 } }",
                "layer 0 'c' (Correlation): correlation_param.kernel_size: it is missing");
        refused(
                together + " correlation_param { kernel_size: 1 pad: 1 } }",
                "layer 0 'c' (Correlation): correlation_param.max_displacement: it is missing");
        refused(
                input + "layer { name: 'p' type: 'PSROIPooling' bottom: 'x' bottom: 'x' top: 'y'"
                        + " psroi_pooling_param { output_dim: 2 group_size: 1 } }",
                "layer 0 'p' (PSROIPooling): psroi_pooling_param.spatial_scale: it is missing");
        refused(
                input + "layer { name: 'p' type: 'ROIPooling' bottom: 'x' bottom: 'x' top: 'y'"
                        + " roi_pooling_param { pooled_h: 2 } }",
                "layer 0 'p' (ROIPooling): roi_pooling_param.pooled_w: it is missing");
        refused(
                input + "layer { name: 'f' type: 'InnerProduct' bottom: 'x' top: 'y' }",
                "layer 0 'f' (InnerProduct): inner_product_param.num_output: it is missing");
        refused(
                input + "layer { name: 'c' type: 'Concat' bottom: 'x' top: 'y' concat_param { axis: 7 } }",
                "layer 0 'c' (Concat): concat_param.axis: there is no axis 7 where there are 4");
        refused(
                input
                        + "layer { name: 'c' type: 'Convolution' bottom: 'x' top: 'y' convolution_param { num_output: 1 kernel_size: 5 } }",
                "layer 0 'c' (Convolution): Conv2d: the kernel is larger than the padded input"
                        + " (all(out_size, v -> v >= 1): for element 0, v = -1);"
                        + " Conv2d: y: expected dims[2] to be an int >= 0, found -1 in [1, 1, -1, -1]");
    }

    @Test
    void weightsMustFit() throws IOException {
        CaffeNet missing = CaffeNet.of(CONV).blob("c", new float[] {3}, 1, 1, 1, 1);
        Path file = missing.write(folder, "net");
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .hasMessage("net.prototxt: layer 0 'c' (Convolution): net.caffemodel has no blob 1 for it");
        CaffeNet.of(CONV)
                .blob("c", new float[] {3, 4}, 1, 1, 1, 2)
                .blob("c", new float[] {1}, 1)
                .write(folder, "net");
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .hasMessage("net.caffemodel: blob 0 of layer 'c': it is [1, 1, 1, 2], but must be [1, 2, 1, 1]");
        CaffeNet.of(CONV)
                .blob("c", new float[] {3}, 1, 1, 7, 1)
                .blob("c", new float[] {1}, 1)
                .write(folder, "net");
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .hasMessageContaining("blob 0 of layer 'c': it is [1, 1, 7, 1]");
    }

    @Test
    void hostileSizesTakeNoMemory() throws IOException {
        BlobProto huge =
                CaffeNet.floats(1).setShape(CaffeNet.shape(1L << 40, 1L << 40)).build();
        Path file =
                CaffeNet.of(CONV).blob("c", huge).blob("c", new float[] {1}, 1).write(folder, "net");
        assertThatThrownBy(() -> Importers.builtIn().read(file)).isInstanceOf(GraphException.class);
        Files.delete(folder.resolve("net.caffemodel"));
        refused(
                "input: 'x' input_shape { dim: 1073741823 dim: 1073741823 dim: 1073741823 }"
                        + " layer { name: 'r' type: 'ReLU' bottom: 'x' top: 'y' }",
                "input_shape.dim: the shape 1073741823x1073741823x1073741823 is too large");
        CaffeNet negative = CaffeNet.of("input: 'x' input_shape { dim: 1 dim: 1 }"
                        + " layer { name: 's' type: 'Scale' bottom: 'x' top: 'y' }")
                .blob("s", CaffeNet.floats(1).setShape(CaffeNet.shape(-1, -1)).build());
        Path scale = negative.write(folder, "net");
        assertThatThrownBy(() -> Importers.builtIn().read(scale))
                .hasMessage(
                        "net.caffemodel: blob 0 of layer 's': its shape [-1, -1] does not fit the 1 elements it has");
    }

    /** Damaged files end with a message, never with another exception. */
    @Test
    void damageIsRefused() throws IOException {
        CaffeNet net = CaffeNet.of(CONV).blob("c", new float[] {3}, 1, 1, 1, 1).blob("c", new float[] {1}, 1);
        Path text = net.write(folder, "net");
        Path binary = folder.resolve("net.caffemodel");
        byte[] goodText = Files.readAllBytes(text);
        byte[] goodBinary = Files.readAllBytes(binary);
        Random random = new Random(7);
        int refused = 0;
        for (int i = 0; i < 1500; i++) {
            boolean first = i % 2 == 0;
            byte[] damaged = (first ? goodText : goodBinary).clone();
            for (int change = 0; change <= random.nextInt(3); change++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            Files.write(first ? text : binary, damaged);
            Files.write(first ? binary : text, first ? goodBinary : goodText);
            for (Path file : List.of(text, binary)) {
                try {
                    Importers.builtIn().read(file);
                } catch (GraphException expected) {
                    refused++;
                    assertThat(String.valueOf(expected.getMessage()).lines()).hasSize(1);
                }
            }
        }
        assertThat(refused).isGreaterThan(1000);
        Files.write(
                binary,
                ByteString.copyFrom(goodBinary)
                        .substring(0, goodBinary.length - 3)
                        .toByteArray());
        Files.write(text, goodText);
        assertThatThrownBy(() -> Importers.builtIn().read(text))
                .hasMessage("net.caffemodel: not a valid Caffe model: it is truncated or damaged");
    }

    @Test
    void manyLayersTakeNoStack() throws IOException {
        StringBuilder text = new StringBuilder("input: 'x' input_shape { dim: 1 dim: 2 }\n");
        for (int i = 0; i < 20_000; i++) {
            text.append("layer { name: 'r").append(i).append("' type: 'ReLU' bottom: 'x' top: 'x' }\n");
        }
        assertThat(read(text.toString()).nodes()).hasSize(20_000);
    }
}
