package org.clinfer.fix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiFunction;
import org.clinfer.DeviceChoice;
import org.clinfer.Engine;
import org.clinfer.EngineOptions;
import org.clinfer.check.CheckReport;
import org.clinfer.check.Verdict;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.Node;
import org.clinfer.graph.Opaque;
import org.clinfer.graph.SourceRef;
import org.clinfer.ops.CeilMode;
import org.clinfer.ops.ConvolutionOp;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.profile.DeviceProfile;
import org.clinfer.profile.ProfileCatalog;
import org.clinfer.profile.Reading;
import org.clinfer.runtime.NetworkChecker;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Networks that devices refuse, and what is made of them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FixerTest {

    private final NetworkChecker checker = NetworkChecker.builtIn();
    private final Engine cpu = engine();

    private static Engine engine() {
        return Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
    }

    @AfterAll
    void close() {
        cpu.close();
    }

    private static DeviceProfile profile(String name) {
        return ProfileCatalog.builtIn().find(name);
    }

    private static Tensor random(long seed, long... sizes) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, sizes);
        Random random = new Random(seed);
        for (long i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, random.nextDouble() - 0.5);
        }
        return tensor;
    }

    private static Graph graph(BiFunction<Ops, Edge, Edge> body, long... x) {
        Ops ops = Ops.graph("net");
        return ops.output("y", body.apply(ops, ops.input("x", TensorType.of(DType.FLOAT32, x))))
                .build();
    }

    private NetworkFix fix(Graph graph, String profile) {
        return new Fixer(checker, cpu).fix(graph, Map.of(), profile(profile), Reading.DOCUMENT);
    }

    private CheckReport check(Graph graph, String profile) {
        return checker.check(graph, Map.of(), profile(profile), Reading.DOCUMENT);
    }

    /** The steps that took a network from a no to a yes. */
    private List<List<String>> steps(Graph graph, String profile) {
        assertThat(check(graph, profile).nodes()).anyMatch(node -> node.verdict() != Verdict.ON_DEVICE);
        try (NetworkFix fix = fix(graph, profile)) {
            assertThat(check(fix.network(), profile).nodes()).allMatch(node -> node.verdict() == Verdict.ON_DEVICE);
            assertThat(fix.difference()).isPresent();
            assertThat(fix.difference().orElseThrow().fault()).isEmpty();
            assertThat(fix.network().inputs()).isEqualTo(graph.inputs());
            assertThat(fix.network().outputs()).isEqualTo(graph.outputs());
            return fix.applied().stream().map(NetworkFix.Applied::steps).toList();
        }
    }

    private static Edge conv(Ops ops, Edge x, long outs, long kernel, long stride, long dilation, long pad) {
        long ins = x.type().orElseThrow().shape().size(1);
        return ops.conv2d(x, ops.constant("w" + ins, random(1, outs, ins, kernel, kernel)))
                .strides(stride, stride)
                .dilation(dilation, dilation)
                .padding(pad, pad, pad, pad)
                .y();
    }

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

    @Test
    void typesAreChangedWhereTheDeviceAsks() {
        Graph graph = graph((ops, x) -> conv(ops, x, 16, 3, 1, 1, 1), 1, 16, 16, 16);
        assertThat(check(graph, "ascend310").summary().nodesOnDevice()).isZero();
        try (NetworkFix fix = fix(graph, "ascend310")) {
            assertThat(check(fix.network(), "ascend310").summary().nodesOnDevice())
                    .isEqualTo(1);
            assertThat(fix.network().inputs().get(0).type().dtype()).isEqualTo(DType.FLOAT16);
            assertThat(fix.applied()).singleElement().satisfies(applied -> {
                assertThat(applied.steps()).containsExactly(HalfNetwork.STEP);
                assertThat(applied.difference().largest()).isPositive();
                assertThat(applied.difference().fault()).isEmpty();
            });
        }
    }

    @Test
    void weightsThatAreComputedFromConstantsAreKnown() {
        Graph graph = graph(
                (ops, x) -> {
                    Edge scaled =
                            ops.mul(ops.constant("w", random(1, 4, 4, 3, 3)), ops.constant("s", random(2, 4, 1, 1, 1)));
                    return ops.conv2d(x, scaled)
                            .dilation(3, 3)
                            .padding(3, 3, 3, 3)
                            .y();
                },
                1,
                4,
                16,
                16);
        assertThat(steps(graph, "dla-orin"))
                .containsExactly(List.of("zeros between the weights instead of a dilation"));
    }

    /** Words as numbers of int64, their vectors, and what is computed of the numbers themselves. */
    static Graph words(BiFunction<Ops, Edge, Edge> numbers) {
        Ops ops = Ops.graph("net");
        Edge ids = ops.input("ids", TensorType.of(DType.INT64, 1, 6));
        Edge vectors = ops.gather(ops.constant("table", random(1, 30, 8)), ids).y();
        Edge last = ops.reshape(numbers.apply(ops, ids), 1, 6).y();
        return ops.output("vectors", vectors).output("numbers", last).build();
    }

    @Test
    void int64BecomesInt32WhereItsNumbersFit() {
        Graph graph = words((ops, ids) -> {
            Edge isWord = ops.cast(ops.equal(ids, ops.constant("end", Tensor.scalar(1L))), DType.INT64)
                    .y();
            Edge places = ops.cumSum(isWord, 1).y();
            return ops.add(ops.mul(ids, ops.constant("three", Tensor.scalar(3L))), places);
        });
        try (NetworkFix fix = fix(graph, "opencl-embedded")) {
            assertThat(fix.applied())
                    .singleElement()
                    .satisfies(applied -> assertThat(applied.steps()).containsExactly(Int32Network.STEP));
            assertThat(fix.difference().orElseThrow().fault()).isEmpty();
            assertThat(fix.network().inputs().get(0).type().dtype()).isEqualTo(DType.INT32);
            assertThat(check(fix.network(), "opencl-embedded").nodes())
                    .allMatch(node -> node.verdict() == Verdict.ON_DEVICE);
        }
    }

    /** Inputs may be any numbers of 32 bits where nothing selects by them. */
    @Test
    void int64StaysWhereItsNumbersMayNotFit() {
        List<BiFunction<Ops, Edge, Edge>> all = List.of(
                (ops, ids) -> ops.add(ids, ops.constant("far", Tensor.scalar(1L << 31))),
                (ops, ids) -> ops.mul(ids, ops.constant("far", Tensor.scalar(1L << 30))),
                (ops, ids) -> ops.cumSum(ops.mul(ids, ops.constant("far", Tensor.scalar(1L << 26))), 1)
                        .y(),
                (ops, ids) -> ops.cast(ops.exp(ops.cast(ids, DType.FLOAT32).y()), DType.INT64)
                        .y());
        for (BiFunction<Ops, Edge, Edge> numbers : all) {
            try (NetworkFix fix = fix(words(numbers), "opencl-embedded")) {
                assertThat(fix.applied()).isEmpty();
                assertThat(fix.network().inputs().get(0).type().dtype()).isEqualTo(DType.INT64);
            }
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
    void weightsThatFloat16DoesNotHoldKeepTheirType() {
        Tensor large = random(1, 16, 16, 1, 1);
        large.setDouble(7, 1e6);
        Graph graph = graph((ops, x) -> ops.conv2d(x, ops.constant("w", large)).y(), 1, 16, 8, 8);
        try (NetworkFix fix = fix(graph, "ascend310")) {
            assertThat(fix.applied()).isEmpty();
        }
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

    @Test
    void whatNobodyCanFixIsLeft() {
        Graph graph =
                graph((ops, x) -> ops.cumSum(conv(ops, x, 4, 3, 1, 3, 3), 1).y(), 1, 4, 16, 16);
        try (NetworkFix fix = fix(graph, "dla-orin")) {
            assertThat(fix.applied()).hasSize(1);
            assertThat(check(fix.network(), "dla-orin").nodes())
                    .filteredOn(node -> node.verdict() != Verdict.ON_DEVICE)
                    .singleElement()
                    .satisfies(node -> assertThat(node.op()).isEqualTo("CumSum"));
        }
    }

    @Test
    void aNetworkThatRunsStaysAsItIs() {
        Graph graph = graph((ops, x) -> ops.relu(conv(ops, x, 4, 3, 1, 1, 1)), 1, 4, 16, 16);
        try (NetworkFix fix = fix(graph, "dla-orin")) {
            assertThat(fix.applied()).isEmpty();
            assertThat(fix.difference()).isEmpty();
            assertThat(fix.network().nodes()).isEqualTo(graph.nodes());
        }
    }

    /** The list of this family does not say that it is complete. */
    @Test
    void nodesOfWhichNothingIsKnownStay() {
        Graph graph = graph((ops, x) -> ops.relu(x), 1, 4, 16, 16);
        assertThat(check(graph, "rk3588").nodes())
                .anyMatch(node -> node.op().equals("Relu") && node.verdict() == Verdict.UNKNOWN);
        try (NetworkFix fix = fix(graph, "rk3588")) {
            assertThat(fix.applied()).isEmpty();
        }
    }

    @Test
    void nodesOfUnknownSizesStay() {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, 1, 4, 16, 16));
        Graph known = ops.output("y", conv(ops, x, 4, 3, 1, 3, 3)).build();
        Graph open = new Graph(
                known.name(),
                List.of(new Graph.Input(
                        "x",
                        new TensorType(
                                DType.FLOAT32, new Shape(List.of(Dim.of(1), Dim.of(4), Dim.unknown(), Dim.of(16)))))),
                known.outputs(),
                known.nodes(),
                known.constants(),
                known.source());
        try (NetworkFix fix = fix(open, "dla-orin")) {
            assertThat(fix.applied()).isEmpty();
        }
        Map<String, TensorType> given = Map.of("x", TensorType.of(DType.FLOAT32, 1, 4, 16, 16));
        try (NetworkFix fix = new Fixer(checker, cpu).fix(open, given, profile("dla-orin"), Reading.DOCUMENT)) {
            assertThat(fix.applied()).hasSize(1);
            assertThat(fix.network().inputs().get(0).type().shape().isKnown()).isTrue();
        }
    }

    @Test
    void opaqueNodesStayAndTheRestIsChanged() {
        TensorType type = TensorType.of(DType.FLOAT32, 1, 4, 16, 16);
        SourceRef source = new SourceRef("test", "node 0");
        Opaque opaque = new Opaque(Opaque.Cause.UNSUPPORTED, "there is no Secret", List.of(Optional.of(type)));
        Graph graph = new GraphBuilder("net", new SourceRef("test", ""))
                .input("x", type)
                .node(Node.opaque("secret", "Secret", List.of("x"), List.of("s"), opaque, source))
                .constant("w", random(1, 4, 4, 1, 1))
                .node(
                        "conv",
                        "Conv2d",
                        List.of("s", "w"),
                        List.of("y"),
                        Map.of("padding", Attribute.ofInts(1, 1, 1, 1)))
                .output("y")
                .build();
        try (NetworkFix fix = fix(graph, "dla-orin")) {
            assertThat(fix.applied())
                    .singleElement()
                    .satisfies(applied -> assertThat(applied.nodes()).containsExactly("'conv' (Conv2d)"));
            assertThat(fix.network().nodes()).extracting(Node::op).containsExactly("Secret", "Conv2d");
            assertThat(fix.difference()).isEmpty();
        }
    }

    @Test
    void aPartOfAComposedOperatorIsChangedAlone() {
        Graph graph = graph((ops, x) -> ops.meanVarianceNorm(x, 2, 3).y(), 1, 4, 8, 8);
        CheckReport before = check(graph, "am62a");
        try (NetworkFix fix = fix(graph, "am62a")) {
            CheckReport after = check(fix.network(), "am62a");
            assertThat(fix.dropped()).isEmpty();
            assertThat(after.nodes())
                    .filteredOn(node -> node.verdict() != Verdict.ON_DEVICE)
                    .extracting(CheckReport.NodeReport::op)
                    .containsExactly("Sqrt", "Div");
            assertThat(after.summary().nodesOnDevice())
                    .isGreaterThan(before.summary().nodesOnDevice());
            assertThat(fix.difference().orElseThrow().fault()).isEmpty();
        }
    }

    @Test
    void aRewriteWhoseResultsDifferIsNotMade() {
        Rewrite wrong = site -> site.isOp("Swish")
                ? site.by("wrongly as Sigmoid", draft -> draft.ops().sigmoid(draft.x()))
                : List.of();
        DeviceCheck device = new DeviceCheck(checker, profile("dla-orin"), Reading.DOCUMENT);
        Graph graph = graph((ops, x) -> ops.swish(x).y(), 1, 4, 8, 8);
        FixSearch search = new FixSearch(device, new Equality(cpu), List.of(wrong));
        try (MadeTensors made = new MadeTensors()) {
            assertThat(search.of(graph, false, made)).isEmpty();
        }
        assertThat(search.dropped()).singleElement().satisfies(dropped -> {
            assertThat(dropped.steps()).containsExactly("wrongly as Sigmoid");
            assertThat(dropped.reason()).startsWith("the results differ: 'y': ");
        });
    }

    @Test
    void equalUsesAreChangedAlike() {
        Graph graph = graph(
                (ops, x) -> {
                    Edge one = ops.conv2d(x, ops.constant("a", random(1, 4, 4, 1, 1)))
                            .padding(1, 1, 1, 1)
                            .y();
                    Edge other = ops.conv2d(ops.relu(x), ops.constant("b", random(2, 4, 4, 1, 1)))
                            .padding(1, 1, 1, 1)
                            .y();
                    return ops.add(one, other);
                },
                1,
                4,
                8,
                8);
        assertThat(steps(graph, "dla-orin")).hasSize(2).containsOnly(List.of("zeros around the kernel, 3 x 3"));
    }
}
