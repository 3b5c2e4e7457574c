package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.clinfer.errors.DeviceUnavailableException;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.ClException;
import org.clinfer.opencl.ClStatus;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.Tolerance;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An engine on several devices: which of them takes a run, and where runs go when one fails or is too small. */
@RequiresOpenCl
class SeveralDevicesTest {

    private static final EngineOptions BOTH =
            EngineOptions.defaults().withDevice(new DeviceChoice.Several(List.of(0, 1)));
    private static final Tensor X = TestGraphs.numbers(3, 6, 24);
    private static Tensor expected = Tensor.scalar(0f);

    private final CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
    private final SeveralDevicesClApi two = new SeveralDevicesClApi(2, counting.api());

    @BeforeAll
    static void computeOnTheCpu() {
        expected = TestGraphs.productsOf(X);
    }

    private Engine engine(EngineOptions options) {
        return Engine.open(options, () -> OpenCl.over(two.api()));
    }

    @AfterEach
    void nothingIsLeft() {
        counting.assertAllReleased();
    }

    private static void check(Session session) {
        try (Result actual = session.run(Map.of("x", X))) {
            assertThat(TensorComparison.difference(expected, actual.get("y"), Tolerance.DEFAULT))
                    .isEmpty();
        }
    }

    @Test
    void aRunGoesToTheDeviceWithTheFewestRuns() throws Exception {
        try (Engine engine = engine(BOTH);
                Model model = engine.load(TestGraphs.products());
                Session one = model.session();
                Session other = model.session()) {
            assertThat(engine.devices()).hasSize(2);
            check(one);
            check(other);
            assertThat(two.device(1).launches()).as("runs one after the other").isZero();
            int before = two.device(0).launches();
            two.device(0).hold();
            CompletableFuture<Void> running = inThread(() -> check(one));
            two.device(0).awaitHeld();
            check(other);
            assertThat(two.device(1).launches()).isPositive();
            assertThat(two.device(0).launches()).isEqualTo(before);
            two.device(0).release();
            running.get(30, TimeUnit.SECONDS);
            assertThat(one.plansMade()).isEqualTo(1);
            assertThat(other.plansMade()).as("one on each device").isEqualTo(2);
            Placements.assertEverything(Placement.Target.DEVICE, one);
            Placements.assertEverything(Placement.Target.DEVICE, other);
            int onSecond = two.device(1).launches();
            check(other);
            assertThat(two.device(1).launches()).as("it stays where it was").isGreaterThan(onSecond);
        }
    }

    /** In a thread of its own: the common pool of a small machine has one. */
    private static CompletableFuture<Void> inThread(Runnable work) {
        return CompletableFuture.runAsync(work, task -> new Thread(task).start());
    }

