package org.clinfer.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Finding;
import org.clinfer.check.Verdict;
import org.clinfer.describe.OpCatalog;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.infer.CheckRequest;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.Checker;
import org.clinfer.infer.ConstantEvaluator;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes behind others that the device does not run; Elu and LeakyRelu are such ones for an Edge TPU. */
class NodeOrderTest {

    private static final ProfileCatalog PROFILES = ProfileCatalog.builtIn();

    private static final DeviceProfile EDGE_TPU = PROFILES.find("edgetpu");

    private final GraphBuilder graph =
            new GraphBuilder("net", new SourceRef("net", "")).input("x", TensorType.of(DType.FLOAT32, 1, 8, 4, 4));

    private void node(String name, String op, String... inputs) {
        node(name, op, Map.of(), inputs);
    }

    /** A node whose output has its name. */
    private void node(String name, String op, Map<String, Attribute> parameters, String... inputs) {
        graph.node(op, List.of(inputs), List.of(name), parameters);
    }

    private void convolution(String name, String input) {
        graph.constant(name + ".w", Tensor.allocate(DType.FLOAT32, 8, 8, 1, 1));
        node(name, "Conv2d", input, name + ".w");
    }

    private CheckReport report(String output, DeviceProfile profile) {
        return report(graph.output(output).build(), profile);
    }

    private static CheckReport report(Graph graph, DeviceProfile profile) {
        Map<String, TensorType> types = new HashMap<>();
        graph.inputs().forEach(input -> types.put(input.name(), input.type()));
        CheckedGraph checked =
                Checker.check(new CheckRequest(graph, types), OpCatalog.builtIn(), ConstantEvaluator.NONE);
        return new ProfileCheck(
                        OpCatalog.builtIn(),
                        PROFILES.vocabulary(),
                        ProfileOptions.DEFAULTS.withFloat32As(DType.INT8),
                        List.of(new ProfileJudge(profile, PROFILES.vocabulary(), Reading.DOCUMENT)),
                        node -> Optional.empty())
                .reports(checked)
                .get(0);
    }

    private static List<String> onDevice(CheckReport report) {
        return report.nodes().stream()
                .filter(CheckReport.NodeReport::isOnDevice)
                .map(node -> node.outputs().get(0).name())
                .toList();
    }

    private static Finding finding(CheckReport report, String output) {
        return report.nodes().stream()
                .filter(node -> node.outputs().get(0).name().equals(output))
                .findFirst()
                .orElseThrow()
                .findings()
                .get(0);
    }

    @Test
    void everythingBehindANodeOfTheHostIsThere() {
        convolution("first", "x");
        node("elu", "Elu", "first");
        convolution("second", "elu");
        node("last", "Softmax", "second");
        CheckReport report = report("last", EDGE_TPU);
        assertThat(onDevice(report)).containsExactly("first");
        assertThat(report.summary().partitions()).isEqualTo(1);
        assertThat(finding(report, "last").rule()).hasToString("coral/*/one-subgraph");
        assertThat(finding(report, "last").message())
                .endsWith("it follows '" + report.nodes().get(1).node() + "'");
        assertThat(finding(report, "elu").rule()).hasToString("coral/operators");
    }

    @Test
    void aBranchBesideItStaysOnTheDevice() {
        convolution("first", "x");
        node("elu", "Elu", "first");
        convolution("beside", "first");
        convolution("behind", "elu");
        node("sum", "Add", "beside", "behind");
        assertThat(onDevice(report("sum", EDGE_TPU))).containsExactly("first", "beside");
    }

    @Test
    void aCompilerOfManySubgraphsTakesThem(@TempDir Path folder) throws IOException {
        convolution("first", "x");
        node("elu", "Elu", "first");
        convolution("second", "elu");
        Path file = Files.writeString(folder.resolve("many.ini"), """
                [Coral]
                data_types = int8, uint8
                [Compiler]
                multiple_subgraphs = true
                [clinfer]
                family = coral
                title = Edge TPU with all subgraphs
                source = a test
                """);
        CheckReport report = report("second", PROFILES.read(file));
        assertThat(onDevice(report)).containsExactly("first", "second");
        assertThat(report.summary().partitions()).isEqualTo(2);
    }

    @Test
    void aPartGoesWithTheNodeThatItIsPartOf() {
        convolution("first", "x");
        node("elu", "Elu", "first");
        convolution("second", "elu");
        node("relu", "Relu", "second");
        convolution("third", "relu");
        CheckReport report = report("third", EDGE_TPU);
        assertThat(onDevice(report)).containsExactly("first");
        assertThat(finding(report, "relu").rule()).hasToString("coral/converts/fuse-activation");
        assertThat(finding(report, "third").message()).contains("follows 'elu");
    }

    @Test
    void constantsAreNoNodesOfTheHost() {
        graph.constant("c", Tensor.allocate(DType.FLOAT32, 8, 8, 1, 1));
        node("weights", "Elu", "c");
        node("y", "Conv2d", "x", "weights");
        assertThat(report("y", EDGE_TPU).summary().nodesOnDevice()).isEqualTo(1);
    }

    /** As the document says of networks that are quantized inside and take real numbers. */
    @Test
    void theHostMayQuantizeTheInput() {
        graph.constant("scale", Tensor.of(new float[] {0.1f}));
        graph.constant("zero", Tensor.of(new byte[] {0}));
        node("q", "QuantizeLinear", "x", "scale", "zero");
        node("dq", "DequantizeLinear", "q", "scale", "zero");
        convolution("y", "dq");
        node("yq", "QuantizeLinear", "y", "scale", "zero");
        node("back", "DequantizeLinear", "yq", "scale", "zero");
        assertThat(onDevice(report("back", EDGE_TPU))).containsExactly("dq", "y", "yq");
    }

    @Test
    void whatFollowsANodeOfNoKnownPlaceIsNotKnownEither() {
        graph.input(
                "open",
                new TensorType(DType.FLOAT32, new Shape(List.of(Dim.named("n"), Dim.of(8), Dim.of(4), Dim.of(4)))));
        graph.constant("sizes", Tensor.of(new long[] {1, 8, 4, 4}, 4));
        node("batch", "Reshape", "open", "sizes");
        convolution("y", "batch");
        CheckReport report = report("y", EDGE_TPU);
        assertThat(report.nodes()).extracting(CheckReport.NodeReport::verdict).containsOnly(Verdict.UNKNOWN);
        assertThat(finding(report, "y").message())
                .startsWith("cannot be decided")
                .endsWith("follows 'reshape_0', which may be on the device or not");
    }
}
