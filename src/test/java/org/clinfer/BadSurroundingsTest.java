package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.ClStatus;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.Tolerance;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Devices that are lost in the middle of a run or killed by a watchdog, whose memory others take, or whose compiler does not
 * take a program: right results, and a sentence that says what was done.
 */
@RequiresOpenCl
class BadSurroundingsTest {

    private static final EngineOptions DEVICE = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());
    private static final Graph GRAPH = TestGraphs.products();
    private static final Map<String, Tensor> INPUTS = Map.of("x", TestGraphs.numbers(3, 6, 24));
    private static Tensor expected = Tensor.scalar(0f);

    private final CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
    private final SeveralDevicesClApi machine = new SeveralDevicesClApi(1, counting.api());
    private final SeveralDevicesClApi.Shown device = machine.device(0);

    @BeforeAll
    static void computeOnTheCpu() {
        try (Engine engine = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()));
                Model model = engine.load(GRAPH);
                Session session = model.session();
                Result result = session.run(INPUTS)) {
            expected = result.get("y").copy();
        }
    }

    @AfterEach
    void nothingIsLeft() {
        counting.assertAllReleased();
    }

    private Engine engine(EngineOptions options) {
        return Engine.open(options, () -> OpenCl.over(machine.api()));
    }

    private static void check(Session session) {
        try (Result actual = session.run(INPUTS)) {
            assertThat(TensorComparison.difference(expected, actual.get("y"), Tolerance.DEFAULT))
                    .isEmpty();
        }
    }

    private static List<String> reasons(Session session) {
        return session.placement().nodes().stream()
                .flatMap(node -> node.reasons().stream())
                .toList();
    }

    private static void assertEverythingOnTheCpu(Session session) {
        assertThat(session.placement().nodes())
                .isNotEmpty()
                .allSatisfy(node -> assertThat(node.target()).isEqualTo(Placement.Target.CPU));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void aDeviceThatIsLostInTheMiddleOfARunLeavesItToTheCpu(int launches) {
        device.isGpu();
        try (Engine engine = engine(DEVICE);
                Model model = engine.load(GRAPH);
                Session session = model.session()) {
            check(session);
            device.losesAfter(launches);
            check(session);
            assertThat(session.recoveries())
                    .singleElement()
                    .asString()
                    .startsWith("goes on with the CPU alone, because cl")
                    .contains("CL_DEVICE_NOT_AVAILABLE (-2); the device is lost or taken");
            assertEverythingOnTheCpu(session);
        }
    }

    /** The kernels of a run, in order, without those that prepare weights. */
    private List<String> kernels() {
        try (Engine engine = engine(DEVICE);
                Model model = engine.load(GRAPH);
                Session session = model.session()) {
            check(session);
            int before = device.launches();
            check(session);
            return new ArrayList<>(device.kernels().subList(before, device.launches()));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ClStatus.class,
            names = {"CL_OUT_OF_RESOURCES", "CL_INVALID_COMMAND_QUEUE", "CL_DEVICE_NOT_AVAILABLE", "CL_INVALID_CONTEXT"
            })
    void aKernelThatTheWatchdogKillsIsFoundAndAvoided(ClStatus status) {
        device.isGpu();
        String deadly = kernels().get(1);
        device.diesOf(deadly, status);
        try (Engine engine = engine(DEVICE);
                Model model = engine.load(GRAPH);
                Session session = model.session();
                Session later = model.session()) {
            check(session);
            assertThat(session.recoveries()).hasSize(2);
            assertThat(session.recoveries().get(0)).startsWith("opened a new context, because cl");
            assertThat(session.recoveries().get(1))
                    .startsWith("opened a new context and does without ")
                    .contains(", because clFinish failed")
                    .contains(status.name());
            assertThat(reasons(session))
                    .anyMatch(reason -> reason.contains("the device fails while it runs: clFinish failed"));
            assertThat(session.placement().count(Placement.Target.DEVICE)).isPositive();
            int deaths = device.deaths();
            check(session);
            check(later);
            assertThat(device.deaths()).as("never again").isEqualTo(deaths);
            assertThat(later.recoveries()).isEmpty();
        }
    }

    @Test
    void aDeviceThatDiesOfEveryKernelIsAvoided() {
        device.isGpu();
        device.diesOf(SeveralDevicesClApi.Shown.ANY, ClStatus.CL_OUT_OF_RESOURCES);
        try (Engine engine = engine(DEVICE);
                Model model = engine.load(GRAPH);
                Session session = model.session()) {
            check(session);
            assertThat(session.recoveries()).hasSize(5).last().asString().startsWith("goes on with the CPU alone");
            assertEverythingOnTheCpu(session);
            int deaths = device.deaths();
            check(session);
            assertThat(device.deaths()).isEqualTo(deaths);
        }
    }

    @Test
    void aQueueThatOnlyDiesWhenItIsFullIsWaitedForNodeByNode() {
        device.diesOf("clinfer_chain", ClStatus.CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        try (Engine engine = engine(DEVICE);
                Model model = engine.load(GRAPH);
                Session session = model.session()) {
            for (int run = 0; run < 4; run++) {
                check(session);
            }
            assertThat(session.recoveries()).hasSize(2);
            assertThat(session.recoveries().get(0)).startsWith("opened a new context, because cl");
            assertThat(session.recoveries().get(1))
                    .startsWith("opened a new context and waits for each node from now on, because cl");
            assertThat(session.placement().count(Placement.Target.CPU)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"clEnqueueWriteBuffer", "clEnqueueNDRangeKernel", "clEnqueueReadBuffer"})
    void memoryThatIsOnlyMissedWhenItIsUsedLeavesTheRunToTheCpu(String call) {
        device.isGpu();
        device.fail(call, ClStatus.CL_MEM_OBJECT_ALLOCATION_FAILURE);
        try (Engine engine = engine(DEVICE);
                Model model = engine.load(GRAPH);
                Session session = model.session()) {
            check(session);
            assertThat(session.recoveries()).hasSize(2);
            assertThat(session.recoveries().get(0))
                    .startsWith("does without kernels that need workspace, because " + call);
            assertThat(session.recoveries().get(1))
                    .startsWith("goes on with the CPU alone, because " + call)
                    .contains("CL_MEM_OBJECT_ALLOCATION_FAILURE");
            assertEverythingOnTheCpu(session);
        }
    }

    @Test
    void memoryThatAnotherProgramHasTakenIsDoneWithout() {
        device.isGpu();
        device.has(1L << 30);
        try (Engine engine = engine(DEVICE);
                Model model = engine.load(GRAPH);
                Session session = model.session();
                Session second = model.session()) {
            check(session);
            device.takes((1L << 30) - device.used());
            check(session);
            assertThat(session.recoveries()).as("it has its memory").isEmpty();
            check(second);
            assertThat(second.recoveries())
                    .last()
                    .asString()
                    .startsWith("goes on with the CPU alone, because clCreateBuffer failed")
                    .contains("CL_MEM_OBJECT_ALLOCATION_FAILURE");
        }
    }

    @Test
    void aProgramWithAssemblyThatTheDriverDoesNotTakeIsDoneWithout(@TempDir Path folder) throws IOException {
        UserOperatorTest.describe(folder);
        String packed = Files.readString(folder.resolve("scaled_sum.json"));
        int begin = packed.indexOf("{\"optype\": \"ScaledSum_packed\"");
        int end = packed.indexOf("{\"optype\": \"ScaledSum_elements\"");
        String variant = packed.substring(begin, end);
        Files.writeString(
                folder.resolve("scaled_sum.json"),
                packed.substring(0, begin)
                        + variant.replace("ScaledSum_packed", "ScaledSum_quick")
                                .replace("\"variant\": \"packed\"", "\"variant\": \"quick\"")
                                .replace("sum.cl", "quick.cl")
                        + packed.substring(begin));
        Files.writeString(
                folder.resolve("quick.cl"),
                Files.readString(folder.resolve("sum.cl"))
                        .replace("const int factor) {", "const int factor) {\n" + "    asm volatile(\"\");"));
        device.doesNotCompile("asm volatile");
        Tensor x = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3);
        try (Engine engine = engine(DEVICE.withOperators(List.of(folder)).withChain(false));
                Model model = engine.load(UserOperatorTest.scaledSum(DType.FLOAT32, "TWICE"));
                Session session = model.session()) {
            UserOperatorTest.check(session, x, 21, 42, 63, 24, 45, 66);
            assertThat(session.recoveries())
                    .singleElement()
                    .asString()
                    .startsWith("does without ScaledSum_quick, because clBuildProgram(quick.cl) failed")
                    .contains("CL_BUILD_PROGRAM_FAILURE");
            assertThat(session.placement().nodes().get(0).variant()).isEqualTo("packed");
            assertThat(reasons(session))
                    .anyMatch(reason -> reason.startsWith("quick: the device does not take it: clBuildProgram"));
        }
    }
}
