package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.clinfer.errors.MemoryLimitException;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an engine may hold in all. */
@Timeout(60)
@RequiresOpenCl
class MemoryLimitTest {

    private static final int WIDTH = 64;
    private static final int ROWS = 512;

    private static final Tensor X = TestGraphs.numbers(3, ROWS, WIDTH);
    private static final Map<String, Tensor> INPUT = Map.of("x", X);

    static Stream<EngineOptions> engines() {
        EngineOptions usual = EngineOptions.defaults().withTrust(true).withThreads(2);
        return Stream.of(usual.withDevice(new DeviceChoice.Cpu()), usual.withDevice(new DeviceChoice.FirstOpenCl()));
    }

    /** {@code x[rows, 64] → y[rows, 64]}: two products, so that there is a value between them. */
    private static Graph graph() {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", new TensorType(DType.FLOAT32, new Shape(List.of(Dim.named("rows"), Dim.of(WIDTH)))));
        Edge product = ops.matMul(x, ops.constant("v", TestGraphs.numbers(1, WIDTH, WIDTH)));
        Edge middle = ops.softmax(product).axis(1).y();
        return ops.output("y", ops.matMul(middle, ops.constant("w", TestGraphs.numbers(2, WIDTH, WIDTH))))
                .build();
    }

    private record Held(long model, long one, long two, List<Float> y) {}

    private static List<Float> values(Result result) {
        List<Float> values = new ArrayList<>();
        for (float value : result.get("y").toFloatArray()) {
            values.add(value);
        }
        return values;
    }

    /** What is held once the model is loaded, after a run of one session, and after one of another. */
    private static Held held(EngineOptions options) {
        try (Engine engine = Engine.open(options);
                Model model = engine.load(graph());
                Session first = model.session();
                Session second = model.session()) {
            long loaded = engine.memoryHeld();
            List<Float> y;
            try (Result result = first.run(INPUT)) {
                y = values(result);
            }
            long one = engine.memoryHeld();
            second.run(INPUT).close();
            return new Held(loaded, one, engine.memoryHeld(), y);
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void sessionsAreAddedUpAndGiveBackWhatTheyHold(EngineOptions options) {
        Held held = held(options);
        assertThat(held.model).isGreaterThanOrEqualTo(2L * WIDTH * WIDTH * Float.BYTES);
        assertThat(held.one - held.model).isGreaterThanOrEqualTo((long) ROWS * WIDTH * Float.BYTES);
        assertThat(held.two - held.one).isGreaterThanOrEqualTo((long) ROWS * WIDTH * Float.BYTES);
        try (Engine engine = Engine.open(options)) {
            try (Model model = engine.load(graph())) {
                try (Session session = model.session()) {
                    session.run(INPUT).close();
                    assertThat(engine.memoryHeld()).isEqualTo(held.one);
                }
                assertThat(engine.memoryHeld()).isEqualTo(held.one - (held.two - held.one));
            }
            assertThat(engine.memoryHeld()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void aSessionBeyondTheLimitIsRefusedUntilAnotherIsClosed(EngineOptions options) {
        Held held = held(options);
        try (Engine engine = Engine.open(options.withMemoryLimit(held.two - 1));
                Model model = engine.load(graph());
                Session second = model.session()) {
            try (Session first = model.session()) {
                first.run(INPUT).close();
                MemoryLimitException refused =
                        catchThrowableOfType(MemoryLimitException.class, () -> second.run(INPUT));
                assertThat(refused.asked()).isEqualTo(held.two - held.one);
                assertThat(refused.held()).isEqualTo(held.one);
                assertThat(refused.limit()).isEqualTo(held.two - 1);
                assertThat(refused).hasMessageContaining("close sessions or models, let pools have fewer runs");
                assertThat(engine.memoryHeld()).isEqualTo(held.one);
            }
            try (Result result = second.run(INPUT)) {
                assertThat(values(result)).isEqualTo(held.y);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void aModelBeyondTheLimitIsRefusedWhenItIsLoaded(EngineOptions options) {
        long constants = 2L * WIDTH * WIDTH * Float.BYTES;
        try (Engine engine = Engine.open(options.withMemoryLimit(constants - 1))) {
            assertThatThrownBy(() -> engine.load(graph()))
                    .isInstanceOf(MemoryLimitException.class)
                    .hasMessageStartingWith(
                            "the weights of 'net' need " + constants + " more bytes, but the engine holds 0 ");
            assertThat(engine.memoryHeld()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void aPoolGoesOnWithTheRunsThatFit(EngineOptions options) {
        Held held = held(options);
        try (Engine engine = Engine.open(options.withMemoryLimit(held.two));
                Model model = engine.load(graph());
                SessionPool pool = model.pool(PoolOptions.defaults().withRuns(4))) {
            for (int round = 0; round < 4; round++) {
                List<CompletableFuture<Result>> all =
                        Stream.generate(() -> pool.submit(INPUT)).limit(16).toList();
                for (CompletableFuture<Result> each : all) {
                    try (Result result = each.join()) {
                        assertThat(values(result)).isEqualTo(held.y);
                    }
                }
            }
            assertThat(pool.runs()).isBetween(2, 4);
            assertThat(engine.memoryHeld()).isLessThanOrEqualTo(held.two);
            assertThat(pool.statistics().failed()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void aPoolOfWhichNoRunFitsSaysSo(EngineOptions options) {
        Held held = held(options);
        try (Engine engine = Engine.open(options.withMemoryLimit(held.model + (held.two - held.one) - 1));
                Model model = engine.load(graph());
                SessionPool pool = model.pool(PoolOptions.defaults().withRuns(3))) {
            for (int i = 0; i < 4; i++) {
                assertThatThrownBy(() -> pool.run(INPUT)).isInstanceOf(MemoryLimitException.class);
            }
            assertThat(pool.runs()).isEqualTo(1);
            Tensor small = TestGraphs.numbers(3, 1, WIDTH);
            try (Result result = pool.run(Map.of("x", small))) {
                assertThat(result.get("y").shape()).isEqualTo(small.shape());
            }
        }
    }
}
