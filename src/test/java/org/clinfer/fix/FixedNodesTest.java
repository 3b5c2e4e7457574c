package org.clinfer.fix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.clinfer.graph.Graph;
import org.clinfer.ops.CeilMode;
import org.clinfer.ops.ConvolutionOp;
import org.clinfer.ops.Edge;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.Reading;
import org.clinfer.runtime.NetworkChecker;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Nodes that a device refuses, and what they become. */
class FixedNodesTest extends FixTests {

    @Test
    void dilationBecomesZerosWhereThePaddingIsThatOfTheWiderKernel() {
        assertThat(steps(graph((ops, x) -> conv(ops, x, 4, 3, 1, 3, 3), 1, 4, 16, 16), "dla-orin"))
                .containsExactly(List.of("zeros between the weights instead of a dilation"));
    }

    @Test
    void paddingLargerThanTheKernelNeedsZerosAroundIt() {
        assertThat(steps(graph((ops, x) -> conv(ops, x, 4, 1, 1, 1, 1), 1, 4, 16, 16), "dla-orin"))
                .containsExactly(List.of("zeros around the kernel, 3 x 3"));
    }

    @Test
    void aNormalizationIsFoldedIntoItsConvolution() {
        Graph graph = graph(
                (ops, x) -> ops.batchNorm(
                                conv(ops, x, 4, 3, 1, 1, 1),
                                ops.constant("s", random(2, 4)),
                                ops.constant("b", random(3, 4)),
                                ops.constant("m", random(4, 4)),
                                ops.constant("v", Tensor.of(new float[] {1, 2, 3, 4}, 4)))
                        .y(),
                1,
                4,
                12,
                12);
        NetworkChecker asWritten = checker.asWritten();
        assertThat(asWritten
                        .check(graph, Map.of(), profile("max78000"), Reading.DOCUMENT)
                        .summary()
                        .nodesOnDevice())
                .isEqualTo(1);
        try (NetworkFix fix = new Fixer(asWritten, cpu).fix(graph, Map.of(), profile("max78000"), Reading.DOCUMENT)) {
            assertThat(fix.applied()).singleElement().satisfies(applied -> {
                assertThat(applied.steps()).containsExactly("folded into the convolution");
                assertThat(applied.nodes()).hasSize(2);
                assertThat(applied.operators()).containsExactly("Conv2d");
                assertThat(applied.difference().fault()).isEmpty();
            });
            assertThat(fix.network().nodes()).hasSize(1);
        }
    }

    @Test
    void aStrideBecomesAStepOfAPool() {
        assertThat(steps(graph((ops, x) -> conv(ops, x, 4, 3, 2, 1, 1), 1, 4, 13, 12), "max78000"))
                .containsExactly(List.of("stride 1 x 1 and a pool of single elements in steps"));
    }

    @Test
    void twoStepsFollowEachOther() {
        Graph graph = graph(
                (ops, x) -> ops.conv2d(x, ops.constant("w", random(1, 4, 1, 3, 3)))
                        .group(4)
                        .strides(2, 2)
                        .padding(1, 1, 1, 1)
                        .y(),
                1,
                4,
                13,
                12);
        assertThat(steps(graph, "max78000"))
                .singleElement()
                .satisfies(all -> assertThat(all)
                        .containsExactlyInAnyOrder(
                                "zeros instead of groups", "stride 1 x 1 and a pool of single elements in steps"));
    }

    @Test
    void aRoundedUpPoolGetsPadding() {
        Graph graph = graph(
                (ops, x) -> ops.maxPool(x)
                        .kernelSize(3, 3)
                        .strides(2, 2)
                        .ceilMode(CeilMode.CEIL)
                        .y(),
                1,
                16,
                8,
                8);
        NetworkChecker int8 = checker.withFloat32As(DType.INT8);
        DeviceProfile neutron = profile("imx-rt700");
        assertThat(int8.check(graph, Map.of(), neutron, Reading.DOCUMENT)
                        .summary()
                        .nodesOnDevice())
                .isZero();
        try (NetworkFix fix = new Fixer(int8, cpu).fix(graph, Map.of(), neutron, Reading.DOCUMENT)) {
            assertThat(fix.applied())
                    .singleElement()
                    .satisfies(
                            applied -> assertThat(applied.steps()).containsExactly("size rounded down, and padding"));
            assertThat(fix.difference().orElseThrow().largest()).isZero();
        }
    }

    /** A convolution and a maximum of volumes. */
    static Graph volumes() {
        return graph(
                (ops, x) -> ops.maxPool(ops.relu(ops.convolution(
                                        x,
                                        ops.constant("w", random(1, 4, 2, 3, 3, 3)),
                                        new long[] {1, 1, 1},
                                        new long[] {1, 1, 1},
                                        new long[] {1, 1, 1},
                                        new long[] {1, 1, 1})
                                .dataFormat(ConvolutionOp.DataFormat.NCX)
                                .weightsFormat(ConvolutionOp.WeightsFormat.OIX)
                                .dst()))
                        .kernelSize(2, 2, 2)
                        .strides(2, 2, 2)
                        .y(),
                1,
                2,
                4,
                8,
                8);
    }

    @Test
    void aVolumeBecomesPictures() {
        assertThat(steps(volumes(), "dla-orin"))
                .contains(
                        List.of("depth as channels, with zeros between the weights"),
                        List.of("volume as pictures, its depth by itself"));
    }

    @Test
    void channelsGoSecondWhereTheDeviceTakesThemSoAlone() {
        Graph graph = graph(
                (ops, x) -> ops.convolution(
                                x,
                                ops.constant("w", random(1, 3, 3, 4, 4)),
                                new long[] {1, 1},
                                new long[] {3, 3},
                                new long[] {3, 3},
                                new long[] {3, 3})
                        .dst(),
                1,
                16,
                16,
                4);
        assertThat(steps(graph, "dla-orin"))
                .singleElement()
                .isEqualTo(List.of("zeros between the weights instead of a dilation"));
    }

    @Test
    void aShuffleOfChannelsIsOneNodeForEachOfItsHalves() {
        Graph graph = graph(
                (ops, x) -> {
                    Edge turned = ops.transpose(ops.reshape(x, 1, 4, 2, 6, 6).y())
                            .perm(2, 0, 1, 3, 4)
                            .y();
                    Edge even = ops.gather(turned, ops.constant("first", Tensor.scalar(0L)))
                            .axis(0)
                            .y();
                    Edge odd = ops.gather(turned, ops.constant("second", Tensor.scalar(1L)))
                            .axis(0)
                            .y();
                    return ops.add(ops.relu(even), odd);
                },
                1,
                8,
                6,
                6);
        assertThat(steps(graph, "ethos-u55-256"))
                .hasSize(2)
                .containsOnly(List.of("moves of channels as a convolution of ones and zeros"));
    }

    @Test
    void aPixelShuffleIsDepthToSpace() {
        Graph shuffle = graph(
                (ops, x) -> {
                    Edge turned = ops.transpose(ops.reshape(x, 1, 3, 2, 2, 4, 5).y())
                            .perm(0, 1, 4, 2, 5, 3)
                            .y();
                    return ops.reshape(turned, 1, 3, 8, 10).y();
                },
                1,
                12,
                4,
                5);
        assertThat(steps(shuffle, "dpuczdx8g-b4096")).containsExactly(List.of("moves as depth to space"));
    }
}
