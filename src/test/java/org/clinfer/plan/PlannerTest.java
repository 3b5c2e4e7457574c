package org.clinfer.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.clinfer.describe.OpCatalog;
import org.clinfer.device.DeviceFacts;
import org.clinfer.graph.Attribute;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.Node;
import org.clinfer.graph.SourceRef;
import org.clinfer.infer.CheckRequest;
import org.clinfer.infer.CheckedGraph;
import org.clinfer.infer.CheckedNode;
import org.clinfer.infer.Checker;
import org.clinfer.infer.ConstantEvaluator;
import org.clinfer.kernel.OperatorUse;
import org.clinfer.place.PlacedGraph;
import org.clinfer.place.PlacedNode;
import org.clinfer.place.PlacedNode.Target;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Steps, transfers and memory of plans for graphs whose nodes are placed by the test. */
class PlannerTest {

    private final GraphBuilder builder =
            new GraphBuilder("net", new SourceRef("net", "")).input("x", DType.FLOAT32, 2, 8);
    private final Set<String> onDevice = new HashSet<>();
    private MemoryLimits host = MemoryLimits.host();

    /** Adds a node on the CPU, or on the device where the operator is written with a star: {@code *Relu}. */
    private void node(String op, String inputs, String outputs) {
        String bare = op.replace("*", "");
        if (op.startsWith("*")) {
            onDevice.add(outputs.split(",", -1)[0]);
        }
        Map<String, Attribute> params = switch (bare) {
            case "Reshape" -> Map.of("shape", Attribute.ofInts(-1));
            case "Split" -> Map.of("num_outputs", Attribute.of(2));
            case "Concat" -> Map.of("axis", Attribute.of(0));
            case "Slice" -> Map.of("starts", Attribute.ofInts(1), "ends", Attribute.ofInts(2));
            default -> Map.of();
        };
        builder.node(bare, List.of(inputs.split(",", -1)), List.of(outputs.split(",", -1)), params);
    }

    private ExecutionPlan plan(String... outputs) {
        return plan(false, outputs);
    }

    /** A plan for a device that shares the host's memory. */
    private ExecutionPlan sharedPlan(String... outputs) {
        return plan(true, outputs);
    }

    private ExecutionPlan plan(boolean sharesHost, String... outputs) {
        for (String output : outputs) {
            builder.output(output);
        }
        Graph graph = builder.build();
        Map<String, TensorType> types = new HashMap<>();
        graph.inputs().forEach(input -> types.put(input.name(), input.type()));
        CheckRequest request = new CheckRequest(graph, types);
        CheckedGraph checked = Checker.check(request, OpCatalog.builtIn(), ConstantEvaluator.NONE);
        assertThat(checked.findings()).isEmpty();
        List<PlacedNode> placed = checked.nodes().stream().map(this::placed).toList();
        ExecutionPlan plan = Planner.plan(
                new PlacedGraph(checked, placed),
                host,
                new MemoryLimits(128, 1 << 20, sharesHost, false),
                Chaining.NONE);
        PlanSimulation.verify(plan);
        return plan;
    }

    private PlacedNode placed(CheckedNode checked) {
        Node node = checked.node();
        OperatorUse use = new OperatorUse(
                checked.binding().scope(),
                node.inputs().stream().map(name -> !name.isEmpty()).toList(),
                node.outputs().size());
        Target target = onDevice.contains(node.outputs().get(0)) ? Target.DEVICE : Target.CPU;
        return new PlacedNode(checked.node(), checked, use, target, Optional.empty(), Optional.empty(), List.of());
    }

    /** The steps as {@code up x}, {@code down x}, {@code launch relu_0}, {@code call relu_1}. */
    private static List<String> steps(ExecutionPlan plan) {
        List<String> steps = new ArrayList<>();
        for (Step step : plan.steps()) {
            if (step instanceof Step.Upload upload) {
                steps.add("up " + upload.value());
            } else if (step instanceof Step.Download download) {
                steps.add("down " + download.value());
            } else if (step instanceof Step.Launch launch) {
                steps.add("launch " + launch.node().form().name());
            } else if (step instanceof Step.HostCall call) {
                steps.add("call " + call.node().form().name());
            }
        }
        return steps;
    }

