package org.clinfer.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
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
import org.clinfer.kernel.KernelVariant;
import org.clinfer.place.PlacedNode.Target;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Placement of the product's operators on a made-up device. */
class PlacerTest {

    private static final KernelCatalog KERNELS = KernelCatalog.of(OpCatalog.builtIn(), KernelSources.packaged());
    private static final CpuSupport TAKES_ALL = node -> Optional.empty();

    private final Map<String, String> retired = new HashMap<>();
    private CpuSupport cpu = TAKES_ALL;
    private Optional<DeviceFacts> device = Optional.of(device(1L << 30));

    private static DeviceFacts device(long largestAllocation) {
        Map<String, Long> limits = Map.of(
                "max_mem_alloc_size", largestAllocation,
                "max_work_group_size", 256L,
                "local_mem_size", 32768L,
                "max_compute_units", 4L);
        return new DeviceFacts("Toaster", "Acme", "1", "Acme CL", "1.2", DeviceFacts.Kind.CPU, Set.of(), limits);
    }

    private static GraphBuilder builder(DType dtype, long... sizes) {
        return new GraphBuilder("net", new SourceRef("net", "")).input("x", dtype, sizes);
    }

    private static GraphBuilder node(GraphBuilder builder, String op, String input, String output) {
        Map<String, Attribute> params = op.equals("Reshape") ? Map.of("shape", Attribute.ofInts(-1)) : Map.of();
        return builder.node(op, List.of(input.split(",", -1)), List.of(output), params);
    }

    private List<PlacedNode> place(GraphBuilder builder) {
        Graph graph = builder.build();
        Map<String, TensorType> types = new HashMap<>();
        graph.inputs().forEach(input -> types.put(input.name(), input.type()));
        CheckRequest request = new CheckRequest(graph, types);
        CheckedGraph checked = Checker.check(request, OpCatalog.builtIn(), ConstantEvaluator.NONE);
        assertThat(checked.findings()).isEmpty();
        PlacedGraph placed = new Placer(KERNELS, device, cpu, retired).place(checked);
        assertThat(placed.graph()).isSameAs(checked);
        return placed.nodes();
    }

    private static String variant(PlacedNode node) {
        return node.variant().map(KernelVariant::name).orElse("none");
    }

    private GraphBuilder add() {
        return node(builder(DType.FLOAT32, 2, 3, 16).output("y"), "Add", "x,x", "y");
    }

    @Test
    void takesTheFirstVariantThatAccepts() {
        PlacedNode node = place(add()).get(0);
        assertThat(node.target()).isEqualTo(Target.DEVICE);
        assertThat(variant(node)).isEqualTo("runs");
        assertThat(node.reasons()).isEmpty();
    }

    @Test
    void passesOverRetiredVariantsAndSaysSo() {
        retired.put("Add_runs", "it does not build");
        PlacedNode node = place(add()).get(0);
        assertThat(variant(node)).isEqualTo("rows");
        assertThat(node.reasons()).containsExactly("runs: it does not build");
        retired.put("Add_rows", "it is slow");
        retired.put("Add_ref", "it crashes");
        PlacedNode onCpu = place(add()).get(0);
        assertThat(onCpu.target()).isEqualTo(Target.CPU);
        assertThat(onCpu.variant()).isEmpty();
        assertThat(onCpu.reasons()).containsExactly("runs: it does not build", "rows: it is slow", "ref: it crashes");
    }

    @Test
    void saysNothingOfVariantsForAnotherKindOfDevice() {
        retired.put("Add_runs", "processors alone would read this");
        retired.put("Add_fours", "it does not build");
        device = device.map(facts -> new DeviceFacts(
                facts.name(),
                facts.vendor(),
                facts.driver(),
                facts.platform(),
                facts.openclVersion(),
                DeviceFacts.Kind.GPU,
                facts.extensions(),
                facts.limits()));
        PlacedNode node = place(add()).get(0);
        assertThat(variant(node)).isEqualTo("rows");
        assertThat(node.reasons()).containsExactly("fours: it does not build");
    }

    @Test
    void keepsTheRefusalsOfEveryVariant() {
        PlacedNode node = place(node(builder(DType.FLOAT64, 4).output("y"), "Add", "x,x", "y"))
                .get(0);
        assertThat(node.target()).isEqualTo(Target.CPU);
        assertThat(node.reasons()).anyMatch(reason -> reason.startsWith("rows: "));
        assertThat(node.reasons()).anyMatch(reason -> reason.startsWith("ref: "));
        assertThat(node.reasons()).anyMatch(reason -> reason.contains("float64"));
    }

    @Test
    void whatIsChosenForEqualNodesIsThatOfEachByItself() {
        GraphBuilder graph = builder(DType.FLOAT32, 2, 3, 16).output("d");
        node(node(node(graph, "Add", "x,x", "a"), "Add", "x,a", "b"), "Mul", "b,b", "d");
        retired.put("Add_runs", "it does not build");
        List<PlacedNode> nodes = place(graph);
        assertThat(nodes.get(1).launches()).isEqualTo(nodes.get(0).launches());
        assertThat(nodes.get(1).reasons()).isEqualTo(nodes.get(0).reasons()).containsExactly("runs: it does not build");
        assertThat(nodes.get(1).outputs()).containsExactly("b");
        assertThat(nodes.get(2).launches()).isNotEqualTo(nodes.get(0).launches());
        assertThat(nodes.get(2).reasons()).isEmpty();
    }

