package org.clinfer.judge;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

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
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Limits that all nodes of a network share. */
class NetworkTotalsTest {

    /** 8 x 8 pictures of 64 channels that convolutions follow, each with 64 x 64 kernels of 3 x 3 and a Relu behind it. */
    private static final class Chain {

        private final GraphBuilder graph = new GraphBuilder("net", new SourceRef("net", ""))
                .input("v0", TensorType.of(DType.FLOAT32, 1, 64, 8, 8));
        private int length;

        Chain convolution(String weights) {
            String to = "v" + (length + 1);
            graph.node(
                    "Conv2d",
                    List.of("v" + length, weights),
                    List.of("c" + length),
                    Map.of("padding", Attribute.ofInts(1, 1, 1, 1)));
            graph.node("Relu", List.of("c" + length), List.of(to), Map.of());
            length++;
            return this;
        }

        Chain constant(String name, long... sizes) {
            graph.constant(name, Tensor.allocate(DType.FLOAT32, sizes));
            return this;
        }

        Chain convolutions(int count, long kernel) {
            for (int i = 0; i < count; i++) {
                String weights = "w" + length;
                constant(weights, 64, 64, kernel, kernel);
                graph.node(
                        "Conv2d",
                        List.of("v" + length, weights),
                        List.of("v" + (length + 1)),
                        Map.of("padding", Attribute.ofInts(kernel / 2, kernel / 2, kernel / 2, kernel / 2)));
                length++;
            }
            return this;
        }

        Graph build() {
            return graph.output("v" + length).build();
        }
    }

    private static CheckReport report(Graph graph, String profile) {
        ProfileCatalog profiles = ProfileCatalog.builtIn();
        Map<String, TensorType> types = new HashMap<>();
        graph.inputs().forEach(input -> types.put(input.name(), input.type()));
        CheckedGraph checked =
                Checker.check(new CheckRequest(graph, types), OpCatalog.builtIn(), ConstantEvaluator.NONE);
        ProfileJudge judge = new ProfileJudge(profiles.find(profile), profiles.vocabulary(), Reading.DOCUMENT);
        return new ProfileCheck(
                        OpCatalog.builtIn(),
                        profiles.vocabulary(),
                        ProfileOptions.DEFAULTS,
                        List.of(judge),
                        node -> Optional.empty())
                .reports(checked)
                .get(0);
    }

    private static List<String> found(CheckReport report) {
        return report.findings().stream()
                .map(finding -> {
                    Finding.BrokenRule broken = finding.broken().orElseThrow();
                    return finding.rule() + " " + broken.actual() + " " + broken.limit();
                })
                .toList();
    }

    private static long onDevice(CheckReport report) {
        return requireNonNull(report.counts().get(Verdict.ON_DEVICE));
    }

    /** 12 x 36864 bytes fill the memory of the MAX78000. */
    @Test
    void weightsThatFillTheMemoryFit() {
        CheckReport report = report(new Chain().convolutions(12, 3).build(), "max78000");
        assertThat(onDevice(report)).isEqualTo(12);
        assertThat(report.findings()).isEmpty();
    }

    @Test
    void nodesHaveRoomInTheirOrder() {
        CheckReport report = report(new Chain().convolutions(14, 3).build(), "max78000");
        assertThat(onDevice(report)).isEqualTo(12);
        assertThat(found(report)).containsExactly("max7800x/network/all-weights 516096 442368");
        assertThat(report.nodes().subList(12, 14)).allSatisfy(node -> {
            assertThat(node.verdict()).isEqualTo(Verdict.FALLS_BACK);
            assertThat(RuleCase.found(node.findings())).containsExactly("conv2d/all-weights 516096 442368");
        });
        assertThat(report.nodes()
                        .get(12)
                        .findings()
                        .get(0)
                        .broken()
                        .orElseThrow()
                        .passing())
                .containsExactly(new Finding.PassingValue("CNN.all_weight_bytes", "442368", "516096"));
        assertThat(onDevice(report(new Chain().convolutions(14, 3).build(), "max78002")))
                .isEqualTo(14);
    }

