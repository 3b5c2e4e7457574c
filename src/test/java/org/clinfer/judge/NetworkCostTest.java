package org.clinfer.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.check.CheckReport;
import org.clinfer.check.NetworkCost;
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
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** The cost of small networks, computed by hand of the formulas and figures of Ethos-U55-256 at 500 MHz. */
class NetworkCostTest {

    private static final double CLOCK_KHZ = 500_000;
    private static final double SRAM_BYTES_PER_MILLISECOND = 4e6;
    private static final double FLASH_BYTES_PER_MILLISECOND = 5e5;
    private static final double NODE_CYCLES = 500;

    private static final TensorType PICTURE = TensorType.of(DType.FLOAT32, 1, 32, 24, 24);
    private static final long CONVOLVED = 64 * 24 * 24;

    private static GraphBuilder network() {
        return new GraphBuilder("net", new SourceRef("net", ""))
                .input("x", PICTURE)
                .constant("weights", Tensor.allocate(DType.FLOAT32, 64, 32, 3, 3))
                .node(
                        "Conv2d",
                        List.of("x", "weights"),
                        List.of("convolved"),
                        Map.of("padding", Attribute.ofInts(1, 1, 1, 1)));
    }

    private static CheckReport report(Graph graph, String profile) {
        return reports(graph, List.of(profile)).get(0);
    }

    private static List<CheckReport> reports(Graph graph, List<String> names) {
        ProfileCatalog profiles = ProfileCatalog.builtIn();
        Map<String, TensorType> types = new HashMap<>();
        graph.inputs().forEach(input -> types.put(input.name(), input.type()));
        CheckedGraph checked =
                Checker.check(new CheckRequest(graph, types), OpCatalog.builtIn(), ConstantEvaluator.NONE);
        List<ProfileJudge> judges = names.stream()
                .map(name -> new ProfileJudge(profiles.find(name), profiles.vocabulary(), Reading.DOCUMENT))
                .toList();
        ProfileOptions options = ProfileOptions.DEFAULTS.withFloat32As(DType.INT8);
        return new ProfileCheck(OpCatalog.builtIn(), profiles.vocabulary(), options, judges, node -> Optional.empty())
                .reports(checked);
    }

    private static NetworkCost.NodeCost cost(CheckReport report, int node) {
        return report.cost().of(report.nodes().get(node).node()).orElseThrow();
    }

    @Test
    void aConvolutionTakesTheLongerOfArithmeticAndMemory() {
        CheckReport report = report(network().output("convolved").build(), "ethos-u55-256");
        NetworkCost.NodeCost cost = cost(report, 0);
        assertThat(cost.multiplyAdds()).hasValue(CONVOLVED * 32 * 9);
        assertThat(cost.share()).hasValue(1);
        assertThat(cost.readBytes()).hasValue(32 * 24 * 24);
        assertThat(cost.writtenBytes()).hasValue(CONVOLVED);
        assertThat(cost.weightBytes()).hasValue(64 * 32 * 9);
        NetworkCost.Estimate time = cost.device().orElseThrow();
        // 12 x 12 blocks of 4 cycles, 8 times 8 channels, 9 elements of the kernel
        assertThat(time.computeMillis()).isCloseTo(4 * 144 * 8 * 9 / CLOCK_KHZ, within(1e-9));
        assertThat(time.memoryMillis()).isCloseTo(64 * 32 * 9 / FLASH_BYTES_PER_MILLISECOND, within(1e-9));
        assertThat(time.overheadMillis()).isCloseTo(NODE_CYCLES / CLOCK_KHZ, within(1e-9));
        assertThat(time.bound()).isEqualTo(NetworkCost.Bound.COMPUTE);
        assertThat(time.millis()).isCloseTo(time.computeMillis() + time.overheadMillis(), within(1e-9));
        NetworkCost.Total total = report.cost().total().orElseThrow();
        assertThat(total.millis()).hasValue(time.millis());
        assertThat(total.hostMillis()).hasValue(0);
        assertThat(total.notEstimated()).isZero();
    }

    @Test
    void aNodeThatOnlyMovesBytesIsBoundByMemory() {
        Graph graph = network()
                .node("Max", List.of("convolved", "convolved"), List.of("y"), Map.of())
                .output("y")
                .build();
        NetworkCost.NodeCost cost = cost(report(graph, "ethos-u55-256"), 1);
        NetworkCost.Estimate time = cost.device().orElseThrow();
        assertThat(cost.share()).hasValue(0);
        assertThat(time.memoryMillis()).isCloseTo(3 * CONVOLVED / SRAM_BYTES_PER_MILLISECOND, within(1e-9));
        assertThat(time.bound()).isEqualTo(NetworkCost.Bound.MEMORY);
    }