    @Test
    void tensorsLargerThanOneAllocationGoToTheCpu() {
        GraphBuilder graph = node(builder(DType.FLOAT32, 1000).output("z"), "Relu", "x", "y");
        graph.node("Concat", List.of("y", "y"), List.of("z"), Map.of("axis", Attribute.of(0)));
        device = Optional.of(device(4000));
        List<PlacedNode> placed = place(graph);
        assertThat(placed).extracting(PlacedNode::target).containsExactly(Target.DEVICE, Target.CPU);
        assertThat(placed.get(1).reasons())
                .containsExactly(
                        "a tensor 2000:float32 needs 8000 bytes, but the device allocates at most 4000 at once");
        device = Optional.of(device(3999));
        assertThat(place(graph)).extracting(PlacedNode::target).containsExactly(Target.CPU, Target.CPU);
    }

    @Test
    void aViewStaysWhereItsInputIs() {
        GraphBuilder graph =
                builder(DType.FLOAT32, 2, 8).output("d").output("f").output("g");
        node(graph, "Exp", "x", "a");
        node(graph, "Reshape", "a", "b");
        node(graph, "Identity", "b", "c");
        node(graph, "Relu", "c", "d");
        node(graph, "Relu", "x", "e");
        node(graph, "Reshape", "e", "f");
        node(graph, "Reshape", "x", "g");
        retired.put("Exp_runs", "not today");
        retired.put("Exp_ref", "not today");
        Map<String, PlacedNode> byOutput = new HashMap<>();
        place(graph).forEach(placed -> byOutput.put(placed.outputs().get(0), placed));
        assertThat(byOutput.get("a")).extracting(PlacedNode::target).isEqualTo(Target.CPU);
        assertThat(byOutput.get("b")).extracting(PlacedNode::target).isEqualTo(Target.CPU);
        assertThat(byOutput.get("b")).extracting(PlacedNode::isView).isEqualTo(true);
        assertThat(byOutput.get("b"))
                .extracting(PlacedNode::reasons)
                .isEqualTo(List.of("its input is on the CPU, and it only renames memory"));
        assertThat(byOutput.get("c")).extracting(PlacedNode::target).isEqualTo(Target.CPU);
        assertThat(byOutput.get("d")).extracting(PlacedNode::target).isEqualTo(Target.DEVICE);
        assertThat(byOutput.get("d")).extracting(PlacedNode::isView).isEqualTo(false);
        assertThat(byOutput.get("f")).extracting(PlacedNode::target).isEqualTo(Target.DEVICE);
        assertThat(byOutput.get("g")).extracting(PlacedNode::target).isEqualTo(Target.DEVICE);
    }

    @Test
    void nowhereKeepsTheReasonsOfBothSides() {
        retired.put("Exp_runs", "not today");
        retired.put("Exp_ref", "it does not build");
        cpu = node -> Optional.of("the CPU has no " + node.node().op());
        PlacedNode node = place(node(builder(DType.FLOAT32, 4).output("y"), "Exp", "x", "y"))
                .get(0);
        assertThat(node.target()).isEqualTo(Target.NOWHERE);
        assertThat(node.variant()).isEmpty();
        assertThat(node.reasons()).containsExactly("runs: not today", "ref: it does not build", "the CPU has no Exp");
    }

    @Test
    void saysWhereThereIsNoKernelAtAll() {
        GraphBuilder graph = builder(DType.FLOAT32, 2, 8).output("y");
        graph.node("ConstantOfShape", List.of(), List.of("c"), Map.of("shape", Attribute.ofInts(2, 8)));
        node(graph, "Add", "x,c", "y");
        List<PlacedNode> placed = place(graph);
        assertThat(placed).extracting(PlacedNode::target).containsExactly(Target.CPU, Target.DEVICE);
        assertThat(placed.get(0).reasons()).containsExactly("there is no OpenCL kernel for ConstantOfShape");
    }

    @Test
    void withoutADeviceTheCpuTakesAllWithoutExcuse() {
        device = Optional.empty();
        PlacedNode node = place(add()).get(0);
        assertThat(node.target()).isEqualTo(Target.CPU);
        assertThat(node.reasons()).isEmpty();
    }

    @Test
    void tellsKernelsWhichInputsAreThere() {
        GraphBuilder graph =
                builder(DType.FLOAT32, 2, 3).input("w", DType.FLOAT32, 3, 4).output("y");
        node(graph, "Gemm", "x,w,", "y");
        PlacedNode node = place(graph).get(0);
        assertThat(node.use().given()).containsExactly(true, true, false);
        assertThat(node.use().outputs()).isEqualTo(1);
    }
}
