package org.clinfer.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.clinfer.check.CheckReport;
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
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** What a network comes to as a whole, counted by hand. */
class ReportTotalsTest {

    private static final Map<String, Attribute> PADDED = Map.of("padding", Attribute.ofInts(1, 1, 1, 1));

    /**
     * <pre>
     * x [1, 3, 8, 8] - conv [1, 4, 8, 8] - relu -+- sigmoid -+- add - view [1, 256]
     *                                            +-----------+
     * </pre>
     */
    private static GraphBuilder network(TensorType x) {
        return new GraphBuilder("net", new SourceRef("net", ""))
                .input("x", x)
                .constant("weights", Tensor.allocate(DType.FLOAT32, 4, 3, 3, 3))
                .node("Conv2d", List.of("x", "weights"), List.of("convolved"), PADDED)
                .node("Relu", List.of("convolved"), List.of("rectified"), Map.of())
                .node("Sigmoid", List.of("rectified"), List.of("squashed"), Map.of())
                .node("Add", List.of("rectified", "squashed"), List.of("added"), Map.of())
                .node("Flatten", List.of("added"), List.of("y"), Map.of())
                .output("y");
    }

    private static CheckReport.Summary summary(TensorType x, Set<String> onDevice, OptionalLong memory) {
        return summary(x, onDevice, memory, ValuesOnDevice.AS_WRITTEN);
    }

    private static CheckReport.Summary summary(
            TensorType x, Set<String> onDevice, OptionalLong memory, ValuesOnDevice values) {
        Graph graph = network(x).build();
        CheckedGraph checked =
                Checker.check(new CheckRequest(graph, Map.of("x", x)), OpCatalog.builtIn(), ConstantEvaluator.NONE);
        assertThat(checked.findings()).isEmpty();
        return NodeReports.of(checked, OpCatalog.builtIn(), "device", "", memory, values, Optional.empty(), node -> {
                    boolean is = onDevice.contains(node.node().op());
                    return new NodeReports.Placed(is ? Verdict.ON_DEVICE : Verdict.FALLS_BACK, "", List.of());
                })
                .summary();
    }

    private static final TensorType PICTURE = TensorType.of(DType.FLOAT32, 1, 3, 8, 8);
    private static final long PICTURE_BYTES = 3 * 64 * 4;
    private static final long MAP_BYTES = 4 * 64 * 4;
    private static final long WEIGHT_BYTES = 4 * 27 * 4;

    @Test
    void everythingOnTheDevice() {
        Set<String> all = Set.of("Conv2d", "Relu", "Sigmoid", "Add", "Flatten");
        CheckReport.Summary summary = summary(PICTURE, all, OptionalLong.of(5000));
        assertThat(summary.nodesOnDevice()).isEqualTo(5);
        assertThat(summary.nodes()).isEqualTo(5);
        assertThat(summary.multiplyAddsOnDevice()).hasValue(4 * 64 * 27);
        assertThat(summary.multiplyAdds()).hasValue(4 * 64 * 27);
        assertThat(summary.partitions()).isEqualTo(1);
        assertThat(summary.crossingBytes()).hasValue(0);
        assertThat(summary.weightBytes()).isEqualTo(WEIGHT_BYTES);
        // The sum, and what it is the sum of; the flat view of it takes no more.
        assertThat(summary.peakActivationBytes()).hasValue(3 * MAP_BYTES);
        assertThat(summary.fitsMemory()).contains(true);
        assertThat(summary(PICTURE, all, OptionalLong.of(3 * MAP_BYTES + WEIGHT_BYTES - 1))
                        .fitsMemory())
                .contains(false);
    }

    @Test
    void anIslandOnTheCpuSplitsTheDevicesPart() {
        CheckReport.Summary summary =
                summary(PICTURE, Set.of("Conv2d", "Relu", "Add", "Flatten"), OptionalLong.empty());
        assertThat(summary.nodesOnDevice()).isEqualTo(4);
        assertThat(summary.partitions()).isEqualTo(2);
        assertThat(summary.crossingBytes())
                .as("rectified goes over once, squashed comes back")
                .hasValue(2 * MAP_BYTES);
        assertThat(summary.fitsMemory()).isEmpty();
    }

    @Test
    void whatRunsBesideAnIslandIsNoPartOfItsOwn() {
        // Add waits for the CPU's Sigmoid; Conv2d does not.
        assertThat(summary(PICTURE, Set.of("Conv2d"), OptionalLong.empty()).partitions())
                .isEqualTo(1);
        CheckReport.Summary none = summary(PICTURE, Set.of(), OptionalLong.empty());
        assertThat(none.partitions()).isZero();
        assertThat(none.peakActivationBytes()).hasValue(0);
        assertThat(none.multiplyAddsOnDevice()).hasValue(0);
    }

    @Test
    void theInputCountsWhileTheDeviceNeedsIt() {
        assertThat(summary(PICTURE, Set.of("Conv2d"), OptionalLong.empty()).peakActivationBytes())
                .hasValue(PICTURE_BYTES + MAP_BYTES);
    }

    @Test
    void bytesAreThoseOfTheTypesOnTheDevice() {
        Set<String> onDevice = Set.of("Conv2d", "Relu", "Add", "Flatten");
        ValuesOnDevice quantized = new ValuesOnDevice(Optional.of(DType.INT8), true);
        CheckReport.Summary summary = summary(PICTURE, onDevice, OptionalLong.empty(), quantized);
        assertThat(summary.weightBytes()).isEqualTo(WEIGHT_BYTES / 4);
        assertThat(summary.peakActivationBytes()).hasValue(3 * MAP_BYTES / 4);
        assertThat(summary.crossingBytes())
                .as("x and rectified go over, squashed and y come back")
                .hasValue((PICTURE_BYTES + 3 * MAP_BYTES) / 4);
    }

    @Test
    void sizesThatAreNotKnownAreNotAddedUp() {
        TensorType open =
                new TensorType(DType.FLOAT32, new Shape(List.of(Dim.named("n"), Dim.of(3), Dim.of(8), Dim.of(8))));
        CheckReport.Summary summary = summary(open, Set.of("Conv2d", "Add"), OptionalLong.of(5000));
        assertThat(summary.multiplyAdds()).isEmpty();
        assertThat(summary.crossingBytes()).isEmpty();
        assertThat(summary.peakActivationBytes()).isEmpty();
        assertThat(summary.fitsMemory()).isEmpty();
        assertThat(summary.weightBytes()).isEqualTo(WEIGHT_BYTES);
    }
}