    @Test
    void devicesThatAreEstimatedTogetherHaveTheTimesTheyHaveAlone() {
        Graph graph = network()
                .node("Max", List.of("convolved", "convolved"), List.of("y"), Map.of())
                .output("y")
                .build();
        List<String> profiles = List.of("ethos-u55-256", "ethos-u55-32", "ethos-u65-256", "ethos-u55-128");
        List<CheckReport> together = reports(graph, profiles);
        assertThat(together)
                .extracting(CheckReport::cost)
                .isEqualTo(profiles.stream()
                        .map(profile -> report(graph, profile).cost())
                        .toList());
        assertThat(together)
                .extracting(report -> report.cost().total().orElseThrow().millis())
                .doesNotHaveDuplicates();
    }

    @Test
    void aPartOfAnotherNodeCostsNothingOfItsOwn() {
        Graph graph = network()
                .node("Relu", List.of("convolved"), List.of("y"), Map.of())
                .output("y")
                .build();
        CheckReport report = report(graph, "ethos-u55-256");
        assertThat(report.nodes().get(1).isPart()).isTrue();
        assertThat(report.cost().of(report.nodes().get(1).node())).isEmpty();
        assertThat(report.cost().total().orElseThrow().millis())
                .hasValue(cost(report, 0).device().orElseThrow().millis());
    }

    /** Another input of a node that is part of a convolution comes from the host. */
    @Test
    void theSummaryCountsTheCrossingsOfTheCost() {
        Graph graph = network()
                .input("z", TensorType.of(DType.FLOAT32, 1, 64, 24, 24))
                .node("Sin", List.of("convolved"), List.of("wave"), Map.of())
                .node("Add", List.of("wave", "z"), List.of("sum"), Map.of())
                .node("Relu", List.of("sum"), List.of("y"), Map.of())
                .output("y")
                .build();
        for (String profile : List.of("ethos-u55-256", "edgetpu", "generic", "rk3588")) {
            CheckReport report = report(graph, profile);
            long bytes = report.cost().crossings().stream()
                    .mapToLong(crossing -> crossing.bytes().orElseThrow())
                    .sum();
            assertThat(report.summary().crossingBytes()).as(profile).hasValue(bytes);
        }
    }

    @Test
    void aNodeOnTheDeviceTakesNoTimeOfTheHost() {
        CheckReport report = report(network().output("convolved").build(), "ethos-u65-256");
        assertThat(report.nodes().get(0).verdict()).isEqualTo(Verdict.ON_DEVICE);
        assertThat(cost(report, 0).hostMillis()).isEmpty();
    }

    @Test
    void nothingIsMadeUpForTheHostOfWhichNothingIsKnown() {
        Graph graph = network()
                .node("Sin", List.of("convolved"), List.of("y"), Map.of())
                .output("y")
                .build();
        CheckReport report = report(graph, "ethos-u55-256");
        assertThat(report.nodes().get(1).verdict()).isEqualTo(Verdict.FALLS_BACK);
        assertThat(cost(report, 1).device()).isEmpty();
        assertThat(cost(report, 1).hostMillis()).isEmpty();
        assertThat(report.cost().crossings()).hasSize(1);
        NetworkCost.Crossing crossing = report.cost().crossings().get(0);
        assertThat(crossing.value()).isEqualTo("convolved");
        assertThat(crossing.isToDevice()).isFalse();
        assertThat(crossing.bytes()).hasValue(CONVOLVED);
        assertThat(crossing.millis()).isEmpty();
        NetworkCost.Total total = report.cost().total().orElseThrow();
        assertThat(total.deviceMillis()).isPresent();
        assertThat(total.hostMillis()).isEmpty();
        assertThat(total.millis()).isEmpty();
        assertThat(total.notEstimated()).isEqualTo(1);
    }

    @Test
    void aNodeThatFallsBackTakesTheTimeOfTheHost() {
        Graph graph = new GraphBuilder("net", new SourceRef("net", ""))
                .input("x", PICTURE)
                .constant("weights", Tensor.allocate(DType.FLOAT32, 64, 32, 3, 3))
                .node(
                        "Conv2d",
                        List.of("x", "weights"),
                        List.of("y"),
                        Map.of("padding", Attribute.ofInts(1, 1, 1, 1), "strides", Attribute.ofInts(4, 4)))
                .output("y")
                .build();
        CheckReport report = report(graph, "ethos-u65-256");
        assertThat(report.nodes().get(0).verdict()).isEqualTo(Verdict.FALLS_BACK);
        double millis = 64.0 * 6 * 6 * 32 * 9 / 4e6; // of 4e9 multiply-adds in a second
        assertThat(cost(report, 0).hostMillis().orElseThrow()).isCloseTo(millis, within(1e-9));
        NetworkCost.Total total = report.cost().total().orElseThrow();
        assertThat(total.deviceMillis()).hasValue(0);
        assertThat(total.startMillis()).hasValue(0);
        assertThat(total.millis().orElseThrow()).isCloseTo(millis, within(1e-9));
        assertThat(total.notEstimated()).isZero();
        assertThat(total.accuracy()).as("the error is of times on the device").isEmpty();
        assertThat(report(network().output("convolved").build(), "ethos-u65-256")
                        .cost()
                        .total()
                        .orElseThrow()
                        .accuracy())
                .isPresent();
    }