    @Test
    void movesValuesOnceInEachDirection() {
        node("*Relu", "x", "a");
        node("Exp", "a", "b");
        node("Abs", "a", "c");
        node("*Add", "b,a", "d");
        node("*Mul", "b,d", "e");
        node("Sum", "c,e,a", "y");
        ExecutionPlan plan = plan("y");
        assertThat(steps(plan))
                .containsExactlyInAnyOrder(
                        "up x",
                        "launch relu_0",
                        "down a",
                        "call exp_1",
                        "call abs_2",
                        "up b",
                        "launch add_3",
                        "launch mul_4",
                        "down e",
                        "call sum_5");
        assertThat(plan.deviceOutputs()).isEmpty();
    }

    @Test
    void aGraphOnTheDeviceIsReadFromThere() {
        node("*Relu", "x", "a");
        node("*Exp", "a", "y");
        ExecutionPlan plan = plan("y", "a");
        assertThat(steps(plan)).containsExactly("up x", "launch relu_0", "launch exp_1");
        assertThat(plan.deviceOutputs()).containsExactlyInAnyOrder("y", "a");
        assertThat(plan.hostArena().totalBytes()).isZero();
        assertThat(plan.deviceArena().regions().keySet()).containsExactlyInAnyOrder("x", "a", "y");
    }

    @Test
    void anOutputThatIsOnBothSidesIsTakenFromTheHost() {
        node("*Relu", "x", "a");
        node("Exp", "a", "y");
        ExecutionPlan plan = plan("y", "a");
        assertThat(steps(plan)).containsExactly("up x", "launch relu_0", "down a", "call exp_1");
        assertThat(plan.deviceOutputs()).isEmpty();
    }

    @Test
    void aGraphOnTheCpuMovesNothing() {
        node("Relu", "x", "a");
        node("Exp", "a", "y");
        ExecutionPlan plan = plan("y");
        assertThat(steps(plan)).containsExactly("call relu_0", "call exp_1");
        assertThat(plan.deviceArena().totalBytes()).isZero();
        assertThat(plan.hostArena().regions().keySet()).containsExactlyInAnyOrder("a", "y");
    }

    @Test
    void anInputMayBeAnOutput() {
        node("*Relu", "x", "y");
        ExecutionPlan plan = plan("x", "y");
        assertThat(plan.deviceOutputs()).containsExactly("y");
        assertThat(plan.hostArena().regions()).isEmpty();
    }

    @Test
    void aConstantMayBeAnOutput() {
        builder.constant("c", Tensor.of(new float[16], 2, 8));
        node("*Add", "x,c", "y");
        ExecutionPlan plan = plan("c", "y");
        assertThat(plan.deviceOutputs()).containsExactly("y");
        assertThat(plan.deviceArena().regions()).doesNotContainKey("c");
    }

    @Test
    void constantsOfKernelsAreNamedAndInNoArena() {
        builder.constant("c", Tensor.of(new float[16], 2, 8)).constant("d", Tensor.of(new float[16], 2, 8));
        node("*Add", "x,c", "a");
        node("Add", "a,d", "y");
        ExecutionPlan plan = plan("y");
        assertThat(plan.deviceConstants()).containsExactly("c");
        assertThat(steps(plan)).containsExactly("up x", "launch add_0", "down a", "call add_1");
        assertThat(plan.deviceArena().regions()).doesNotContainKeys("c", "d");
        assertThat(plan.hostArena().regions()).doesNotContainKeys("c", "d");
    }

    @Test
    void shapesThatKernelsNeverSeeStayOnTheHost() {
        builder.constant("target", Tensor.of(new long[] {3, 2, 8}, 3));
        node("*Expand", "x,target", "y");
        ExecutionPlan plan = plan("y");
        assertThat(plan.deviceConstants()).isEmpty();
        assertThat(steps(plan)).containsExactly("up x", "launch expand_0");
    }

    @Test
    void viewsShareTheMemoryOfTheirOwner() {
        node("*Relu", "x", "a");
        node("*Reshape", "a", "b");
        node("*Identity", "b", "c");
        node("*Exp", "c", "y");
        ExecutionPlan plan = plan("y", "b");
        assertThat(plan.owner("b")).isEqualTo("a");
        assertThat(plan.owner("c")).isEqualTo("a");
        assertThat(plan.owner("y")).isEqualTo("y");
        assertThat(plan.deviceArena().regions().keySet()).containsExactlyInAnyOrder("x", "a", "y");
        assertThat(plan.deviceOutputs()).containsExactlyInAnyOrder("y", "b");
    }

    @Test
    void aViewIsMovedWithItsOwner() {
        node("*Relu", "x", "a");
        node("*Reshape", "a", "b");
        node("Exp", "b", "c");
        node("Abs", "a", "d");
        ExecutionPlan plan = plan("c", "d");
        assertThat(steps(plan)).containsOnlyOnce("down a").doesNotContain("down b");
    }

