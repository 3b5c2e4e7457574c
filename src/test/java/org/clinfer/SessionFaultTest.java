package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.clinfer.errors.DeviceUnavailableException;
import org.clinfer.opencl.ClApi;
import org.clinfer.opencl.ClException;
import org.clinfer.opencl.ClStatus;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.TensorType;
import org.clinfer.tensor.Tolerance;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole runs of a small network with one OpenCL call after the other failing: right results whatever fails once an
 * engine is open, and nothing left over.
 */
@RequiresOpenCl
class SessionFaultTest {

    private static final Path MODEL = Path.of("src/main/resources/org/clinfer/demo/shapes.onnx");
    private static final TensorType IMAGE = TensorType.of(DType.FLOAT32, 1, 3, 192, 192);
    private static final Tensor X = TestGraphs.numbers(3, 6, 24);
    private static Tensor expected = Tensor.scalar(0f);

    private static final EngineOptions DEVICE = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());

    static Stream<String> calls() {
        return Arrays.stream(ClApi.class.getMethods())
                .map(method -> method.getName())
                .distinct()
                .sorted();
    }

    static Stream<Arguments> faults() {
        return calls().flatMap(call -> Stream.of(
                        ClStatus.CL_OUT_OF_RESOURCES,
                        ClStatus.CL_MEM_OBJECT_ALLOCATION_FAILURE,
                        ClStatus.CL_DEVICE_NOT_AVAILABLE)
                .map(status -> Arguments.of(call, status)));
    }

    @BeforeAll
    static void computeOnTheCpu() {
        expected = TestGraphs.productsOf(X);
    }

    @ParameterizedTest
    @MethodSource("calls")
    void openingFailsOrTheSessionWorks(String call) {
        CountingClApi sound = CountingClApi.over(ClBinding.LWJGL);
        Engine.open(DEVICE, () -> OpenCl.over(sound.api())).close();
        for (int nth = 1; nth <= sound.calls(call); nth++) {
            CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
            counting.fail(call, nth, ClStatus.CL_OUT_OF_RESOURCES);
            try (Engine engine = Engine.open(DEVICE, () -> OpenCl.over(counting.api()))) {
                runTwice(engine);
            } catch (DeviceUnavailableException e) {
                assertThat(e).hasMessageContaining("OpenCL");
            } catch (ClException e) {
                assertThat(e).hasMessageContaining("CL_OUT_OF_RESOURCES");
            }
            counting.assertAllReleased();
        }
    }

    @ParameterizedTest
    @MethodSource("faults")
    void onceOpenRunsSurviveAnyCallThatFails(String call, ClStatus status) {
        CountingClApi sound = CountingClApi.over(ClBinding.LWJGL);
        int opening;
        int during;
        try (Engine engine = Engine.open(DEVICE, () -> OpenCl.over(sound.api()))) {
            opening = sound.calls(call);
            runTwice(engine);
            during = sound.calls(call) - opening;
        }
        int inAll = sound.calls(call) - opening;
        IntStream wanted =
                status == ClStatus.CL_OUT_OF_RESOURCES ? IntStream.of(1, during / 2, during + 1) : IntStream.of(1);
        int[] places = wanted.filter(nth -> nth >= 1 && nth <= inAll).distinct().toArray();
        for (int nth : places) {
            CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
            try (Engine engine = Engine.open(DEVICE, () -> OpenCl.over(counting.api()))) {
                counting.fail(call, nth, status);
                runTwice(engine);
            }
            counting.assertAllReleased();
        }
    }

    @ParameterizedTest
    @MethodSource("faults")
    void onceOpenRunsSurviveACallThatFailsForGood(String call, ClStatus status) {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        try (Engine engine = Engine.open(DEVICE, () -> OpenCl.over(counting.api()))) {
            counting.failFrom(call, 1, status);
            runTwice(engine);
            runTwice(engine);
        }
    }

    private static void runTwice(Engine engine) {
        try (Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            for (int run = 0; run < 2; run++) {
                runOnce(session);
            }
        }
    }

    private static void runOnce(Session session) {
        try (Result result = session.run(Map.of("x", X))) {
            assertThat(TensorComparison.difference(expected, result.get("y"), Tolerance.DEFAULT))
                    .isEmpty();
        }
    }

    @Test
    void aVariantThatDoesNotBuildIsReplacedAndTheReasonTold() {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        counting.fail("clBuildProgram", 1, ClStatus.CL_BUILD_PROGRAM_FAILURE);
        // The program of a chain is built in a thread of its own, and may come first.
        EngineOptions alone = DEVICE.withChain(false);
        try (Engine engine = Engine.open(alone, () -> OpenCl.over(counting.api()));
                Model model = engine.load(TestGraphs.products());
                Session session = model.session()) {
            runOnce(session);
            assertThat(session.placement().nodes())
                    .anySatisfy(node -> assertThat(node.reasons())
                            .anySatisfy(reason ->
                                    assertThat(reason).contains("the device does not take it: clBuildProgram")));
        }
        counting.assertAllReleased();
    }

    @Test
    void keptPlansMakeRoomWhenDeviceMemoryIsShort() {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        try (Engine engine = Engine.open(DEVICE.withChain(false), () -> OpenCl.over(counting.api()));
                Model model = engine.load(TestGraphs.rectifier(5));
                Session session = model.session()) {
            int before = 0;
            for (long batch : new long[] {5, 3, 5, 4}) {
                if (batch == 4) {
                    before = counting.calls("clReleaseCommandQueue");
                    counting.fail("clCreateBuffer", 1, ClStatus.CL_MEM_OBJECT_ALLOCATION_FAILURE);
                }
                Tensor x = TestGraphs.numbers(batch, batch, 5);
                try (Result result = session.run(Map.of("x", x))) {
                    assertThat(result.get("y").toFloatArray()).isEqualTo(TestGraphs.rectified(x.toFloatArray()));
                }
            }
            int releases = counting.calls("clReleaseCommandQueue") - before;
            assertThat(releases).as("spaces given back").isEqualTo(1);
        }
        counting.assertAllReleased();
    }

    @Test
    void sessionsThatMeetTheSameBuildFailureBothGoOn() throws Exception {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        Tensor image = Tensor.allocate(IMAGE);
        AtomicInteger builds = new AtomicInteger();
        AtomicReference<Thread> second = new AtomicReference<>();
        ClApi api = intercepting(counting.api(), "clBuildProgram", () -> {
            int build = builds.incrementAndGet();
            if (build == 1) {
                waitUntilBlocked(second);
            }
            return build <= 2;
        });
        try (Engine engine = Engine.open(DEVICE, () -> OpenCl.over(api));
                Model model = engine.load(MODEL);
                Session one = model.session();
                Session two = model.session()) {
            CompletableFuture<Void> first = CompletableFuture.runAsync(() -> one.run(Map.of("image", image)));
            Thread thread = new Thread(() -> two.run(Map.of("image", image)));
            AtomicReference<Throwable> failure = new AtomicReference<>();
            thread.setUncaughtExceptionHandler((where, thrown) -> failure.set(thrown));
            while (builds.get() == 0 && !first.isDone()) {
                Thread.sleep(1);
            }
            second.set(thread);
            thread.start();
            thread.join();
            first.get();
            assertThat(failure.get()).isNull();
        }
        counting.assertAllReleased();
    }

    /** Until the thread waits for a build that another one is at. */
    private static void waitUntilBlocked(AtomicReference<Thread> thread) throws InterruptedException {
        for (int millis = 0; millis < 20_000; millis++) {
            Thread candidate = thread.get();
            if (candidate != null
                    && candidate.getState() == Thread.State.WAITING
                    && Arrays.stream(candidate.getStackTrace())
                            .anyMatch(frame -> frame.getMethodName().equals("join"))) {
                return;
            }
            Thread.sleep(1);
        }
        throw new AssertionError("the second session never came to the build");
    }

    /** Whether a call fails. */
    private interface Fails {
        boolean now() throws InterruptedException;
    }

    private static ClApi intercepting(ClApi real, String call, Fails fails) {
        return (ClApi) Proxy.newProxyInstance(
                ClApi.class.getClassLoader(), new Class<?>[] {ClApi.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals(call) && fails.now()) {
                        return ClStatus.CL_BUILD_PROGRAM_FAILURE.code();
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