    @Test
    void smallNodesBehindALargeOneHaveRoom() {
        CheckReport report = report(
                new Chain()
                        .convolutions(11, 3)
                        .convolutions(1, 1)
                        .convolutions(1, 3)
                        .convolutions(2, 1)
                        .build(),
                "max78000");
        assertThat(report.nodes().stream()
                        .map(CheckReport.NodeReport::isOnDevice)
                        .toList())
                .hasSize(15)
                .containsOnlyOnce(false);
        assertThat(report.nodes().get(12).isOnDevice()).isFalse();
    }

    /** An activation that the converter fuses goes where its convolution does, and weights that nodes share count once. */
    @Test
    void partsFollowAndSharedWeightsCountOnce() {
        Chain shared = new Chain().constant("weights", 64, 64, 3, 3);
        for (int i = 0; i < 14; i++) {
            shared.convolution("weights");
        }
        assertThat(onDevice(report(shared.build(), "max78000"))).isEqualTo(14);
        Chain own = new Chain();
        for (int i = 0; i < 13; i++) {
            own.constant("weights" + i, 64, 64, 3, 3).convolution("weights" + i);
        }
        CheckReport report = report(own.build(), "max78000");
        assertThat(onDevice(report)).isEqualTo(12);
        assertThat(report.nodes().get(25).isPart()).isTrue();
        assertThat(report.nodes().get(25).verdict()).isEqualTo(Verdict.FALLS_BACK);
    }

    /** Weights that nobody knows before the run, as those of an operator by itself, take no room. */
    @Test
    void weightsThatAreComputedCountNowhere() {
        Chain chain = new Chain();
        chain.graph.input("weights", TensorType.of(DType.FLOAT32, 64, 64, 3, 3));
        for (int i = 0; i < 14; i++) {
            chain.convolution("weights");
        }
        assertThat(report(chain.build(), "max78000").findings()).isEmpty();
    }

    @Test
    void layersAreCounted() {
        Chain shared = new Chain().constant("weights", 64, 64, 1, 1);
        for (int i = 0; i < 33; i++) {
            shared.convolution("weights");
        }
        CheckReport report = report(shared.build(), "max78000");
        assertThat(found(report)).containsExactly("max7800x/network/layers 33 32");
        assertThat(onDevice(report)).isEqualTo(32);
        assertThat(report(shared.build(), "max78002").findings()).isEmpty();
    }

    @Test
    void biasesHaveAMemoryOfTheirOwn() {
        GraphBuilder graph = new GraphBuilder("net", new SourceRef("net", ""))
                .input("x", TensorType.of(DType.FLOAT32, 1, 1, 8, 8))
                .constant("weights", Tensor.allocate(DType.FLOAT32, 1000, 1, 1, 1));
        for (int i = 0; i < 3; i++) {
            graph.constant("bias" + i, Tensor.allocate(DType.FLOAT32, 1000))
                    .node("Conv2d", List.of("x", "weights", "bias" + i), List.of("y" + i), Map.of())
                    .output("y" + i);
        }
        assertThat(found(report(graph.build(), "max78000"))).containsExactly("max7800x/network/all-biases 3000 2048");
    }

    /** All constants of all nodes are in the 6 MiB beside the memory of the KPU. */
    @Test
    void weightsOfTheKpuAreInTheGeneralMemory() {
        GraphBuilder graph = new GraphBuilder("net", new SourceRef("net", ""))
                .input("x", TensorType.of(DType.FLOAT32, 1, 1024, 8, 8));
        for (int i = 0; i < 7; i++) {
            graph.constant("w" + i, Tensor.allocate(DType.FLOAT32, 1024, 1024, 1, 1))
                    .node("Conv2d", List.of("x", "w" + i), List.of("y" + i), Map.of())
                    .output("y" + i);
        }
        CheckReport report = report(graph.build(), "k210");
        assertThat(found(report)).containsExactly("kpu/network/all-weights 7340032 6291456");
        assertThat(onDevice(report)).isEqualTo(6);
    }
}