    @Test
    void aViewOfAnInputOrAConstantNeedsNoMemory() {
        builder.constant("k", Tensor.of(new float[4], 4));
        node("Reshape", "x", "a");
        node("Identity", "k", "b");
        ExecutionPlan plan = plan("a", "b");
        assertThat(plan.hostArena().regions()).isEmpty();
        assertThat(plan.deviceOutputs()).isEmpty();
    }

    @Test
    void partsOfASplitLieInItsInput() {
        node("Relu", "x", "a");
        node("Split", "a", "b,c");
        node("Exp", "b", "d");
        node("*Relu", "c", "y");
        ExecutionPlan plan = plan("d", "y");
        assertThat(plan.hostArena().wholes()).isEqualTo(Map.of("b", "a", "c", "a"));
        long a = Objects.requireNonNull(plan.hostArena().regions().get("a")).offset();
        ArenaPlan.Region c = Objects.requireNonNull(plan.hostArena().regions().get("c"));
        assertThat(c.offset()).isEqualTo(a + c.bytes());
        assertThat(steps(plan)).contains("up c").doesNotContain("up a");
        assertThat(plan.steps().get(1))
                .isInstanceOfSatisfying(
                        Step.HostCall.class, call -> assertThat(call.done()).isTrue());
    }

    @Test
    void aSliceWithoutGapsLiesInItsInput() {
        node("Relu", "x", "a");
        node("Slice", "a", "b");
        node("Exp", "b", "y");
        ExecutionPlan plan = plan("y");
        assertThat(plan.hostArena().wholes()).isEqualTo(Map.of("b", "a"));
        long a = Objects.requireNonNull(plan.hostArena().regions().get("a")).offset();
        assertThat(Objects.requireNonNull(plan.hostArena().regions().get("b")).offset())
                .isGreaterThan(a);
    }

    @Test
    void whatOneIndexGathersLiesInItsInput() {
        builder.constant("last", Tensor.of(new long[] {-1}, 1));
        node("Relu", "x", "a");
        node("Gather", "a,last", "b");
        node("Exp", "b", "y");
        ExecutionPlan plan = plan("y");
        assertThat(plan.hostArena().wholes()).isEqualTo(Map.of("b", "a"));
    }

    @Test
    void inputsOfAConcatLieInItsOutput() {
        node("Relu", "x", "a");
        node("Exp", "x", "b");
        node("Concat", "a,b", "ab");
        node("Concat", "ab,ab", "y");
        ExecutionPlan plan = plan("y");
        assertThat(plan.hostArena().wholes()).isEqualTo(Map.of("a", "y", "b", "y", "ab", "y"));
        assertThat(plan.hostArena().totalBytes())
                .isEqualTo(Objects.requireNonNull(plan.hostArena().regions().get("y"))
                        .bytes());
    }

    @Test
    void inputsAndConstantsAreNotMoved() {
        builder.constant("k", Tensor.of(new float[16], 2, 8));
        node("Concat", "x,k", "y");
        ExecutionPlan plan = plan("y");
        assertThat(plan.hostArena().wholes()).isEmpty();
        assertThat(plan.steps().get(0))
                .isInstanceOfSatisfying(
                        Step.HostCall.class, call -> assertThat(call.done()).isFalse());
    }

    @Test
    void whatTheDeviceCannotAlignIsNotAPart() {
        node("*Relu", "x", "a");
        node("*Split", "a", "b,c");
        node("*Concat", "b,c", "y");
        ExecutionPlan plan = plan("y");
        assertThat(plan.deviceArena().wholes()).isEqualTo(Map.of("b", "a"));
    }

    @Test
    void outputsThatNobodyUsesHaveMemory() {
        node("*Split", "x", "a,");
        node("*Relu", "a", "y");
        ExecutionPlan plan = plan("y");
        assertThat(plan.deviceArena().regions())
                .containsKey("unused output 1 of split_0")
                .doesNotContainKey("");
    }

    @Test
    void emptyValuesHaveMemoryToo() {
        builder.input("nothing", DType.FLOAT32, 0, 8);
        node("*Relu", "nothing", "y");
        assertThat(plan("y").deviceArena().regions()).containsKeys("nothing", "y");
    }

    @Test
    void memoryIsUsedAgain() {
        String last = "x";
        for (int i = 0; i < 10; i++) {
            node("*Relu", last, "v" + i);
            last = "v" + i;
        }
        assertThat(plan(last).deviceArena().totalBytes()).isEqualTo(128 + 64);
    }

