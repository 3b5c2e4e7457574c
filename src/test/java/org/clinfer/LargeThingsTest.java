package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.TensorType;
import org.clinfer.tensor.Tolerance;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Values, weights and networks beyond what a device allocates at once, has in all, or computes with. The device holds to what
 * it says, and what it cannot take is known before it is tried.
 */
@RequiresOpenCl
class LargeThingsTest {

    private static final EngineOptions DEVICE = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());
    private static final long PLENTY = 1L << 30;

    private final CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
    private final SeveralDevicesClApi machine = new SeveralDevicesClApi(1, counting.api());
    private final SeveralDevicesClApi.Shown device = machine.device(0);

    @AfterEach
    void nothingIsLeft() {
        counting.assertAllReleased();
    }

    /** Where a run is that gives what the CPU gives, without a failure that had to be recovered from. */
    private Placement placement(Graph graph, Map<String, Tensor> inputs) {
        try (Engine cpu = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model reference = cpu.load(graph);
                Session computing = reference.session();
                Result expected = computing.run(inputs);
                Engine engine = Engine.open(DEVICE, () -> OpenCl.over(machine.api()));
                Model model = engine.load(graph);
                Session session = model.session();
                Result actual = session.run(inputs)) {
            assertThat(TensorComparison.difference(expected.get("y"), actual.get("y"), Tolerance.DEFAULT))
                    .isEmpty();
            assertThat(session.recoveries()).isEmpty();
            return session.placement();
        }
    }

    private Placement ofConvolutions(long batch) {
        return placement(TestGraphs.convolutions(), Map.of("x", TestGraphs.numbers(1, batch, 3, 64, 64)));
    }

    private static Predicate<Placement.Entry> on(Placement.Target target) {
        return node -> node.target() == target;
    }

    private static List<String> reasons(Placement placement, String op) {
        return placement.nodes().stream()
                .filter(node -> node.op().equals(op))
                .flatMap(node -> node.reasons().stream())
                .toList();
    }

    @Test
    void valuesThatOneBufferDoesNotHoldLieInSeveral() {
        device.allocates(200_000);
        Placement placement = ofConvolutions(1);
        assertThat(placement.nodes()).allMatch(on(Placement.Target.DEVICE));
        assertThat(reasons(placement, "Convolution"))
                .as("kernels with a buffer of their own that is too large")
                .anyMatch(reason -> reason.matches(
                        "winograd4: its own tensor .* bytes, but the device allocates at most 200000 at once"));
    }

    @Test
    void ofALargeBatchTheCpuTakesNodesWithAValueThatIsTooLarge() {
        device.allocates(200_000);
        Placement placement = ofConvolutions(8);
        assertThat(placement.nodes()).allMatch(on(Placement.Target.CPU));
        assertThat(reasons(placement, "Convolution"))
                .contains(
                        "a tensor 8x48x32x32:float32 needs 1572864 bytes, but the device allocates at most 200000 at once");
    }

    /** Products with vectors: large weights behind small ones. */
    private static Graph products(long... sizes) {
        Ops ops = Ops.graph("net");
        Edge value = ops.input("x", TensorType.of(DType.FLOAT32, 1, sizes[0]));
        for (int i = 1; i < sizes.length; i++) {
            Tensor weights = TestGraphs.numbers(i, sizes[i - 1], sizes[i]);
            for (long at = 0; at < weights.elements(); at++) {
                weights.setDouble(at, weights.getDouble(at) / 1000);
            }
            value = ops.relu(ops.matMul(value, ops.constant("w" + i, weights)));
        }
        return ops.output("y", value).build();
    }

    @Test
    void theCpuTakesANodeWithWeightsThatAreTooLarge() {
        device.allocates(100_000);
        Placement placement = placement(products(64, 200, 500, 16), Map.of("x", TestGraphs.numbers(9, 1, 64)));
        assertThat(placement.nodes().stream()
                        .filter(node -> node.op().equals("MatMul"))
                        .map(Placement.Entry::target))
                .containsExactly(Placement.Target.DEVICE, Placement.Target.CPU, Placement.Target.DEVICE);
        assertThat(reasons(placement, "MatMul"))
                .contains(
                        "a tensor 200x500:float32 needs 400000 bytes, but the device allocates at most 100000 at once");
    }

    @Test
    void ofANetworkBeyondTheDevicesMemoryTheFirstNodesStayThereWhereWeightsAreLast() {
        device.has(400_000);
        Placement placement = placement(products(64, 200, 200, 1000), Map.of("x", TestGraphs.numbers(9, 1, 64)));
        assertThat(placement.nodes().stream()
                        .filter(node -> node.op().equals("MatMul"))
                        .map(Placement.Entry::target))
                .containsExactly(Placement.Target.DEVICE, Placement.Target.DEVICE, Placement.Target.CPU);
        assertThat(reasons(placement, "MatMul"))
                .anyMatch(reason -> reason.matches("it needs \\d+ bytes of device memory .*, limit 400000"));
    }

    @Test
    void theLastNodesStayThereWhereThatIsMoreWork() {
        device.has(300_000);
        Placement placement = ofConvolutions(1);
        assertThat(placement.nodes().get(0).target()).isEqualTo(Placement.Target.CPU);
        assertThat(placement.nodes().get(0).reasons())
                .singleElement()
                .asString()
                .matches("it needs \\d+ bytes of device memory .*, limit 300000");
        assertThat(placement.nodes().get(8).target()).isEqualTo(Placement.Target.DEVICE);
    }

    @Test
    void whatIsThereToPrepareWeightsAloneIsCountedToo() {
        device.isGpu();
        device.has(PLENTY);
        Graph graph = TestGraphs.convolutions();
        Map<String, Tensor> inputs = Map.of("x", TestGraphs.numbers(1, 1, 3, 64, 64));
        long needed;
        try (Engine engine = Engine.open(DEVICE, () -> OpenCl.over(machine.api()));
                Model model = engine.load(graph);
                Session session = model.session()) {
            MemoryUse use = session.memory(Map.of());
            needed = use.deviceWeights() + use.deviceValues();
            session.run(inputs).close();
            assertThat(device.used()).isEqualTo(needed);
        }
        device.has(needed);
        assertThat(placement(graph, inputs).nodes()).isNotEmpty();
    }

    @Test
    void doublesAreForTheCpuWhereTheDeviceHasNone() {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT64, 4));
        Graph graph = ops.output("y", ops.relu(ops.add(x, x))).build();
        Tensor given = Tensor.allocate(DType.FLOAT64, 4);
        given.setDouble(2, 1.5);
        device.lacks("cl_khr_fp64");
        Placement placement = placement(graph, Map.of("x", given));
        assertThat(placement.nodes())
                .allMatch(on(Placement.Target.CPU))
                .allSatisfy(node -> assertThat(node.reasons())
                        .anyMatch(reason -> reason.contains("float64 needs cl_khr_fp64, which the device lacks")));
    }
}
