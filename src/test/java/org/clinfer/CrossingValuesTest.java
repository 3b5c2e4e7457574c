package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.clinfer.device.CommandCounts;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.ClApi;
import org.clinfer.opencl.ClStatus;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Values that go from the device to the CPU and back within a run. */
@RequiresOpenCl
class CrossingValuesTest {

    private static final EngineOptions DEVICE =
            EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl()).withFusion(false);

    /** Two values of the device's are added on the CPU; a sum of the CPU's goes to the device while it works on another. */
    private static Graph graph() {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, 4, 33));
        Edge z = ops.input("z", TensorType.of(DType.FLOAT32, 4, 33));
        Edge sum = ops.add(ops.relu(x), ops.neg(x));
        Edge before = ops.neg(ops.relu(sum));
        Edge ofInputs = ops.add(z, z);
        return ops.output("y", ops.mul(before, ops.abs(ofInputs))).build();
    }

    private static CommandCounts commands(UnaryOperator<ClApi> device) {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        CommandCounts counts;
        try (Engine engine = Engine.open(DEVICE, () -> OpenCl.over(device.apply(counting.api())));
                Session session = engine.load(graph()).session();
                Engine cpu = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Session onCpu = cpu.load(graph()).session()) {
            engine.context()
                    .kernels()
                    .variants("Add")
                    .forEach(variant -> session.avoid(variant.optype(), "the test wants the CPU"));
            counts = engine.commands();
            for (int seed = 0; seed < 4; seed++) {
                Map<String, Tensor> inputs =
                        Map.of("x", TestGraphs.numbers(seed, 4, 33), "z", TestGraphs.numbers(seed + 9, 4, 33));
                CommandCounts before = engine.commands();
                try (Result result = session.run(inputs);
                        Result expected = onCpu.run(inputs)) {
                    counts = engine.commands().since(before);
                    assertThat(result.get("y").toFloatArray())
                            .containsExactly(expected.get("y").toFloatArray());
                }
            }
            assertThat(session.placement().count(Placement.Target.CPU)).isEqualTo(2);
        }
        counting.assertAllReleased();
        return counts;
    }

    /** A driver that begins kernels when it is waited for, or gets another command, and not sooner. */
    private static ClApi late(ClApi real) {
        List<Callable<Object>> held = new ArrayList<>();
        return (ClApi) Proxy.newProxyInstance(
                ClApi.class.getClassLoader(), new Class<?>[] {ClApi.class}, (proxy, method, arguments) -> {
                    boolean launches = method.getName().equals("clEnqueueNDRangeKernel") && arguments[4] == null;
                    if (launches) {
                        held.add(() -> method.invoke(real, arguments));
                        return ClStatus.CL_SUCCESS.code();
                    }
                    for (Callable<Object> launch : held) {
                        assertThat(launch.call()).isEqualTo(ClStatus.CL_SUCCESS.code());
                    }
                    held.clear();
                    return method.invoke(real, arguments);
                });
    }

    /** Sums of the CPU's go to the device one after another, each in the memory of one that a kernel before has to read. */
    @Test
    void whatAKernelHasStillToReadIsNotOverwritten() {
        Ops ops = Ops.graph("net");
        Edge y = ops.relu(ops.input("x", TensorType.of(DType.FLOAT32, 4, 33)));
        Map<String, Tensor> inputs = new HashMap<>(Map.of("x", TestGraphs.numbers(1, 4, 33)));
        for (int i = 0; i < 6; i++) {
            Edge z = ops.input("z" + i, TensorType.of(DType.FLOAT32, 4, 33));
            inputs.put("z" + i, TestGraphs.numbers(i + 9, 4, 33));
            y = ops.mul(y, ops.abs(ops.add(z, z)));
        }
        Graph graph = ops.output("y", y).build();
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        try (Engine engine = Engine.open(DEVICE.withChain(false), () -> OpenCl.over(late(counting.api())));
                Session session = engine.load(graph).session();
                Engine cpu = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Session onCpu = cpu.load(graph).session()) {
            engine.context()
                    .kernels()
                    .variants("Add")
                    .forEach(variant -> session.avoid(variant.optype(), "the test wants the CPU"));
            for (int run = 0; run < 2; run++) {
                try (Result result = session.run(inputs);
                        Result expected = onCpu.run(inputs)) {
                    assertThat(result.get("y").toFloatArray())
                            .containsExactly(expected.get("y").toFloatArray());
                }
            }
            assertThat(session.placement().count(Placement.Target.CPU)).isEqualTo(6);
        }
        counting.assertAllReleased();
    }

    @Test
    void aDeviceThatWorksInTheMemoryOfTheHostIsWaitedForAndGivenNoOtherCommands() {
        CommandCounts counts = commands(real -> real);
        assertThat(counts.waits()).as("before the first sum and at the end").isEqualTo(2);
        assertThat(counts.transfers())
                .as("what is needed while the device works goes there by a command")
                .isLessThanOrEqualTo(1);
    }

    @Test
    void ofADeviceWithMemoryOfItsOwnAllThatAnOperatorNeedsIsWaitedForAtOnce() {
        CommandCounts counts = commands(real -> DeviceAnswers.separateMemory(DeviceAnswers.gpu(16, real)));
        assertThat(counts.waits()).as("before the first sum and at the end").isEqualTo(2);
        assertThat(counts.transfers()).as("x, two for the sum, two sums, y").isEqualTo(6);
    }
}
