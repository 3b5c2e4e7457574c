package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.clinfer.errors.InputException;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs that nobody waits for in place: their results and failures, cancelled ones, late ones, and the end of the session. */
@Timeout(60)
class AsyncRunTest {

    private static final EngineOptions CPU =
            EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()).withThreads(2);
    private static final EngineOptions DEVICE = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());

    private static CompletableFuture<Result> start(Session session, Tensor x) {
        return session.runAsync(Map.of("x", x));
    }

    private static void check(Result result, Tensor x) {
        try (result) {
            assertThat(result.get("y").toFloatArray()).isEqualTo(TestGraphs.rectified(x.toFloatArray()));
        }
    }

    @Test
    void everyRunGivesItsOwnResultInOrder() throws Exception {
        try (Engine engine = Engine.open(CPU);
                Model model = engine.load(TestGraphs.rectifier(5));
                Session session = model.session()) {
            AtomicInteger done = new AtomicInteger();
            List<CompletableFuture<Integer>> checked = new ArrayList<>();
            for (int seed = 0; seed < 50; seed++) {
                Tensor x = TestGraphs.numbers(seed, 1 + seed % 3, 5);
                checked.add(start(session, x).thenApply(result -> {
                    check(result, x);
                    return done.getAndIncrement();
                }));
            }
            for (int seed = 0; seed < 50; seed++) {
                assertThat(checked.get(seed).get()).isEqualTo(seed);
            }
        }
    }

    @Test
    void whatARunThrowsIsInTheFuture() {
        try (Engine engine = Engine.open(CPU);
                Model model = engine.load(TestGraphs.rectifier(5));
                Session session = model.session()) {
            assertThatThrownBy(() -> session.runAsync(Map.of()).get())
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(InputException.class);
            Duration never = Duration.ofSeconds(Long.MAX_VALUE);
            assertThatThrownBy(() -> session.runAsync(Map.of(), never).get())
                    .as("a deadline that no clock reaches")
                    .hasCauseInstanceOf(InputException.class);
            assertThatThrownBy(() -> session.runAsync(Map.of(), Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    @RequiresOpenCl
    void whatIsCancelledBeforeItBeginsNeverDoes() throws Exception {
        LaunchGate gate = new LaunchGate();
        try (Engine engine = Engine.open(DEVICE, () -> OpenCl.over(gate.api()));
                Model model = engine.load(TestGraphs.rectifier(5));
                Session session = model.session()) {
            Tensor x = TestGraphs.numbers(1, 1, 5);
            CompletableFuture<Result> first = start(session, x);
            gate.await();
            CompletableFuture<Result> second = start(session, x);
            CompletableFuture<Result> third = start(session, x);
            assertThat(second.cancel(true)).isTrue();
            gate.open();
            check(first.get(), x);
            check(third.get(), x);
            int ofTwo = gate.counting().calls("clEnqueueNDRangeKernel");
            check(start(session, x).get(), x);
            int ofThree = gate.counting().calls("clEnqueueNDRangeKernel");
            assertThat(ofTwo).isEqualTo(2 * (ofThree - ofTwo));
            assertThatThrownBy(second::get).isInstanceOf(CancellationException.class);
        }
        gate.counting().assertAllReleased();
    }

    @Test
    @RequiresOpenCl
    void whatIsCancelledWhileItRunsEndsBeforeItsNextStep() throws Exception {
        LaunchGate gate = new LaunchGate();
        EngineOptions oneByOne = DEVICE.withChain(false).withFusion(false);
        try (Engine engine = Engine.open(oneByOne, () -> OpenCl.over(gate.api()));
                Model model = engine.load(TestGraphs.rectifier(5));
                Session session = model.session()) {
            Tensor x = TestGraphs.numbers(1, 1, 5);
            CompletableFuture<Result> first = start(session, x);
            gate.await();
            first.cancel(true);
            gate.open();
            check(start(session, x).get(), x);
            assertThat(gate.counting().calls("clEnqueueNDRangeKernel"))
                    .as("one launch, and three of the next run")
                    .isEqualTo(4);
            assertThat(session.recoveries()).isEmpty();
        }
        gate.counting().assertAllReleased();
    }

    @Test
    @RequiresOpenCl
    void atTheDeadlineTheFutureFailsAndTheSessionGoesOn() throws Exception {
        LaunchGate gate = new LaunchGate();
        try (Engine engine = Engine.open(DEVICE, () -> OpenCl.over(gate.api()));
                Model model = engine.load(TestGraphs.rectifier(5));
                Session session = model.session()) {
            Tensor x = TestGraphs.numbers(1, 1, 5);
            CompletableFuture<Result> late = session.runAsync(Map.of("x", x), Duration.ofMillis(50));
            assertThatThrownBy(late::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(TimeoutException.class);
            gate.open();
            check(session.runAsync(Map.of("x", x), Duration.ofSeconds(30)).get(), x);
        }
        gate.counting().assertAllReleased();
    }

    @Test
    @RequiresOpenCl
    void closingFailsWhatHasNotBegun() throws Exception {
        LaunchGate gate = new LaunchGate();
        Engine engine = Engine.open(DEVICE, () -> OpenCl.over(gate.api()));
        Session session = engine.load(TestGraphs.rectifier(5)).session();
        Tensor x = TestGraphs.numbers(1, 1, 5);
        CompletableFuture<Result> first = start(session, x);
        gate.await();
        List<CompletableFuture<Result>> waiting = new ArrayList<>(List.of(start(session, x)));
        CompletableFuture<Void> close = CompletableFuture.runAsync(engine::close);
        assertThatThrownBy(() -> {
                    while (true) {
                        waiting.add(start(session, x));
                        Thread.sleep(1);
                    }
                })
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the session is closed");
        gate.open();
        close.get();
        check(first.get(), x);
        for (CompletableFuture<Result> second : waiting) {
            assertThatThrownBy(second::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(IllegalStateException.class);
        }
        gate.counting().assertAllReleased();
    }
}
