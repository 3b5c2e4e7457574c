package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Verdict;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Importers;
import org.clinfer.importer.tensorflow.TfGraph;
import org.clinfer.importer.tfjs.TfjsModel;
import org.clinfer.importer.tflite.TfliteNet;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.robustness.OnnxModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Models of every format with one layer that breaks the format: it is judged as such, and the others as ever. */
class MalformedNodesTest {

    private static final String CAFFE = """
            input: 'x' input_dim: 1 input_dim: 3 input_dim: 8 input_dim: 8
            layer { name: 'r' type: 'ReLU' bottom: 'x' top: 'r' }
            layer { name: 'm' type: 'Convolution' bottom: 'r' top: 'm' convolution_param { kernel_size: 3 } }
            """;

    private static final String DARKNET = """
            [net]
            channels=3
            height=8
            width=8
            [activation]
            activation=relu
            [shortcut]
            from=-9
            """;

    private static final String NCNN = """
            7767517
            3 3
            Input input 0 1 x 0=8 1=8 2=3
            ReLU r 1 1 x r
            Pooling m 2 1 r x m 0=0 1=2 2=2
            """;

    private static final String OPENVINO = ModelTexts.openvino("r ReLU", "m Elu");

    private static final String JSON = ModelTexts.json("r Relu", "m Softmax")
            .replace("\"arg_name\": \"x\", \"name\": \"r\"", "\"arg_name\": \"z\", \"name\": \"r\"");

    @TempDir
    static Path folder;

    private static Path own() throws IOException {
        return Files.createTempDirectory(folder, "model");
    }

    private static Path text(String name, String content) throws IOException {
        return Files.writeString(own().resolve(name), content);
    }

    private static Path onnx(OnnxModel model) {
        try {
            return Files.write(own().resolve("net.onnx"), model.bytes());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static OnnxModel onnx() {
        return new OnnxModel().input("x", 1, 3, 8, 8).node("Relu", "x", "r");
    }

    private static Path tensorflow() throws IOException {
        return new TfGraph()
                .input("x", 1, 8, 8, 3)
                .node("Relu", "r", "x", "T=float")
                .node("MaxPool", "m", "r", "ksize=[1,2,2,1]", "padding=SAME")
                .write(own());
    }

    private static Path tfjs() throws IOException {
        return new TfjsModel()
                .input("x", 1, 8, 8, 3)
                .layer("ReLU", "r", "", "x")
                .layer("MaxPooling2D", "m", "'pool_size':[2,2,2]", "r")
                .write(own());
    }

    private static Path tflite() throws IOException {
        TfliteNet net = new TfliteNet();
        int x = net.input("x", "float32", 1, 8, 8, 3);
        int r = net.value("r", "float32", 1, 8, 8, 3);
        int m = net.value("m", "float32", 1, 8, 8, 3);
        return net.op("RELU", new int[] {x}, new int[] {r}, "")
                .op("SOFTMAX", new int[] {r, r}, new int[] {m}, "beta=1")
                .output(m)
                .write(own());
    }

    static Stream<Arguments> models() throws IOException {
        return Stream.of(
                Arguments.of("ONNX", onnx(onnx().node("Cast", "r", "m")), "attribute 'to' is missing"),
                Arguments.of("Caffe", text("net.prototxt", CAFFE), "convolution_param.num_output: it is missing"),
                Arguments.of("darknet", text("net.cfg", DARKNET), "there is no layer -9 before it"),
                Arguments.of("ncnn", text("net.param", NCNN), "it takes 1 blobs, but is given 2"),
                Arguments.of("OpenVINO", text("net.xml", OPENVINO), "alpha"),
                Arguments.of("JSON", text("net.json", JSON), "z"),
                Arguments.of("TensorFlow", tensorflow(), "attribute 'strides' is missing"),
                Arguments.of("TensorFlow.js", tfjs(), "pool_size"),
                Arguments.of("TensorFlow Lite", tflite(), "it takes 1"));
    }

    private static CheckReport report(Path file) {
        CapabilityChecker checker = CapabilityChecker.builtIn();
        Graph graph = checker.read(file);
        return checker.check(graph, Map.of(), ProfileCatalog.builtIn().find("ascend310"), Reading.DOCUMENT);
    }

    private static CheckReport.NodeReport invalid(CheckReport report) {
        List<CheckReport.NodeReport> found = report.nodes().stream()
                .filter(node -> node.verdict() == Verdict.INVALID)
                .toList();
        assertThat(found).as("invalid nodes").hasSize(1);
        return found.get(0);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("models")
    void everyNodeHasItsVerdict(String format, Path file, String reason) {
        CheckReport report = report(file);
        assertThat(invalid(report).findings()).singleElement().satisfies(finding -> {
            assertThat(finding.message()).contains(reason);
            assertThat(finding.rule().toString()).endsWith("/malformed");
        });
        assertThat(report.nodes())
                .filteredOn(node -> node.op().equalsIgnoreCase("Relu"))
                .extracting(CheckReport.NodeReport::verdict)
                .containsExactly(Verdict.ON_DEVICE);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("models")
    void aRunIsRefused(String format, Path file, String reason) {
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .isInstanceOf(GraphException.class)
                .isNotInstanceOf(UnsupportedException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void attributesOfAnotherTypeOrGivenTwice() {
        OnnxModel another = onnx().node("Cast", "r", "m", OnnxModel.text("to", "float"));
        OnnxModel twice = onnx().node("Softmax", "r", "m", OnnxModel.integer("axis", 1), OnnxModel.integer("axis", 2));
        OnnxModel inputs = onnx().node("Sigmoid", "r,x", "m");

        assertThat(invalid(report(onnx(another))).findings().get(0).message())
                .isEqualTo("attribute 'to' must be of type INT, but is STRING");
        assertThat(invalid(report(onnx(twice))).findings().get(0).message())
                .isEqualTo("attribute 'axis' is given twice");
        assertThat(invalid(report(onnx(inputs))).findings().get(0).message())
                .startsWith("it has 2 inputs, but Sigmoid takes at most 1");
    }

    @Test
    void weightsThatAreNoTensor() {
        OnnxModel model = onnx().weights("w", 1, 3, 8, 8).node("Add", "r,w", "m");
        model.graph().getInitializerBuilder(0).setDims(1, 4);

        assertThat(invalid(report(onnx(model))).op()).isEqualTo("Initializer");
        assertThatThrownBy(() -> Importers.builtIn().read(onnx(model))).hasMessageContaining("initializer 'w'");
    }

    /** What breaks the graph as a whole is no model. */
    @Test
    void valuesThatAreMissingOrGivenTwice() {
        OnnxModel missing = onnx().node("Add", "r,none", "m");
        OnnxModel twice = onnx().node("Relu", "x", "m").node("Cast", "r", "m");

        assertThatThrownBy(() -> report(onnx(missing))).hasMessageContaining("none");
        assertThatThrownBy(() -> report(onnx(twice))).hasMessageContaining("produced twice");
    }
}
