package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.clinfer.check.CheckReport;
import org.clinfer.check.NetworkCost;
import org.clinfer.check.Verdict;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Reports for GPUs that are known by their profiles: what is planned there, and how long it is predicted to take. */
class PlannedReportTest {

    private static final TensorType PICTURE = TensorType.of(DType.FLOAT32, 1, 64, 56, 56);
    private static final ProfileCatalog PROFILES = ProfileCatalog.builtIn();

    private static GraphBuilder convolution(TensorType picture) {
        return new GraphBuilder("net", new SourceRef("net", ""))
                .input("x", picture)
                .constant("weights", Tensor.allocate(DType.FLOAT32, 256, 64, 1, 1))
                .node("Conv2d", List.of("x", "weights"), List.of("convolved"), Map.of())
                .node("Relu", List.of("convolved"), List.of("y"), Map.of());
    }

    private static CheckReport report(Graph graph, String profile) {
        return CapabilityChecker.builtIn().check(graph, Map.of(), PROFILES.find(profile), Reading.DOCUMENT);
    }

    private static CheckReport.NodeReport node(CheckReport report, String op) {
        return report.nodes().stream()
                .filter(node -> node.op().equals(op))
                .findFirst()
                .orElseThrow();
    }

    private static NetworkCost.Estimate time(CheckReport report, String op) {
        return report.cost().of(node(report, op).node()).orElseThrow().device().orElseThrow();
    }

    @Test
    void aNodeHasTheVariantAndTheTileThatIsPlanned() {
        CheckReport report = report(convolution(PICTURE).output("y").build(), "h200");
        assertThat(report.device()).isEqualTo("NVIDIA H200 SXM");
        assertThat(node(report, "Conv2d").variant()).startsWith("groups ").contains("x");
        assertThat(node(report, "Relu").variant())
                .isEqualTo("part of " + node(report, "Conv2d").node());
        assertThat(time(report, "Relu").millis()).isZero();
        assertThat(report.counts()).containsEntry(Verdict.ON_DEVICE, 2L);
    }

    @Test
    void theTimeOfARunIsThatOfItsNodesAndOfWhatCrosses() {
        Graph graph = convolution(PICTURE)
                .node("Softmax", List.of("y"), List.of("z"), Map.of())
                .output("z")
                .build();
        CheckReport report = report(graph, "h200");
        NetworkCost.Total total = report.cost().total().orElseThrow();
        double nodes = time(report, "Conv2d").millis() + time(report, "Softmax").millis();
        assertThat(total.deviceMillis()).hasValueCloseTo(nodes, within(1e-9));
        // x and z over 64 GB/s
        double crossing = (PICTURE.bytes() + 4.0 * 256 * 56 * 56) / 64e9 * 1e3;
        assertThat(total.crossingMillis()).hasValueCloseTo(crossing, within(1e-9));
        assertThat(total.millis()).hasValueCloseTo(nodes + crossing, within(1e-9));
        assertThat(total.notEstimated()).isZero();
        assertThat(total.accuracy()).isEmpty();
    }

    @Test
    void nothingTakesLessThanTheFiguresAllow() {
        CheckReport report = report(convolution(PICTURE).output("y").build(), "adreno730");
        NetworkCost.Estimate time = time(report, "Conv2d");
        double products = 256.0 * 64 * 56 * 56;
        assertThat(time.computeMillis()).isGreaterThanOrEqualTo(products / (4 * 256 * 900e6) * 1e3);
        double bytes = 4.0 * (64 * 56 * 56 + 256 * 56 * 56 + 256 * 64);
        assertThat(time.memoryMillis()).isGreaterThanOrEqualTo(bytes / 51.2e9 * 1e3);
        assertThat(time.overheadMillis()).isGreaterThanOrEqualTo(0.03);
        assertThat(time.millis())
                .isGreaterThanOrEqualTo(
                        Math.max(time.computeMillis(), time.memoryMillis()) + time.overheadMillis() - 1e-9);
    }

    @Test
    void smallNodesAreBoundByLaunchesAndLargeOnesByMemory() {
        Graph small = new GraphBuilder("net", new SourceRef("net", ""))
                .input("x", TensorType.of(DType.FLOAT32, 16))
                .node("Sigmoid", List.of("x"), List.of("y"), Map.of())
                .output("y")
                .build();
        assertThat(time(report(small, "h200"), "Sigmoid").bound()).isEqualTo(NetworkCost.Bound.LAUNCHES);
        TensorType large = TensorType.of(DType.FLOAT32, 64, 1024, 1024);
        Graph moved = new GraphBuilder("net", new SourceRef("net", ""))
                .input("a", large)
                .input("b", large)
                .node("Add", List.of("a", "b"), List.of("y"), Map.of())
                .output("y")
                .build();
        NetworkCost.Estimate time = time(report(moved, "h200"), "Add");
        assertThat(time.bound()).isEqualTo(NetworkCost.Bound.MEMORY);
        assertThat(time.millis()).isCloseTo(3.0 * large.bytes() / 4.27e12 * 1e3 + 0.0045, within(1e-9));
    }

    @Test
    void theDeviceRefusesWhatALiveOneWouldRefuse() {
        Graph graph = new GraphBuilder("net", new SourceRef("net", ""))
                .input("x", TensorType.of(DType.FLOAT64, 8))
                .node("Relu", List.of("x"), List.of("y"), Map.of())
                .output("y")
                .build();
        CheckReport.NodeReport refused = node(report(graph, "arc-a770"), "Relu");
        assertThat(refused.verdict()).isEqualTo(Verdict.FALLS_BACK);
        assertThat(refused.findings()).anyMatch(finding -> finding.message().contains("cl_khr_fp64"));
        assertThat(node(report(graph, "h200"), "Relu").verdict()).isEqualTo(Verdict.ON_DEVICE);
    }

    @Test
    void withAnOpenDimensionNothingIsPlanned() {
        TensorType open =
                new TensorType(DType.FLOAT32, new Shape(List.of(Dim.of(1), Dim.of(64), Dim.named("h"), Dim.of(56))));
        CheckReport report = report(convolution(open).output("y").build(), "h200");
        assertThat(node(report, "Conv2d").verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(report.cost().total()).isEmpty();
    }

    @Test
    void profilesOfBothKindsAreAnsweredInTheirOrder() {
        Graph graph = convolution(PICTURE).output("y").build();
        List<DeviceProfile> given =
                List.of(PROFILES.find("h200"), PROFILES.find("ethos-u55-256"), PROFILES.find("iris-xe"));
        assertThat(CapabilityChecker.builtIn().check(graph, Map.of(), given, Reading.DOCUMENT))
                .extracting(CheckReport::profile)
                .containsExactly("h200", "ethos-u55-256", "iris-xe");
    }

    @Test
    void aGpuRunsNetworksAsTheyAre() {
        Graph graph = convolution(PICTURE).output("y").build();
        CapabilityChecker quantized = CapabilityChecker.builtIn().withFloat32As(DType.INT8);
        DeviceProfile gpu = PROFILES.find("h200");
        assertThatThrownBy(() -> quantized.check(graph, Map.of(), gpu, Reading.DOCUMENT))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("are not quantized or converted to a data type");
    }
}