    @Test
    void weightsWithoutRoomOnTheDeviceCrossTheLinkInEveryRun() {
        TensorType weights = TensorType.of(DType.FLOAT32, 4096, 4096);
        Graph graph = new GraphBuilder("net", new SourceRef("net", ""))
                .input("x", TensorType.of(DType.FLOAT32, 1, 4096))
                .constant("first", Tensor.deferred(TensorType.of(DType.FLOAT32, 4096, 1024), bytes -> {}))
                .constant("second", Tensor.deferred(TensorType.of(DType.FLOAT32, 1024, 4096), bytes -> {}))
                .constant("third", Tensor.deferred(weights, bytes -> {}))
                .node("Gemm", List.of("x", "first"), List.of("narrow"), Map.of())
                .node("Gemm", List.of("narrow", "second"), List.of("wide"), Map.of())
                .node("Gemm", List.of("wide", "third"), List.of("y"), Map.of())
                .output("y")
                .build();
        CheckReport report = report(graph, "edgetpu");
        double linkBytesPerMillisecond = 440_000;
        long room = 8_000_000;
        long small = 4096 * 1024;
        assertThat(memoryMillis(report, 0)).isZero();
        assertThat(memoryMillis(report, 1)).isCloseTo((2 * small - room) / linkBytesPerMillisecond, within(1e-9));
        assertThat(memoryMillis(report, 2)).isCloseTo(4 * small / linkBytesPerMillisecond, within(1e-9));
        assertThat(report.cost().crossings())
                .extracting(NetworkCost.Crossing::value, NetworkCost.Crossing::isToDevice)
                .containsExactly(tuple("x", true), tuple("y", false));
        NetworkCost.Total total = report.cost().total().orElseThrow();
        assertThat(total.crossingMillis().orElseThrow()).isCloseTo(2 * 4096 / linkBytesPerMillisecond, within(1e-9));
        assertThat(total.startMillis()).hasValue(1);
        assertThat(report.summary().crossingBytes()).hasValue(2 * 4096);
        assertThat(report.summary().weightBytes()).isEqualTo(6 * small);
    }

    private static double memoryMillis(CheckReport report, int node) {
        return cost(report, node).device().orElseThrow().memoryMillis();
    }

    @Test
    void aProfileWithoutFiguresHasWorkAndBytesAlone() {
        CheckReport report = report(network().output("convolved").build(), "generic");
        assertThat(report.cost().total()).isEmpty();
        assertThat(cost(report, 0).device()).isEmpty();
        assertThat(cost(report, 0).share()).hasValue(1);
        assertThat(cost(report, 0).readBytes()).as("as int8").hasValue(PICTURE.bytes() / 4);
        assertThat(cost(report, 0).weightBytes()).as("as int8").hasValue(64 * 32 * 9);
    }

    @Test
    void theVendorsOwnFileOfAscendHasTheFigures() {
        NetworkCost.Estimate time = cost(report(network().output("convolved").build(), "ascend310"), 0)
                .device()
                .orElseThrow();
        // 36 rows of 16, 4 columns of 16, 1 group of 32 channels, 9 elements of the kernel, on 2 cores of 680 MHz
        assertThat(time.computeMillis()).isCloseTo(36 * 4 * 9 / 2.0 / 680_000, within(1e-9));
    }

    @Test
    void sharesOfWholesAreThoseOfTheirParts() {
        Graph graph = network()
                .constant("scale", Tensor.allocate(DType.FLOAT32, 64))
                .constant("bias", Tensor.allocate(DType.FLOAT32, 64))
                .node(
                        "GroupNorm",
                        List.of("convolved", "scale", "bias"),
                        List.of("y"),
                        Map.of("num_groups", Attribute.of(2)))
                .output("y")
                .build();
        CheckReport report = report(graph, "generic").ofWholes();
        assertThat(report.nodes()).hasSize(2).allMatch(CheckReport.NodeReport::isOnDevice);
        NetworkCost.NodeCost whole = cost(report, 1);
        assertThat(whole.share()).hasValue(0);
        assertThat(whole.readBytes().orElseThrow()).isGreaterThanOrEqualTo(CONVOLVED);
    }

    /** A Mish of a batch falls back whole, and its time on the host is not known: one node, however many parts it has. */
    @Test
    void nodesWithoutAnEstimateAreWholes() {
        Graph graph = new GraphBuilder("net", new SourceRef("net", ""))
                .input("x", TensorType.of(DType.FLOAT32, 2, 4, 8, 8))
                .node("Mish", List.of("x"), List.of("y"), Map.of())
                .output("y")
                .build();
        CheckReport parts = report(graph, "edgetpu");
        assertThat(parts.cost().total().orElseThrow().notEstimated()).isEqualTo(3);
        CheckReport report = parts.ofWholes();
        assertThat(report.nodes()).hasSize(1);
        assertThat(report.cost().total().orElseThrow().notEstimated()).isEqualTo(1);
    }
}
