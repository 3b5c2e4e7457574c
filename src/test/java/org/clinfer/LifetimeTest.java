package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.options.ClBinding;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Engines, models and sessions closed in every order, also while a session runs. */
@Timeout(60)
class LifetimeTest {

    private static final EngineOptions CPU =
            EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()).withThreads(2);
    private static final EngineOptions DEVICE = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());
    private static final Path DEMO = Path.of("src/main/resources/org/clinfer/demo/shapes.onnx");

    private static void check(Session session) {
        Tensor x = TestGraphs.numbers(1, 3, 5);
        try (Result result = session.run(Map.of("x", x))) {
            assertThat(result.get("y").toFloatArray()).isEqualTo(TestGraphs.rectified(x.toFloatArray()));
        }
    }

    private static void closesOutsideIn(Engine engine) {
        Model model = engine.load(TestGraphs.rectifier(5));
        Model other = engine.load(TestGraphs.rectifier(5));
        Session session = model.session();
        Session second = other.session();
        check(session);
        check(second);
        model.close();
        check(second);
        assertThatThrownBy(() -> check(session)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(model::session)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the model is closed");
        assertThatThrownBy(() -> model.check(Map.of())).isInstanceOf(IllegalStateException.class);
        engine.close();
        assertThatThrownBy(() -> check(second))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the session is closed");
        assertThatThrownBy(other::session).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> engine.load(DEMO))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the engine is closed");
        second.close();
        session.close();
        other.close();
        model.close();
        engine.close();
    }

    @Test
    void closingTheWholeClosesItsPartsOnTheCpu() {
        closesOutsideIn(Engine.open(CPU));
    }

    @Test
    @RequiresOpenCl
    void closingTheWholeClosesItsPartsOnTheDevice() {
        CountingClApi counting = CountingClApi.over(ClBinding.LWJGL);
        closesOutsideIn(Engine.open(DEVICE, () -> OpenCl.over(counting.api())));
        counting.assertAllReleased();
    }

    @Test
    void theConstantsOfAGivenGraphStayTheCallers() {
        Graph graph = TestGraphs.rectifier(5);
        try (Engine engine = Engine.open(CPU)) {
            for (int round = 0; round < 2; round++) {
                try (Model model = engine.load(graph);
                        Session session = model.session()) {
                    check(session);
                }
            }
            Model loaded = engine.load(DEMO);
            Tensor weight = loaded.graph().constants().values().iterator().next();
            loaded.close();
            assertThatThrownBy(weight::bytes).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    @RequiresOpenCl
    void closeWaitsForARun() throws Exception {
        LaunchGate gate = new LaunchGate();
        Engine engine = Engine.open(DEVICE, () -> OpenCl.over(gate.api()));
        Session session = engine.load(TestGraphs.rectifier(5)).session();
        CompletableFuture<Void> run = CompletableFuture.runAsync(() -> check(session));
        gate.await();
        CompletableFuture<Void> close = CompletableFuture.runAsync(engine::close);
        assertThatThrownBy(() -> close.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        gate.open();
        close.get();
        run.get();
        gate.counting().assertAllReleased();
    }

    @Test
    @RequiresOpenCl
    void aRunThatOutlastsCloseReleasesEverythingItself() throws Exception {
        LaunchGate gate = new LaunchGate();
        Engine engine = Engine.open(DEVICE, () -> OpenCl.over(gate.api()));
        Session session = engine.load(TestGraphs.rectifier(5)).session();
        CompletableFuture<Void> run = CompletableFuture.runAsync(() -> check(session));
        gate.await();
        Thread.currentThread().interrupt();
        engine.close();
        assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
        assertThat(gate.counting().live()).isNotEmpty();
        gate.open();
        run.get();
        gate.counting().assertAllReleased();
    }

    @Test
    void closeAmidManyRunsOnTheCpu() throws Exception {
        for (int round = 0; round < 20; round++) {
            Engine engine = Engine.open(CPU);
            Session session = engine.load(TestGraphs.rectifier(512)).session();
            Tensor x = Tensor.allocate(DType.FLOAT32, 256, 512);
            CountDownLatch started = new CountDownLatch(1);
            CompletableFuture<Void> runs = CompletableFuture.runAsync(() -> {
                while (true) {
                    session.run(Map.of("x", x)).close();
                    started.countDown();
                }
            });
            started.await();
            engine.close();
            assertThatThrownBy(runs::get)
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the session is closed");
        }
    }
}
