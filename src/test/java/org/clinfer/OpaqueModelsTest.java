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
import org.clinfer.graph.Node;
import org.clinfer.graph.UnsupportedException;
import org.clinfer.importer.Importers;
import org.clinfer.importer.tensorflow.TfGraph;
import org.clinfer.importer.tfjs.TfjsModel;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.report.ReportFormat;
import org.clinfer.report.ReportOptions;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Models of every format with two layers that Clinfer does not have: one report of all nodes, and no run. */
class OpaqueModelsTest {

    private static final String CAFFE = """
            input: 'x' input_dim: 1 input_dim: 3 input_dim: 8 input_dim: 8
            layer { name: 'r' type: 'ReLU' bottom: 'x' top: 'r' }
            layer { name: 'm' type: 'Mystery' bottom: 'r' top: 'm' }
            layer { name: 'p' type: 'Pooling' bottom: 'm' top: 'p' pooling_param { kernel_size: 2 } }
            layer { name: 'n' type: 'Enigma' bottom: 'p' bottom: 'r' top: 'n' }
            """;

    private static final String DARKNET = """
            [net]
            channels=3
            height=8
            width=8
            [activation]
            activation=relu
            [mystery]
            [maxpool]
            size=2
            stride=2
            [enigma]
            """;

    private static final String NCNN = """
            7767517
            5 5
            Input input 0 1 x 0=8 1=8 2=3
            ReLU r 1 1 x r
            Mystery m 1 1 r m
            Pooling p 1 1 m p 0=0 1=2 2=2
            Enigma n 1 1 p n
            """;

    private static final String OPENVINO = ModelTexts.openvino("r ReLU", "m Mystery", "p Sigmoid", "n Enigma");

    private static final String JSON = ModelTexts.json("r Relu", "m Mystery", "p Sigmoid", "n Enigma");

    @TempDir
    static Path folder;

