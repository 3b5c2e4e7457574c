package org.clinfer.plan.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.OpCatalog;
import org.clinfer.device.DeviceFacts;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.SourceRef;
import org.clinfer.infer.CheckRequest;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.Checker;
import org.clinfer.infer.ConstantEvaluator;
import org.clinfer.kernel.KernelCatalog;
import org.clinfer.kernel.KernelSources;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.place.Placer;
import org.clinfer.plan.rule.FoldedConstants;
import org.clinfer.plan.rule.Fusion;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

class BlockedLayoutTest {

    private static final OpCatalog CATALOG = OpCatalog.builtIn();
    private static final KernelCatalog KERNELS = KernelCatalog.of(CATALOG, KernelSources.packaged());
    private final GraphBuilder builder = new GraphBuilder("net", new SourceRef("net", ""));
    private final Set<String> objectedTo = new HashSet<>();

    private BlockedLayoutTest input(String name, long... sizes) {
        builder.input(name, DType.FLOAT32, sizes);
        return this;
    }

    private BlockedLayoutTest constant(String name, long... sizes) {
        Tensor tensor = Tensor.allocate(DType.FLOAT32, sizes);
        for (int i = 0; i < tensor.elements(); i++) {
            tensor.setDouble(i, 0.5 + i % 7);
        }
        builder.constant(name, tensor);
        return this;
    }

    private BlockedLayoutTest node(String op, String inputs, String outputs, Map<String, Attribute> params) {
        List<String> made = List.of(outputs.split(",", -1));
        builder.node(made.get(0), op, List.of(inputs.split(",", -1)), made, params);
        return this;
    }

    private BlockedLayoutTest node(String op, String inputs, String outputs) {
        return node(op, inputs, outputs, Map.of());
    }

    /** A convolution with a 3x3 kernel that keeps the size. */
    private BlockedLayoutTest convolution(String x, String y, long in, long out) {
        return constant(y + ".w", out, in, 3, 3)
                .node("Conv2d", x + "," + y + ".w", y, Map.of("padding", Attribute.ofInts(1, 1, 1, 1)));
    }

    private PlacedGraph laidOut(String... outputs) {
        return laidOut(Optional.of(SomeProcessor.FACTS), outputs);
    }

    /** @param device without one, everything is on the CPU */
    private PlacedGraph laidOut(Optional<DeviceFacts> device, String... outputs) {
        for (String output : outputs) {
            builder.output(output);
        }
        Graph graph = builder.build();
        Map<String, TensorType> types = new HashMap<>();
        graph.inputs().forEach(input -> types.put(input.name(), input.type()));
        CheckedGraph checked = Checker.check(new CheckRequest(graph, types), CATALOG, ConstantEvaluator.NONE);
        assertThat(checked.findings()).isEmpty();
        Placer placer = new Placer(
                KERNELS,
                device,
                node -> Optional.of("only in its lowered form").filter(reason -> node.lowered() != null),
                node -> objectedTo.contains(node.node().name()) ? List.of("forbidden") : List.of(),
                Map.of(),
                false);
        FoldedConstants folded = new FoldedConstants(1 << 28, () -> 0);
        PlacedGraph small = new Fusion(CATALOG, placer, folded).apply(placer.place(checked), graph.constants());
        return new BlockedLayout(
                        CATALOG, placer, folded, device.isPresent() ? PlacedNode.Target.DEVICE : PlacedNode.Target.CPU)
                .apply(small, small.ofModel());
    }

    private static List<String> operators(PlacedGraph graph) {
        return graph.nodes().stream().map(node -> node.op()).toList();
    }

