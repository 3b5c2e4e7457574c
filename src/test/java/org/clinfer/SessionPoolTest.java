package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.clinfer.errors.InputException;
import org.clinfer.errors.RefusedException;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.tensor.Tensor;
import org.clinfer.trace.TraceEvent;
import org.clinfer.trace.TraceSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Pools of sessions: results, refusals, deadlines, cancellation and the end, on the device and on the CPU. */
@Timeout(60)
@RequiresOpenCl
class SessionPoolTest {

    private static final EngineOptions CPU =
            EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()).withThreads(2);
    private static final EngineOptions DEVICE = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());
    private static final Tensor X = TestGraphs.numbers(1, 1, 5);
    private static final Map<String, Tensor> INPUT = Map.of("x", X);

    static Stream<EngineOptions> engines() {
        return Stream.of(CPU, DEVICE);
    }

    private static void check(Result result, Tensor x) {
        try (result) {
            assertThat(result.get("y").shape()).isEqualTo(x.shape());
            assertThat(result.get("y").toFloatArray()).isEqualTo(TestGraphs.rectified(x.toFloatArray()));
        }
    }

    private static void assertRefused(RefusedException.Reason cause, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(cause));
    }

    /** The result of a future that fails, as {@link SessionPool#run} throws it. */
    private static Result result(CompletableFuture<Result> future) throws Throwable {
        try {
            return future.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    /** A pool with one run in flight, which waits at a gate. */
    private static final class Gated implements AutoCloseable {

        private final LaunchGate gate = new LaunchGate();
        private final Engine engine;
        private final SessionPool pool;
        private final CompletableFuture<Result> first;

        Gated(EngineOptions engineOptions, PoolOptions options) throws InterruptedException {
            engine = Engine.open(engineOptions, () -> OpenCl.over(gate.api()));
            pool = engine.load(TestGraphs.rectifier(5)).pool(options.withRuns(1));
            first = pool.submit(INPUT);
            gate.await();
        }

        Gated(PoolOptions options) throws InterruptedException {
            this(DEVICE, options);
        }

        @Override
        public void close() {
            gate.open();
            engine.close();
            gate.counting().assertAllReleased();
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void everyRequestGetsItsOwnResult(EngineOptions options) throws Throwable {
        try (Engine engine = Engine.open(options);
                Model model = engine.load(TestGraphs.rectifier(5));
                SessionPool pool = model.pool(PoolOptions.defaults())) {
            assertThat(pool.runs()).isEqualTo(2);
            List<Tensor> inputs = new ArrayList<>();
            List<CompletableFuture<Result>> results = new ArrayList<>();
            for (int seed = 0; seed < 100; seed++) {
                inputs.add(TestGraphs.numbers(seed, 1 + seed % 3, 5));
                results.add(pool.submit(Map.of("x", inputs.get(seed))));
            }
            for (int seed = 0; seed < 100; seed++) {
                check(result(results.get(seed)), inputs.get(seed));
            }
            check(pool.run(INPUT), X);
            check(pool.run(INPUT, Duration.ofSeconds(30)), X);
            PoolStatistics counts = pool.statistics();
            assertThat(counts.done()).isEqualTo(102);
            assertThat(counts.runs()).isEqualTo(102);
            assertThat(counts.waiting() + counts.running()).isZero();
            assertThat(counts.failed() + counts.refused() + counts.late() + counts.cancelled() + counts.batches())
                    .isZero();
            assertThat(counts.meanBatch()).isEqualTo(1);
            assertThat(counts.meanRun()).isPositive();
            assertThat(counts.meanWait()).isPositive();
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void aRequestFailsByItself(EngineOptions options) throws Throwable {
        try (Engine engine = Engine.open(options);
                Model model = engine.load(TestGraphs.rectifier(5));
                SessionPool pool = model.pool(PoolOptions.defaults())) {
            CompletableFuture<Result> wrong = pool.submit(Map.of("z", X));
            CompletableFuture<Result> right = pool.submit(INPUT);
            assertThatThrownBy(() -> result(wrong)).isInstanceOf(InputException.class);
            check(result(right), X);
            assertThatThrownBy(() -> pool.run(Map.of())).isInstanceOf(InputException.class);
            assertThatThrownBy(() -> pool.submit(INPUT, Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
            assertThat(pool.statistics().failed()).isEqualTo(2);
            assertThat(pool.statistics().runs()).isEqualTo(1);
        }
    }

    @Test
    void whereASessionCannotBeMadeThoseBeforeAreClosed() {
        List<Session> made = new ArrayList<>();
        try (Engine engine = Engine.open(CPU);
                Model model = engine.load(TestGraphs.rectifier(5))) {
            Supplier<Session> sessions = () -> {
                if (made.size() == 2) {
                    throw new IllegalStateException("no more");
                }
                made.add(model.session());
                return made.get(made.size() - 1);
            };
            PoolOptions three = PoolOptions.defaults().withRuns(3);
            assertThatThrownBy(() -> new SessionPool(model, sessions, three, pool -> {}))
                    .hasMessage("no more");
            for (Session session : made) {
                assertThatThrownBy(() -> session.run(INPUT))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("the session is closed");
            }
        }
    }

    @Test
    void beyondTheQueueRequestsAreRefusedAtOnce() throws Throwable {
        try (Gated gated = new Gated(PoolOptions.defaults().withQueue(1))) {
            CompletableFuture<Result> second = gated.pool.submit(INPUT);
            assertRefused(RefusedException.Reason.FULL, () -> gated.pool.submit(INPUT));
            assertRefused(RefusedException.Reason.FULL, () -> gated.pool.run(INPUT));
            assertThat(gated.pool.statistics().refused()).isEqualTo(2);
            assertThat(gated.pool.statistics().waiting()).isEqualTo(1);
            assertThat(gated.pool.statistics().running()).isEqualTo(1);
            gated.gate.open();
            check(result(gated.first), X);
            check(result(second), X);
        }
    }

    @Test
    void deadlinesThatDoNotPassCostNoThreads() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        try (Engine engine = Engine.open(CPU);
                Model model = engine.load(TestGraphs.rectifier(5));
                SessionPool pool = model.pool(PoolOptions.defaults())) {
            check(pool.run(INPUT, Duration.ofSeconds(30)), X);
            long before = threads.getTotalStartedThreadCount();
            for (int i = 0; i < 200; i++) {
                check(pool.run(INPUT, Duration.ofSeconds(30)), X);
            }
            assertThat(threads.getTotalStartedThreadCount() - before).isLessThan(100);
        }
    }

    @Test
    void callersWaitForAPlaceIfTheyAreToDoSo() throws Throwable {
        PoolOptions options = PoolOptions.defaults().withQueue(1).withWhenFull(PoolOptions.WhenFull.WAIT);
        try (Gated gated = new Gated(options)) {
            CompletableFuture<Result> second = gated.pool.submit(INPUT);
            assertRefused(RefusedException.Reason.LATE, () -> result(gated.pool.submit(INPUT, Duration.ofMillis(20))));
            CompletableFuture<Result> third = CompletableFuture.supplyAsync(() -> gated.pool.run(INPUT));
            assertThatThrownBy(() -> third.get(50, TimeUnit.MILLISECONDS))
                    .isInstanceOf(java.util.concurrent.TimeoutException.class);
            gated.gate.open();
            check(result(second), X);
            check(result(third), X);
            assertThat(gated.pool.statistics().refused()).isZero();
            assertThat(gated.pool.statistics().late()).isEqualTo(1);
        }
    }

    @Test
    void whatIsLateOrCancelledLeavesTheQueueAndNeverBegins() throws Throwable {
        try (Gated gated = new Gated(PoolOptions.defaults().withQueue(1))) {
            CompletableFuture<Result> late = gated.pool.submit(INPUT, Duration.ofMillis(20));
            assertRefused(RefusedException.Reason.LATE, () -> result(late));
            CompletableFuture<Result> cancelled = gated.pool.submit(INPUT);
            assertThat(cancelled.cancel(true)).isTrue();
            CompletableFuture<Result> last = gated.pool.submit(INPUT);
            gated.gate.open();
            check(result(last), X);
            PoolStatistics counts = gated.pool.statistics();
            assertThat(List.of(counts.done(), counts.late(), counts.cancelled(), counts.runs()))
                    .containsExactly(2L, 1L, 1L, 2L);
        }
    }

    @Test
    void aRunThatIsLateEndsBeforeItsNextStep() throws Throwable {
        try (Gated gated = new Gated(DEVICE.withChain(false).withFusion(false), PoolOptions.defaults())) {
            gated.first.cancel(true);
            gated.gate.open();
            check(gated.pool.run(INPUT), X);
            assertThat(gated.gate.counting().calls("clEnqueueNDRangeKernel"))
                    .as("one launch, and three of the next run")
                    .isEqualTo(4);
        }
    }

    @Test
    void anInterruptedCallerCancelsItsRequest() throws Throwable {
        try (Gated gated = new Gated(PoolOptions.defaults())) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> gated.pool.run(INPUT)).isInstanceOf(CancellationException.class);
            assertThat(Thread.interrupted()).isTrue();
            gated.gate.open();
            check(gated.pool.run(INPUT), X);
            assertThat(gated.pool.statistics().runs()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void closingWaitsForWhatWasSubmitted(EngineOptions options) throws Throwable {
        try (Engine engine = Engine.open(options)) {
            SessionPool pool = engine.load(TestGraphs.rectifier(5)).pool(PoolOptions.defaults());
            List<CompletableFuture<Result>> results =
                    Stream.generate(() -> pool.submit(INPUT)).limit(50).toList();
            pool.close();
            for (CompletableFuture<Result> result : results) {
                assertThat(result).isDone();
                check(result(result), X);
            }
            assertThatThrownBy(() -> pool.submit(INPUT))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the pool is closed");
            pool.close();
        }
    }

    @Test
    void closingFailsWhatHasNoResultInTime() throws Throwable {
        PoolOptions options = PoolOptions.defaults()
                .withQueue(1)
                .withWhenFull(PoolOptions.WhenFull.WAIT)
                .withClosing(Duration.ofMillis(50));
        try (Gated gated = new Gated(options)) {
            CompletableFuture<Result> second = gated.pool.submit(INPUT);
            CompletableFuture<Result> third = CompletableFuture.supplyAsync(() -> gated.pool.run(INPUT));
            assertThatThrownBy(() -> third.get(50, TimeUnit.MILLISECONDS))
                    .isInstanceOf(java.util.concurrent.TimeoutException.class);
            gated.pool.close();
            assertRefused(RefusedException.Reason.CLOSED, () -> result(gated.first));
            assertRefused(RefusedException.Reason.CLOSED, () -> result(second));
            assertThatThrownBy(() -> result(third))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the pool is closed");
        }
    }

    @Test
    void closingTheEngineClosesThePool() throws Throwable {
        Gated gated = new Gated(PoolOptions.defaults().withClosing(Duration.ofMillis(50)));
        CompletableFuture<Void> close = CompletableFuture.runAsync(gated.engine::close);
        assertRefused(RefusedException.Reason.CLOSED, () -> result(gated.first));
        gated.gate.open();
        close.get();
        gated.close();
    }

    @Test
    void aPoolCanBeClosedByAStageOfItsOwn() throws Throwable {
        try (Gated gated = new Gated(PoolOptions.defaults())) {
            CompletableFuture<Void> closed = gated.first.thenAccept(result -> {
                check(result, X);
                gated.pool.close();
            });
            gated.gate.open();
            closed.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void anInterruptThatAStageLeavesEndsNoThread() throws Throwable {
        try (Gated gated = new Gated(PoolOptions.defaults())) {
            CompletableFuture<Void> interrupted = gated.first.thenAccept(result -> {
                check(result, X);
                Thread.currentThread().interrupt();
            });
            gated.gate.open();
            interrupted.get(20, TimeUnit.SECONDS);
            check(gated.pool.run(INPUT, Duration.ofSeconds(20)), X);
        }
    }

    @Test
    void optionsAreChecked() {
        PoolOptions usual = PoolOptions.defaults();
        List<ThrowingCallable> wrong = List.of(
                () -> usual.withRuns(0),
                () -> usual.withQueue(0),
                () -> usual.withBatches(0, Duration.ZERO),
                () -> usual.withBatches(2, Duration.ofMillis(-1)),
                () -> usual.withClosing(Duration.ofMillis(-1)));
        wrong.forEach(call -> assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class));
    }

    @ParameterizedTest
    @MethodSource("engines")
    void allRunsShareOnePlanAndItsKernels(EngineOptions options) {
        TraceEvents events = new TraceEvents(TraceSink.Detail.NONE);
        try (Engine engine = Engine.open(options.withTrace(events));
                Model model = engine.load(TestGraphs.rectifier(5));
                Session session = model.session()) {
            check(session.run(INPUT), X);
            int builds = events.of(TraceEvent.Build.class).size();
            try (SessionPool pool = model.pool(PoolOptions.defaults().withRuns(3))) {
                List<CompletableFuture<Result>> all =
                        Stream.generate(() -> pool.submit(INPUT)).limit(12).toList();
                all.forEach(future -> check(future.join(), X));
            }
            assertThat(events.of(TraceEvent.Plan.class)).hasSize(1);
            assertThat(events.of(TraceEvent.Build.class)).hasSize(builds);
        }
    }
}