    @Test
    void manySessionsAtOnceAreRightOnBothDevices() throws Exception {
        try (Engine engine = engine(BOTH);
                Model model = engine.load(TestGraphs.products())) {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                all.add(inThread(() -> {
                    try (Session session = model.session()) {
                        for (int run = 0; run < 50; run++) {
                            check(session);
                        }
                    }
                }));
            }
            for (CompletableFuture<Void> each : all) {
                each.get(60, TimeUnit.SECONDS);
            }
        }
        assertThat(two.device(0).launches()).isPositive();
        assertThat(two.device(1).launches()).isPositive();
    }

    @Test
    void whatALostDeviceHadBegunGoesOnOnTheOtherAndThenOnTheCpu() {
        try (Engine engine = engine(BOTH);
                Model model = engine.load(TestGraphs.products());
                Session session = model.session();
                Session later = model.session()) {
            check(session);
            two.device(0).lose();
            check(session);
            assertThat(session.recoveries())
                    .singleElement()
                    .asString()
                    .startsWith("goes on with another device than device 0 (")
                    .contains("CL_DEVICE_NOT_AVAILABLE");
            Placements.assertEverything(Placement.Target.DEVICE, session);
            check(later);
            assertThat(later.recoveries()).as("it is known by then").isEmpty();
            two.device(1).lose();
            check(session);
            assertThat(session.recoveries()).hasSize(2).last().asString().startsWith("goes on with the CPU alone");
            Placements.assertEverything(Placement.Target.CPU, session);
            check(session);
            assertThat(session.recoveries()).hasSize(2);
        }
    }

    @Test
    void aContextThatFailedOnceIsRenewedOnItsDevice() {
        try (Engine engine = engine(BOTH);
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            check(session);
            counting.fail("clFinish", 1, ClStatus.CL_DEVICE_NOT_AVAILABLE);
            check(session);
            assertThat(session.recoveries()).singleElement().asString().startsWith("opened a new context");
            assertThat(two.device(1).launches()).isZero();
        }
    }

    @Test
    void aDeviceThatOthersHaveTakenTheMemoryOfIsLeft() {
        try (Engine engine = engine(BOTH);
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            two.device(0).fail("clCreateBuffer", ClStatus.CL_MEM_OBJECT_ALLOCATION_FAILURE);
            check(session);
            assertThat(session.recoveries())
                    .hasSize(2)
                    .last()
                    .asString()
                    .startsWith("goes on with another device than device 0 (")
                    .contains("CL_MEM_OBJECT_ALLOCATION_FAILURE");
            Placements.assertEverything(Placement.Target.DEVICE, session);
        }
    }

    @Test
    void aDeviceThatIsTooSmallIsPassedOverForAPlan() {
        two.device(0).has(2_000);
        Graph small = TestGraphs.rectifier(5);
        Tensor x = TestGraphs.numbers(1, 2, 5);
        try (Engine engine = engine(BOTH);
                Model model = engine.load(TestGraphs.products());
                Model other = engine.load(small);
                Session session = model.session();
                Session fitting = other.session()) {
            assertThat(session.placement(Map.of("x", X.type())).count(Placement.Target.CPU))
                    .isZero();
            check(session);
            assertThat(session.recoveries()).isEmpty();
            Placements.assertEverything(Placement.Target.DEVICE, session);
            assertThat(two.device(0).launches()).isZero();
            try (Result result = fitting.run(Map.of("x", x))) {
                assertThat(result.get("y").toFloatArray()).isEqualTo(TestGraphs.rectified(x.toFloatArray()));
            }
            assertThat(two.device(0).launches()).as("what fits runs there").isPositive();
        }
    }

    @Test
    void whereAllAreTooSmallTheCpuTakesItAndTheReasonIsTold() {
        two.device(0).has(2_000);
        two.device(1).has(2_000);
        try (Engine engine = engine(BOTH);
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            check(session);
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
    void allAreThoseThatCanBeOpened() {
        two.device(1).fail("clCreateContext", ClStatus.CL_OUT_OF_HOST_MEMORY);
        try (Engine engine = engine(BOTH.withDevice(new DeviceChoice.All()));
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            assertThat(engine.devices()).hasSize(1);
            assertThat(engine.deviceNote()).contains("; a device is left out: clCreateContext failed");
            check(session);
        }
        assertThatThrownBy(() -> engine(BOTH)).isInstanceOf(ClException.class).hasMessageContaining("clCreateContext");
        two.device(0).fail("clCreateContext", ClStatus.CL_OUT_OF_HOST_MEMORY);
        assertThatThrownBy(() -> engine(BOTH.withDevice(new DeviceChoice.All())))
                .isInstanceOf(ClException.class)
                .hasMessageContaining("clCreateContext");
    }

    @Test
    void closingWaitsForTheRunsOnAllDevices() throws Exception {
        List<CompletableFuture<Void>> running = new ArrayList<>();
        try (Engine engine = engine(BOTH);
                Model model = engine.load(TestGraphs.products())) {
            for (int number = 0; number < 2; number++) {
                Session session = model.session();
                two.device(number).hold();
                running.add(inThread(() -> check(session)));
                two.device(number).awaitHeld();
            }
            for (int number = 0; number < 2; number++) {
                SeveralDevicesClApi.Shown device = two.device(number);
                CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS).execute(device::release);
            }
        }
        for (CompletableFuture<Void> run : running) {
            assertThat(run).succeedsWithin(Duration.ofSeconds(30));
        }
        counting.assertAllReleased();
    }

    @Test
    void aNumberThatNoDeviceHasIsRefused() {
        assertThatThrownBy(() -> engine(BOTH.withDevice(new DeviceChoice.Several(List.of(0, 2)))))
                .isInstanceOf(DeviceUnavailableException.class)
                .hasMessage("there is no OpenCL device 2; there are 2, counted from 0");
    }
}