    private static PlacedNode named(PlacedGraph graph, String name) {
        return graph.nodes().stream()
                .filter(node -> node.form().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static long[] integers(PlacedNode node, String param) {
        return node.binding().integers(param);
    }

    /** An operator by itself costs the CPU path little more than one among many, unlike a launch. */
    @Test
    void aFewChannelsThatAreJoinedStayInPlanesOnTheCpuPath() {
        PlacedGraph graph = input("x", 1, 8, 64, 64)
                .constant("v", 4, 8, 1, 1)
                .node("Conv2d", "x,v", "a")
                .node("Concat", "x,a", "b", Map.of("axis", Attribute.of(1)))
                .constant("w", 4, 12, 1, 1)
                .node("Conv2d", "b,w", "c")
                .node("Concat", "b,c", "d", Map.of("axis", Attribute.of(1)))
                .laidOut(Optional.empty(), "d");

        assertThat(operators(graph)).containsOnly("FusedConv", "Concat");
    }

    @Test
    void aNetworkStaysInBlocksFromItsFirstConvolutionToItsEnd() {
        PlacedGraph graph = input("x", 1, 3, 32, 32)
                .convolution("x", "a", 3, 32)
                .node(
                        "MaxPool",
                        "a",
                        "b",
                        Map.of("kernel_size", Attribute.ofInts(2, 2), "strides", Attribute.ofInts(2, 2)))
                .convolution("b", "c", 32, 64)
                .node("Relu", "c", "d")
                .node("AvgPool", "d", "e", Map.of("is_global", Attribute.of(true)))
                .laidOut("e");

        assertThat(operators(graph))
                .containsExactly("ConvToBlocks", "BlockedPool", "BlockedConv", "BlockedGlobalAveragePool");
        assertThat(integers(named(graph, "a"), "pads")).containsExactly(1, 1, 1, 1);
        assertThat(named(graph, "e").outputTypes().get(0)).hasToString("1x64x1x1:float32");
    }

    @Test
    void resizedRowsAndColumnsStayInBlocksButResizedChannelsDoNot() {
        PlacedGraph graph = input("x", 1, 3, 32, 32)
                .convolution("x", "a", 3, 64)
                .node("Resize", "a", "b", Map.of("scales", Attribute.ofReals(1, 1, 2, 1.5)))
                .convolution("b", "c", 64, 64)
                .node("Resize", "c", "d", Map.of("scales", Attribute.ofReals(1, 0.5, 2, 1)))
                .laidOut("d");

        assertThat(operators(graph))
                .containsExactly("ConvToBlocks", "BlockedResize", "BlockedConv", "UnblockChannels", "Resize");
        assertThat(named(graph, "b").outputTypes().get(0)).hasToString("1x4x66x50x16:float32");
        assertThat(integers(named(graph, "b"), "y_halo")).containsExactly(1, 1, 1, 1);
    }

    @Test
    void withoutADeviceOperatorsOfBlockedChannelsAreOnTheCpu() {
        PlacedGraph graph = input("x", 1, 3, 32, 32)
                .convolution("x", "a", 3, 64)
                .convolution("a", "b", 64, 64)
                .convolution("b", "c", 64, 64)
                .laidOut(Optional.empty(), "c");

        assertThat(operators(graph)).containsExactly("ConvToBlocks", "BlockedConv", "BlockedConv", "UnblockChannels");
        assertThat(graph.nodes()).allMatch(node -> node.target() == PlacedNode.Target.CPU);
    }

    @Test
    void whatConvolutionsReadHasTheMarginTheyNeed() {
        PlacedGraph graph = input("x", 1, 3, 30, 30)
                .convolution("x", "a", 3, 64)
                .constant("w", 64, 64, 5, 3)
                .node(
                        "Conv2d",
                        "a,w",
                        "b",
                        Map.of("padding", Attribute.ofInts(2, 1, 0, 1), "strides", Attribute.ofInts(2, 2)))
                .constant("v", 64, 64, 1, 1)
                .node("Conv2d", "a,v", "c")
                .node("AvgPool", "b", "p", Map.of("is_global", Attribute.of(true)))
                .node("AvgPool", "c", "q", Map.of("is_global", Attribute.of(true)))
                .laidOut("p", "q");

        assertThat(integers(named(graph, "a"), "y_halo")).containsExactly(2, 0, 1, 1);
        assertThat(integers(named(graph, "b"), "crop")).containsExactly(0, 0, 0, 0);
        assertThat(integers(named(graph, "c"), "crop")).containsExactly(2, 0, 1, 1);
    }

    @Test
    void joinedValuesHaveOneMargin() {
        PlacedGraph graph = input("x", 1, 3, 24, 24)
                .convolution("x", "a", 3, 32)
                .convolution("a", "b", 32, 32)
                .node("Concat", "a,b", "c")
                .convolution("c", "d", 64, 32)
                .laidOut("d");

        assertThat(operators(graph))
                .containsExactly("ConvToBlocks", "BlockedConv", "Concat", "BlockedConv", "UnblockChannels");
        assertThat(integers(named(graph, "a"), "y_halo")).isEqualTo(integers(named(graph, "b"), "y_halo"));
        assertThat(integers(named(graph, "b"), "y_halo")[0]).isEqualTo(1);
    }

    @Test
    void whatOthersReadIsChangedOnce() {
        PlacedGraph graph = input("x", 1, 3, 40, 40)
                .convolution("x", "a", 3, 64)
                .convolution("a", "b", 64, 64)
                .node("Exp", "b", "c")
                .node("Exp", "b", "d")
                .laidOut("c", "d", "b");

        assertThat(operators(graph)).containsExactly("ConvToBlocks", "BlockedConv", "UnblockChannels", "Exp", "Exp");
    }

    @Test
    void aConstantThatOthersReadStaysAsItIs() {
        PlacedGraph graph = input("x", 1, 3, 40, 40)
                .constant("k", 1, 64, 40, 40)
                .input("m", 1, 64, 40, 40)
                .convolution("x", "a", 3, 64)
                .node("Mul", "a,k", "s")
                .convolution("s", "b", 64, 64)
                .node("MatMul", "k,m", "c")
                .laidOut("b", "c");

        assertThat(operators(graph)).contains("BlockChannels", "BlockedBinary", "MatMul");
        assertThat(named(graph, "c").inputs()).containsExactly("k", "m");
    }

    @Test
    void theLargerOfTwoImagesStaysInBlocks() {
        PlacedGraph graph = input("x", 1, 3, 40, 40)
                .convolution("x", "a", 3, 64)
                .node("Split", "a", "b,c", Map.of("axis", Attribute.of(1), "split", Attribute.ofInts(32, 32)))
                .node("Max", "b,c", "d")
                .convolution("d", "e", 32, 64)
                .laidOut("e");

        assertThat(operators(graph))
                .containsExactly("ConvToBlocks", "Split", "BlockedBinary", "BlockedConv", "UnblockChannels");
        assertThat(named(graph, "d").binding().text("operation")).isEqualTo("MAX");
    }

    @Test
    void changingAConstantHasItsPrice() {
        PlacedGraph graph = input("x", 1, 64, 1, 1)
                .constant("k", 1, 64, 400, 400)
                .node("Mul", "k,x", "y")
                .node("AvgPool", "y", "z", Map.of("is_global", Attribute.of(true)))
                .laidOut("z");

        assertThat(operators(graph)).containsExactly("Mul", "AvgPool");
    }

    @Test
    void littleWorkIsNotWorthAChange() {
        PlacedGraph graph = input("x", 1, 64, 100, 100).node("Relu", "x", "y").laidOut("y");

        assertThat(operators(graph)).containsExactly("Relu");
        assertThat(named(graph, "y").reasons())
                .containsExactly("nChw16c gains less than changing the layouts of its values costs");
    }

    @Test
    void whatTheProfileForbidsStaysAsItIs() {
        objectedTo.add("b");
        PlacedGraph graph = input("x", 1, 3, 40, 40)
                .convolution("x", "a", 3, 64)
                .convolution("a", "b", 64, 64)
                .convolution("b", "c", 64, 64)
                .laidOut("c");

        assertThat(named(graph, "b").target()).isEqualTo(PlacedNode.Target.CPU);
        assertThat(named(graph, "b").op()).isEqualTo("FusedConv");
    }

    @Test
    void normalizationsTakeTheActivationThatFollows() {
        PlacedGraph graph = input("x", 1, 3, 40, 40)
                .convolution("x", "a", 3, 64)
                .convolution("a", "b", 64, 64)
                .node("Add", "a,b", "s")
                .constant("scale", 64)
                .constant("bias", 64)
                .constant("mean", 64)
                .constant("variance", 64)
                .node("BatchNorm", "s,scale,bias,mean,variance", "n")
                .node("Relu", "n", "r")
                .convolution("r", "d", 64, 64)
                .laidOut("d", "s");

        PlacedNode norm = named(graph, "n");
        assertThat(norm.op()).isEqualTo("BlockedScale");
        assertThat(norm.binding().text("activation")).isEqualTo("RELU");
        assertThat(norm.fused()).extracting(part -> part.written().name()).containsExactly("r");
        assertThat(operators(graph)).doesNotContain("Relu", "BatchNorm");
    }

    @Test
    void geluBetweenBlocksTakesNoOtherLayout() {
        PlacedGraph graph = input("x", 1, 64, 24, 24)
                .convolution("x", "a", 64, 64)
                .node("Gelu", "a", "g")
                .convolution("g", "d", 64, 64)
                .laidOut("d", "a");

        assertThat(named(graph, "g").op()).isEqualTo("BlockedScale");
        assertThat(named(graph, "g").binding().text("activation")).isEqualTo("GELU");
    }

    @Test
    void channelsThatDoNotFillBlocksAreNotJoined() {
        PlacedGraph graph = input("x", 1, 3, 24, 24)
                .convolution("x", "a", 3, 24)
                .convolution("a", "b", 24, 32)
                .node("Concat", "a,b", "c")
                .laidOut("c");

        PlacedNode concat = named(graph, "c");
        assertThat(concat.inputTypes().get(0)).isNotNull();
        assertThat(concat.outputTypes().get(0).shape().rank()).isEqualTo(4);
    }
}