    private static Path text(String name, String content) {
        try {
            Path own = Files.createTempDirectory(folder, "model");
            return Files.writeString(own.resolve(name), content);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Path tensorflow() throws IOException {
        return new TfGraph()
                .input("x", 1, 8, 8, 3)
                .node("Relu", "r", "x", "T=float")
                .node("Mystery", "m", "r")
                .node("Sigmoid", "p", "m", "T=float")
                .node("Enigma", "n", "p r")
                .write(Files.createTempDirectory(folder, "model"));
    }

    private static Path tfjs() throws IOException {
        return new TfjsModel()
                .input("x", 1, 8, 8, 3)
                .layer("ReLU", "r", "", "x")
                .layer("Mystery", "m", "", "r")
                .layer("MaxPooling2D", "p", "'pool_size':[2,2]", "m")
                .layer("Enigma", "n", "", "p")
                .write(Files.createTempDirectory(folder, "model"));
    }

    static Stream<Arguments> models() throws IOException {
        return Stream.of(
                Arguments.of("Caffe", text("net.prototxt", CAFFE), Verdict.UNKNOWN),
                Arguments.of("darknet", text("net.cfg", DARKNET), Verdict.UNKNOWN),
                Arguments.of("ncnn", text("net.param", NCNN), Verdict.UNKNOWN),
                Arguments.of("OpenVINO", text("net.xml", OPENVINO), Verdict.ON_DEVICE),
                Arguments.of("JSON", text("net.json", JSON), Verdict.UNKNOWN),
                Arguments.of("TensorFlow", tensorflow(), Verdict.UNKNOWN),
                Arguments.of("TensorFlow.js", tfjs(), Verdict.UNKNOWN));
    }

    private static CheckReport.NodeReport node(CheckReport report, String op) {
        List<CheckReport.NodeReport> found = report.nodes().stream()
                .filter(node -> node.op().equalsIgnoreCase(op))
                .toList();
        assertThat(found).as("nodes of %s", op).hasSize(1);
        return found.get(0);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("models")
    void everyNodeHasItsVerdict(String format, Path file, Verdict between) {
        CapabilityChecker checker = CapabilityChecker.builtIn();
        Graph graph = checker.read(file);
        CheckReport report =
                checker.check(graph, Map.of(), ProfileCatalog.builtIn().find("ascend310"), Reading.DOCUMENT);
        for (String missing : List.of("Mystery", "Enigma")) {
            CheckReport.NodeReport node = node(report, missing);
            assertThat(node.verdict()).isEqualTo(Verdict.UNSUPPORTED);
            assertThat(node.work().multiplyAdds()).isEmpty();
            assertThat(node.findings()).hasSize(1);
            assertThat(node.findings().get(0).message())
                    .startsWith("Clinfer has no ")
                    .containsIgnoringCase(missing);
        }
        assertThat(node(report, "Relu").verdict()).isEqualTo(Verdict.ON_DEVICE);
        assertThat(report.nodes())
                .filteredOn(node -> List.of("Sigmoid", "MaxPool", "Pooling", "MaxPooling2D", "maxpool")
                        .contains(node.op()))
                .extracting(CheckReport.NodeReport::verdict)
                .containsExactly(between);
    }

    @Test
    void theMultiplyAddsOfWhatIsNotKnownAreInNoSum(@TempDir Path folder) throws IOException {
        String net =
                CAFFE.replace("type: 'ReLU'", "type: 'Convolution' convolution_param { num_output: 4 kernel_size: 1 }");
        CapabilityChecker checker = CapabilityChecker.builtIn();
        CheckReport report = checker.check(
                checker.read(Files.writeString(folder.resolve("net.prototxt"), net)),
                Map.of(),
                ProfileCatalog.builtIn().find("generic"),
                Reading.DOCUMENT);
        assertThat(report.summary().multiplyAdds()).hasValue(8 * 8 * 3 * 4);
        assertThat(ReportFormat.TEXT.write(List.of(report), ReportOptions.defaults()))
                .contains("768 of 768 multiply-adds on the device (100 %; those of 3 nodes are not known)");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("models")
    void aRunIsRefusedWithAllThatIsMissing(String format, Path file, Verdict between) {
        assertThatThrownBy(() -> Importers.builtIn().read(file))
                .isInstanceOf(UnsupportedException.class)
                .hasMessageContaining(" cannot be used: ")
                .message()
                .containsIgnoringCase("mystery")
                .containsIgnoringCase("enigma")
                .doesNotContainIgnoringCase("pool");
    }

    @Test
    void theLastLayerHasTheNameOfItsBlob() {
        String net = CAFFE.replace("type: 'Enigma' bottom: 'p'", "type: 'ReLU' bottom: 'p'")
                .replace("bottom: 'r' top: 'n'", "top: 'n'");
        CapabilityChecker checker = CapabilityChecker.builtIn();
        Graph graph = checker.read(text("relu.prototxt", net));

        assertThat(graph.nodes()).extracting(Node::op).containsExactly("Relu", "Mystery", "Pooling", "ReLU");
        assertThat(graph.outputs()).containsExactly("n");
    }

    @Test
    void anOpaqueGraphIsNotRun() {
        CapabilityChecker checker = CapabilityChecker.builtIn();
        Graph graph = checker.read(text("net.prototxt", CAFFE));
        EngineOptions options = EngineOptions.defaults().withDevice(new DeviceChoice.Cpu());
        try (Engine engine = Engine.open(options);
                Model model = engine.load(graph)) {
            assertThat(model.check(Map.of()).nodes()).hasSize(4);
            try (Session session = model.session()) {
                Map<String, Tensor> inputs = Map.of("x", Tensor.allocate(DType.FLOAT32, 1, 3, 8, 8));
                assertThatThrownBy(() -> session.run(inputs))
                        .isInstanceOf(UnsupportedException.class)
                        .hasMessageContaining("Clinfer has no layer Mystery")
                        .hasMessageContaining("Clinfer has no layer Enigma");
            }
        }
    }
}