    @Test
    void sharedMemoryIsLent() {
        builder.input("large", DType.FLOAT32, 100, 100);
        node("*Relu", "large", "y");
        node("*Relu", "x", "small");
        ExecutionPlan plan = sharedPlan("y", "small");
        assertThat(plan.lent()).containsExactlyInAnyOrder("large", "x", "y");
        assertThat(plan.deviceArena().regions()).containsOnlyKeys("small");
    }

    @Test
    void onlyAFewValuesAreLentTheLargest() {
        for (int i = 1; i < 9; i++) {
            builder.input("i" + i, DType.FLOAT32, i);
            node("*Relu", "i" + i, "o" + i);
        }
        node("*Relu", "x", "y");
        assertThat(sharedPlan("y", "o1", "o2", "o3", "o4", "o5", "o6", "o7", "o8")
                        .lent())
                .as("inputs of 4 to 64 bytes, the outputs are too small")
                .containsExactlyInAnyOrder("x", "i8", "i7", "i6", "i5", "i4");
    }

    @Test
    void memoryInWhichOthersLieIsNotLent() {
        builder.input("large", DType.FLOAT32, 200, 64);
        node("*Split", "large", "a,b");
        node("*Relu", "a", "c");
        node("*Relu", "b", "d");
        node("*Concat", "c,d", "y");
        assertThat(sharedPlan("y").lent()).isEmpty();
    }

    @Test
    void memoryOfTwoOutputsIsNotLent() {
        builder.input("large", DType.FLOAT32, 100, 100);
        node("*Relu", "large", "y");
        node("*Reshape", "y", "z");
        assertThat(sharedPlan("y", "z").lent()).containsExactly("large");
    }

    /** {@code data[2, 8], indices, x → y}. */
    private void scatter(String op) {
        builder.input("data", DType.FLOAT32, 2, 8).input("indices", DType.INT64, 2, 8);
        node(op, "data,indices,x", "y");
    }

    private static boolean updates(ExecutionPlan plan) {
        return plan.steps().stream().anyMatch(step -> step instanceof Step.Launch launch && launch.updates());
    }

    @Test
    void elementsAreReplacedWhereNobodyElseReadsThem() {
        scatter("*ScatterElements");
        ExecutionPlan plan = plan("y");
        assertThat(plan.updates()).containsExactly(Map.entry("y", "data"));
        assertThat(plan.deviceArena().regions().get("data"))
                .isEqualTo(plan.deviceArena().regions().get("y"));
        assertThat(updates(plan)).isTrue();
    }

    @Test
    void elementsAreReplacedInLentMemory() {
        scatter("*ScatterElements");
        ExecutionPlan plan = sharedPlan("y");
        assertThat(plan.lent()).containsExactlyInAnyOrder("y", "indices", "x");
        assertThat(plan.deviceArena().wholes()).containsEntry("data", "y");
        assertThat(plan.deviceArena().regions()).isEmpty();
    }

    @Test
    void theHostReplacesElementsInItsOwnPlaceForEachRun() {
        scatter("ScatterElements");
        ExecutionPlan plan = plan("y");
        assertThat(plan.updates()).containsExactly(Map.entry("y", "data"));
        assertThat(plan.hostArena().regions()).containsOnlyKeys("y");
    }

    @Test
    void elementsThatAreReadElsewhereAreNotReplaced() {
        scatter("*ScatterElements");
        node("Relu", "data", "z");
        ExecutionPlan plan = plan("y", "z");
        assertThat(plan.updates()).isEmpty();
        assertThat(updates(plan)).isFalse();
        assertThat(plan.deviceArena().wholes()).isEmpty();
    }

    @Test
    void anInputThatIsAnOutputTooIsNotReplaced() {
        scatter("*ScatterElements");
        assertThat(updates(plan("y", "data"))).isFalse();
    }

    @Test
    void valuesForTheHostAreNotLent() {
        builder.input("large", DType.FLOAT32, 100, 100);
        node("Relu", "large", "a");
        node("*Relu", "a", "b");
        node("Relu", "b", "y");
        assertThat(sharedPlan("y").lent()).isEmpty();
    }

    @Test
    void limitsComeFromTheDevice() {
        Map<String, Long> limits = Map.of("mem_base_addr_align", 4096L, "max_mem_alloc_size", 1000L);
        DeviceFacts facts = new DeviceFacts("", "", "", "", "1.2", DeviceFacts.Kind.GPU, Set.of(), limits);
        assertThat(MemoryLimits.of(facts)).isEqualTo(new MemoryLimits(512, 1000, false, true));
        DeviceFacts shared = new DeviceFacts(
                "", "", "", "", "1.2", DeviceFacts.Kind.CPU, Set.of(), Map.of("host_unified_memory", 1L));
        assertThat(MemoryLimits.of(shared).sharesHost()).isTrue();
        DeviceFacts silent = new DeviceFacts("", "", "", "", "1.2", DeviceFacts.Kind.GPU, Set.of(), Map.of());
        assertThat(MemoryLimits.of(silent))
                .isEqualTo(new MemoryLimits(4096, MemoryLimits.host().chunkBytes(), false, true));
    }

