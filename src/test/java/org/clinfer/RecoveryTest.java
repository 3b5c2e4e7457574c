package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.ClApi;
import org.clinfer.opencl.ClException;
import org.clinfer.opencl.ClStatus;
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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a session does when the device fails: which change, in which order, and what is told of it. */
@RequiresOpenCl
class RecoveryTest {

    private static final EngineOptions DEVICE = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());
    private static final Path DEMO = Path.of("src/main/resources/org/clinfer/demo/shapes.onnx");
    private static final Tensor X = TestGraphs.numbers(3, 6, 24);

    private final CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);

    private Engine engine() {
        return engine(DEVICE, counting.api());
    }

    private static Engine engine(EngineOptions options, ClApi api) {
        return Engine.open(options, () -> OpenCl.over(api));
    }

    @AfterEach
    void nothingIsLeft() {
        counting.assertAllReleased();
    }

    private static void check(Session session) {
        check(session, TestGraphs.products(), Map.of("x", X));
    }

    private static void check(Session session, Graph graph, Map<String, Tensor> inputs) {
        try (Engine cpu = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model reference = cpu.load(graph);
                Session computing = reference.session();
                Result expected = computing.run(inputs);
                Result actual = session.run(inputs)) {
            assertThat(TensorComparison.difference(expected.get("y"), actual.get("y"), Tolerance.DEFAULT))
                    .isEmpty();
        }
    }

    @Test
    void withoutFailuresNothingIsRecovered() {
        try (Engine engine = engine();
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            check(session);
            assertThat(session.recoveries()).isEmpty();
        }
    }

    @Test
    void aLostDeviceIsOpenedAgainAndUsed() {
        try (Engine engine = engine();
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            check(session);
            int uploads = counting.calls("clCreateBuffer");
            counting.fail("clFinish", 1, ClStatus.CL_DEVICE_NOT_AVAILABLE);
            check(session);
            assertThat(session.recoveries())
                    .singleElement()
                    .asString()
                    .startsWith("opened a new context, because clFinish")
                    .contains("CL_DEVICE_NOT_AVAILABLE");
            assertThat(counting.calls("clCreateContext")).isEqualTo(2);
            assertThat(counting.live()).containsEntry("Context", 1);
            assertThat(counting.calls("clCreateBuffer")).isGreaterThan(uploads);
            Placements.assertEverything(Placement.Target.DEVICE, session);
            check(session);
            assertThat(session.recoveries()).hasSize(1);
        }
    }

    @Test
    void everySessionGoesOnWithTheNewContext() {
        try (Engine engine = engine();
                Model model = engine.load(TestGraphs.products());
                Session one = model.session();
                Session two = model.session();
                Model other = engine.load(TestGraphs.products());
                Session three = other.session()) {
            List.of(one, two, three).forEach(RecoveryTest::check);
            counting.fail("clFinish", 1, ClStatus.CL_DEVICE_NOT_AVAILABLE);
            check(one);
            assertThat(counting.live()).as("others still use the old one").containsEntry("Context", 2);
            for (Session session : List.of(two, three)) {
                counting.fail("clFinish", 1, ClStatus.CL_INVALID_COMMAND_QUEUE);
                check(session);
            }
            List.of(one, two, three).forEach(RecoveryTest::check);
            List.of(one, two, three)
                    .forEach(session -> assertThat(session.recoveries()).hasSize(1));
            assertThat(counting.calls("clCreateContext")).isEqualTo(2);
            assertThat(counting.live()).containsEntry("Context", 1);
        }
    }

    @Test
    void aDeviceThatIsLostAgainAndAgainIsAvoided() {
        try (Engine engine = engine();
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            assertThat(engine.isDeviceLost()).isFalse();
            counting.failFrom("clFinish", 1, ClStatus.CL_OUT_OF_RESOURCES);
            check(session);
            assertThat(engine.isDeviceLost()).isTrue();
            counting.failNoMore();
            assertThat(session.recoveries()).hasSize(2).last().asString().startsWith("goes on with the CPU alone");
            Placements.assertEverything(Placement.Target.CPU, session);
            assertThat(session.placement().nodes())
                    .allSatisfy(node -> assertThat(node.reasons())
                            .singleElement()
                            .asString()
                            .startsWith("the device failed: clFinish"));
        }
    }

    @Test
    void aKernelThatTheDeviceRefusesIsRetiredAndTheReasonTold() {
        Graph graph = TestGraphs.rectifier(5);
        Map<String, Tensor> inputs = Map.of("x", TestGraphs.numbers(1, 2, 5));
        try (Engine engine = engine(DEVICE.withChain(false).withFusion(false), counting.api());
                Model model = engine.load(graph);
                Session session = model.session()) {
            counting.fail("clEnqueueNDRangeKernel", 2, ClStatus.CL_INVALID_WORK_GROUP_SIZE);
            check(session, graph, inputs);
            assertThat(session.recoveries()).singleElement().asString().startsWith("does without ");
            assertThat(session.placement().nodes())
                    .anySatisfy(node -> assertThat(node.reasons())
                            .anySatisfy(reason -> assertThat(reason)
                                    .contains("the device does not take it: clEnqueueNDRangeKernel")
                                    .contains("CL_INVALID_WORK_GROUP_SIZE")));
            assertThat(session.placement().nodes())
                    .anySatisfy(node -> assertThat(node.target()).isEqualTo(Placement.Target.DEVICE));
            assertThat(counting.calls("clCreateContext")).isEqualTo(1);
        }
    }

    @Test
    void aChainThatTheDeviceRefusesRunsOneByOne() {
        try (Engine engine = engine();
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            check(session);
            int before = counting.calls("clEnqueueNDRangeKernel");
            check(session);
            int chained = counting.calls("clEnqueueNDRangeKernel") - before;
            counting.fail("clEnqueueNDRangeKernel", 1, ClStatus.CL_OUT_OF_RESOURCES);
            check(session);
            before = counting.calls("clEnqueueNDRangeKernel");
            check(session);
            assertThat(counting.calls("clEnqueueNDRangeKernel") - before).isGreaterThan(chained);
            Placements.assertEverything(Placement.Target.DEVICE, session);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"BlockChannels", "UnblockChannels"})
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aNetworkRunsWithoutTheKernelsThatChangeLayouts(String change) {
        Tensor image = TestGraphs.numbers(1, 1, 3, 192, 192);
        try (Engine cpu = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Engine engine = engine(DEVICE.withChain(false), counting.api());
                Model reference = cpu.load(DEMO);
                Model model = engine.load(DEMO);
                Session computing = reference.session();
                Session usual = model.session();
                Session session = model.session();
                Result expected = computing.run(Map.of("image", image))) {
            assertThat(kernels(usual, image)).contains(change);
            session.avoid(change + "_ref", "it is tried without");
            try (Result actual = session.run(Map.of("image", image))) {
                assertThat(TensorComparison.difference(expected.get("scores"), actual.get("scores"), Tolerance.DEFAULT))
                        .isEmpty();
            }
            assertThat(kernels(session, image)).doesNotContain(change);
        }
    }

    /** The operators that run, those that change layouts among them. */
    private static List<String> kernels(Session session, Tensor image) {
        return session.profile(Map.of("image", image)).entries().stream()
                .map(RunProfile.Entry::op)
                .toList();
    }

    /** A product with a right side that is no constant, which is packed in every run where it pays. */
    private static Graph product() {
        Ops ops = Ops.graph("net");
        Edge left = ops.input("a", TensorType.of(DType.FLOAT32, 96, 300));
        Edge right = ops.input("b", TensorType.of(DType.FLOAT32, 300, 320));
        return ops.output("y", ops.matMul(left, right)).build();
    }

    @Test
    void withoutMemoryForWorkspaceOtherKernelsAreUsed() {
        Graph graph = product();
        Map<String, Tensor> inputs = Map.of("a", TestGraphs.numbers(1, 96, 300), "b", TestGraphs.numbers(2, 300, 320));
        try (Engine engine = engine();
                Model model = engine.load(graph);
                Session session = model.session()) {
            counting.fail("clCreateBuffer", 1, ClStatus.CL_MEM_OBJECT_ALLOCATION_FAILURE);
            check(session, graph, inputs);
            assertThat(session.recoveries())
                    .singleElement()
                    .asString()
                    .startsWith("does without kernels that need workspace, because clCreateBuffer");
            Placements.assertEverything(Placement.Target.DEVICE, session);
            assertThat(session.placement().nodes())
                    .singleElement()
                    .satisfies(node -> assertThat(node.reasons())
                            .anySatisfy(reason -> assertThat(reason)
                                    .contains("bytes of workspace, and the device is short of memory")));
        }
    }

    @Test
    void aKernelThatTheDeviceRefusesWhileNodesAreTimedIsRetiredToo() {
        Graph graph = product();
        Map<String, Tensor> inputs = Map.of("a", TestGraphs.numbers(1, 96, 300), "b", TestGraphs.numbers(2, 300, 320));
        int launches = 0;
        for (int nth = 1; nth == 1 || nth <= launches; nth++) {
            try (Engine engine = engine(DEVICE.withChain(false), counting.api());
                    Model model = engine.load(graph);
                    Session session = model.session()) {
                check(session, graph, inputs);
                int before = counting.calls("clEnqueueNDRangeKernel");
                session.profile(inputs);
                launches = counting.calls("clEnqueueNDRangeKernel") - before;
                counting.fail("clEnqueueNDRangeKernel", nth, ClStatus.CL_INVALID_WORK_GROUP_SIZE);
                assertThat(session.profile(inputs).entries())
                        .filteredOn(entry -> entry.op().equals("MatMul"))
                        .hasSize(1);
                assertThat(session.recoveries()).singleElement().asString().startsWith("does without ");
                check(session, graph, inputs);
            }
            counting.assertAllReleased();
        }
        assertThat(launches)
                .as("a launch for packing and one for the product, twice")
                .isEqualTo(4);
    }

    @Test
    void withoutMemoryOnTheDeviceTheCpuGoesOn() {
        try (Engine engine = engine();
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            counting.failFrom("clCreateBuffer", 1, ClStatus.CL_MEM_OBJECT_ALLOCATION_FAILURE);
            check(session);
            counting.failNoMore();
            assertThat(session.recoveries()).hasSize(2);
            Placements.assertEverything(Placement.Target.CPU, session);
        }
    }

    @Test
    void whatTheDeviceHasNoMemoryForIsPlannedForTheCpu() {
        try (Engine engine = engine(DEVICE, DeviceAnswers.memory(2_000, counting.api()));
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            check(session);
            assertThat(session.recoveries()).isEmpty();
            Placements.assertEverything(Placement.Target.CPU, session);
            assertThat(session.placement().nodes())
                    .allSatisfy(node -> assertThat(node.reasons())
                            .singleElement()
                            .asString()
                            .startsWith("it needs ")
                            .endsWith("limit 2000"));
        }
    }

    @Test
    void aDeviceThatCannotBeOpenedIsLeftAsideUnlessItIsAskedFor() {
        counting.failFrom("clCreateContext", 1, ClStatus.CL_OUT_OF_HOST_MEMORY);
        assertThatThrownBy(this::engine).isInstanceOf(ClException.class).hasMessageContaining("clCreateContext");
        try (Engine engine = engine(EngineOptions.defaults(), counting.api());
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            assertThat(engine.deviceNote())
                    .startsWith("no usable OpenCL device (clCreateContext")
                    .endsWith("; everything runs on the CPU");
            check(session);
        }
    }

    @Test
    void whereTheCpuCannotDoWithoutTheDeviceTheFailureIsTold(@TempDir Path folder) throws IOException {
        UserOperatorTest.describe(folder);
        Path described = folder.resolve("scaled_sum.json");
        String withoutCpu =
                Files.readString(described).replaceFirst("(?s),\\s*\\{\"optype\": \"ScaledSum_elements\".*", "]}");
        Files.writeString(described, withoutCpu);
        Tensor x = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3);
        try (Engine engine = engine(DEVICE.withOperators(List.of(folder)), counting.api());
                Model model = engine.load(UserOperatorTest.scaledSum(DType.FLOAT32, "TWICE"));
                Session session = model.session()) {
            counting.failFrom("clFinish", 1, ClStatus.CL_DEVICE_NOT_AVAILABLE);
            for (int run = 0; run < 2; run++) {
                assertThatThrownBy(() -> UserOperatorTest.check(session, x, 21, 42, 63, 24, 45, 66))
                        .isInstanceOf(ClException.class)
                        .hasMessageContaining("CL_DEVICE_NOT_AVAILABLE");
            }
            counting.failNoMore();
            UserOperatorTest.check(session, x, 21, 42, 63, 24, 45, 66);
        }
    }
}
