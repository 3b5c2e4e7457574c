package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.clinfer.graph.Graph;
import org.clinfer.networks.BenchmarkNetwork;
import org.clinfer.opencl.ClApi;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is said of the memory of a session before it is allocated, against what is allocated then. */
class MemoryUseTest {

    /** Real OpenCL calls, and the bytes of open buffers; those in memory that is lent for a run are closed with it. */
    private static final class Allocations {
        private final Map<Long, Long> open = new ConcurrentHashMap<>();
        private final ClApi api;

        Allocations(ClApi real) {
            api = (ClApi) Proxy.newProxyInstance(
                    ClApi.class.getClassLoader(), new Class<?>[] {ClApi.class}, (proxy, method, arguments) -> {
                        try {
                            Object result = method.invoke(real, arguments);
                            if (method.getName().equals("clCreateBuffer")) {
                                open.put((Long) result, (Long) arguments[2]);
                            } else if (method.getName().equals("clReleaseMemObject")) {
                                open.remove((Long) arguments[0]);
                            }
                            return result;
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        long bytes() {
            return open.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    private static final EngineOptions DEVICE = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());

    @TempDir
    Path folder;

    private static Map<String, Tensor> inputs(Model model) {
        return model.inputs().stream()
                .collect(Collectors.toMap(
                        Graph.Input::name,
                        input -> TestGraphs.numbers(1, input.type().shape().sizes())));
    }

    @RequiresOpenCl
    @ParameterizedTest
    @EnumSource
    void deviceMemoryIsKnownBeforeItIsAllocated(BenchmarkNetwork network) {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        Allocations allocations = new Allocations(counting.api());
        Path file = network.write(folder, network.smallForm()).file();
        try (Engine engine = Engine.open(DEVICE, () -> OpenCl.over(allocations.api));
                Model model = engine.load(file);
                Session session = model.session()) {
            MemoryUse planned = session.memory(Map.of());
            assertThat(allocations.bytes()).as("before the run").isZero();

            session.run(inputs(model)).close();

            assertThat(session.memory()).isEqualTo(planned);
            assertThat(allocations.bytes()).isEqualTo(planned.deviceWeights() + planned.deviceValues());
            assertThat(planned.deviceWeights()).isPositive();
        }
        assertThat(allocations.bytes()).isZero();
        counting.assertAllReleased();
    }

    /** A product becomes a convolution, whose weights are the matrix with more axes. */
    @RequiresOpenCl
    @Test
    void aConstantThatIsReshapedCountsOnce() {
        Ops ops = Ops.graph("product");
        Tensor matrix = TestGraphs.numbers(1, 64, 96);
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, 1, 40, 64));
        ops.output("y", ops.matMul(x, ops.constant("w", matrix)));
        try (Engine engine = Engine.open(DEVICE);
                Model model = engine.load(ops.build());
                Session session = model.session()) {
            Placement placement = session.placement(Map.of());
            assertThat(placement.nodes().get(0).variant()).startsWith("nxc_");
            assertThat(session.memory(Map.of()).weights())
                    .isEqualTo(matrix.type().bytes());
        }
    }

    /** What each has of its own are the tables of its chains. */
    @RequiresOpenCl
    @Test
    void valuesOfManyShapesLieInTheMemoryOfTheLargest() {
        Allocations allocations =
                new Allocations(CountingClApi.over(ClBinding.LWJGL).api());
        try (Engine engine = Engine.open(DEVICE, () -> OpenCl.over(allocations.api));
                Model model = engine.load(TestGraphs.convolutions());
                Session session = model.session()) {
            session.run(Map.of("x", TestGraphs.numbers(1, 1, 3, 128, 128))).close();
            MemoryUse largest = session.memory();
            long before = allocations.bytes();
            for (int size = 40; size < 60; size++) {
                session.run(Map.of("x", TestGraphs.numbers(1, 1, 3, size, size)))
                        .close();
                assertThat(session.memory().deviceValues()).isPositive();
            }
            assertThat(allocations.bytes() - before).isBetween(1L, largest.deviceValues());
        }
    }

    @RequiresOpenCl
    @Test
    void nodesThatRunOneByOneHaveBuffersOfTheirOwn() {
        Allocations allocations =
                new Allocations(CountingClApi.over(ClBinding.JOCL).api());
        Path file = BenchmarkNetwork.SQUEEZENET_1_1
                .write(folder, BenchmarkNetwork.SQUEEZENET_1_1.smallForm())
                .file();
        try (Engine engine = Engine.open(DEVICE.withChain(false), () -> OpenCl.over(allocations.api));
                Model model = engine.load(file);
                Session session = model.session()) {
            session.run(inputs(model)).close();

            MemoryUse used = session.memory();
            assertThat(allocations.bytes()).isEqualTo(used.deviceWeights() + used.deviceValues());
        }
    }

    /** Transformed and packed weights may take half as much again as the model's own. */
    @RequiresOpenCl
    @Test
    void weightsOfALargeClassifierTakeAtMostHalfAsMuchAgain() {
        BenchmarkNetwork.Written written = BenchmarkNetwork.RESNET_50.write(
                folder, BenchmarkNetwork.RESNET_50.form().withZeros());
        try (Engine engine = Engine.open(DEVICE);
                Model model = engine.load(written.file());
                Session session = model.session()) {
            assertThat((double) session.memory(Map.of()).deviceWeights())
                    .isBetween(3.9 * written.parameters(), 6.0 * written.parameters());
        }
    }

    /** What is scaled by a normalization is only packed there. */
    @RequiresOpenCl
    @Test
    void scaledWeightsThatADevicePacksTakeNoMemoryOfTheHost() {
        BenchmarkNetwork.Written written =
                BenchmarkNetwork.MOBILENET_V2.write(folder, BenchmarkNetwork.MOBILENET_V2.smallForm());
        try (Engine engine = Engine.open(DEVICE);
                Model model = engine.load(written.file());
                Session session = model.session()) {
            assertThat((double) session.memory(Map.of()).weights())
                    .isBetween(4.0 * written.parameters(), 5.0 * written.parameters());
        }
    }

    @Test
    void withoutADeviceAllIsTheHosts() {
        BenchmarkNetwork.Written written =
                BenchmarkNetwork.MOBILENET_V2.write(folder, BenchmarkNetwork.MOBILENET_V2.smallForm());
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model model = engine.load(written.file());
                Session session = model.session()) {
            MemoryUse planned = session.memory(Map.of());

            assertThat(planned.deviceWeights() + planned.deviceValues()).isZero();
            assertThat(planned.weights()).isGreaterThanOrEqualTo(4 * written.parameters());
            assertThat(planned.hostValues()).isPositive();
        }
    }

    @Test
    void isUnknownBeforeTheFirstRun() {
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model model = engine.load(TestGraphs.rectifier(5));
                Session session = model.session()) {
            assertThatIllegalStateException().isThrownBy(session::memory).withMessageContaining("nothing was run yet");
        }
    }
}