    @Test
    void blockedChannelsThatOnlySuchOperatorsMeetLieInArrays() {
        host = MemoryLimits.host(Set.of("Relu", "Concat"));
        builder.input("b", DType.FLOAT32, 1, 2, 3, 4, 16);
        node("Relu", "b", "inner");
        node("Relu", "inner", "part");
        node("Relu", "inner", "other");
        node("Concat", "part,other", "whole");
        node("Relu", "whole", "last");
        node("Exp", "last", "elsewhere");
        node("Relu", "inner", "sent");
        node("*Relu", "sent", "received");
        node("Relu", "x", "matrix");
        node("Relu", "matrix", "given");
        ExecutionPlan plan = plan("elsewhere", "received", "given");
        ArenaPlan arena = plan.hostArena();
        assertThat(arena.regions().keySet().stream().filter(arena::isInArray))
                .containsExactlyInAnyOrder("inner", "part", "other", "whole");
        assertThat(arena.arrays()).isOne();
        assertThat(arena.arrayBytes()).hasSize(1);
        assertThat(arena.memoryBytes()).hasSize(arena.chunkBytes().size() - 1);
    }

    @Test
    void randomGraphsFindTheirInputsWherePlacementPutsThem() {
        for (int seed = 0; seed < 300; seed++) {
            new PlannerTest().planRandomGraph(new Random(seed), 2, 8);
        }
    }

    @Test
    void randomGraphsOfBlockedChannelsDoSoToo() {
        for (int seed = 0; seed < 300; seed++) {
            PlannerTest test = new PlannerTest();
            test.host = MemoryLimits.host(Set.of("Relu", "Add"));
            test.planRandomGraph(new Random(seed), 1, 1, 1, 1, 16);
        }
    }

    private void planRandomGraph(Random random, long... sizes) {
        builder.constant("k", Tensor.of(new float[16], sizes))
                .input("z", DType.FLOAT32, sizes)
                .input("w", DType.FLOAT32, sizes);
        List<String> values = new ArrayList<>(List.of("w", "z", "k"));
        String[] operators = {"Relu", "Add", "Identity", "Sum", "Identity", "Exp"};
        for (int i = 0; i < 3 + random.nextInt(20); i++) {
            String op = operators[random.nextInt(operators.length)];
            int arity = op.equals("Sum") ? 1 + random.nextInt(4) : op.equals("Add") ? 2 : 1;
            List<String> inputs = new ArrayList<>();
            for (int k = 0; k < arity; k++) {
                int recent = random.nextBoolean() ? Math.min(4, values.size()) : values.size();
                inputs.add(values.get(values.size() - 1 - random.nextInt(recent)));
            }
            node((random.nextBoolean() ? "*" : "") + op, String.join(",", inputs), "v" + i);
            values.add("v" + i);
        }
        Set<String> outputs = new HashSet<>(List.of(values.get(values.size() - 1)));
        for (int k = random.nextInt(4); k > 0; k--) {
            outputs.add(values.get(random.nextInt(values.size())));
        }
        ExecutionPlan plan = plan(outputs.toArray(new String[0]));
        ArenaPlan arena = plan.hostArena();
        assertThat(outputs.stream().map(plan::owner)).noneMatch(arena::isInArray);
        for (Step step : plan.steps()) {
            assertThat(valuesOnHost(step, plan)).as(step.toString()).noneMatch(arena::isInArray);
        }
    }

    /** The values that a step needs in direct memory of the host, if operators of this set take others in arrays. */
    private List<String> valuesOnHost(Step step, ExecutionPlan plan) {
        if (step instanceof Step.Upload upload) {
            return List.of(plan.owner(upload.value()));
        }
        if (step instanceof Step.Download download) {
            return List.of(plan.owner(download.value()));
        }
        if (!(step instanceof Step.HostCall call)
                || call.done()
                || host.arrays().contains(call.node().form().op())) {
            return List.of();
        }
        return Stream.concat(call.node().form().inputs().stream(), call.node().form().outputs().stream())
                .map(plan::owner)
                .toList();
    }
}
