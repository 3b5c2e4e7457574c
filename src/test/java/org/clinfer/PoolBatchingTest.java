package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphException;
import org.clinfer.opencl.OpenCl;
import org.clinfer.opencl.RequiresOpenCl;
import org.clinfer.ops.Edge;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that share a run, and those that must not. */
@Timeout(60)
@RequiresOpenCl
class PoolBatchingTest {

    private static final EngineOptions CPU =
            EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()).withThreads(2);
    private static final EngineOptions DEVICE = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());
    private static final PoolOptions JOINING =
            PoolOptions.defaults().withRuns(1).withBatches(8, Duration.ofSeconds(5));

    static Stream<EngineOptions> engines() {
        return Stream.of(CPU, DEVICE);
    }

    private static Map<String, Tensor> input(int seed, long rows) {
        return Map.of("x", TestGraphs.numbers(seed, rows, 5));
    }

    private static void check(CompletableFuture<Result> future, Map<String, Tensor> inputs) throws Exception {
        Tensor x = Objects.requireNonNull(inputs.get("x"));
        try (Result result = future.get()) {
            assertThat(result.get("y").shape()).isEqualTo(x.shape());
            assertThat(result.get("y").toFloatArray()).isEqualTo(TestGraphs.rectified(x.toFloatArray()));
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void requestsAreJoinedAndSplitAgain(EngineOptions options) throws Exception {
        try (Engine engine = Engine.open(options);
                Model model = engine.load(TestGraphs.rectifier(5));
                SessionPool pool = model.pool(JOINING)) {
            List<Map<String, Tensor>> inputs = new ArrayList<>();
            for (long rows : new long[] {1, 2, 3, 2, 8, 4, 4}) {
                inputs.add(input(inputs.size(), rows));
            }
            List<CompletableFuture<Result>> results =
                    inputs.stream().map(pool::submit).toList();
            for (int i = 0; i < inputs.size(); i++) {
                check(results.get(i), inputs.get(i));
            }
            PoolStatistics counts = pool.statistics();
            assertThat(counts.runs()).as("8, 8 and 8 rows").isEqualTo(3);
            assertThat(counts.batches()).isEqualTo(2);
            assertThat(counts.batched()).isEqualTo(6);
            assertThat(counts.done()).isEqualTo(7);
            assertThat(counts.meanBatch()).isEqualTo(7 / 3.0);
        }
    }

    @Test
    void otherShapesAndWrongRequestsRunByThemselves() throws Exception {
        try (Engine engine = Engine.open(CPU);
                Model model = engine.load(TestGraphs.rectifier(5));
                SessionPool pool = model.pool(JOINING.withBatches(2, Duration.ofSeconds(5)))) {
            List<Map<String, Tensor>> right = List.of(input(1, 1), input(2, 1), input(3, 2), input(4, 3));
            CompletableFuture<Result> first = pool.submit(right.get(0));
            CompletableFuture<Result> unknown = pool.submit(Map.of("z", TestGraphs.numbers(1, 1, 5)));
            CompletableFuture<Result> wide = pool.submit(Map.of("x", TestGraphs.numbers(1, 1, 6)));
            CompletableFuture<Result> wideToo = pool.submit(Map.of("x", TestGraphs.numbers(1, 1, 6)));
            CompletableFuture<Result> second = pool.submit(right.get(1));
            check(first, right.get(0));
            check(second, right.get(1));
            check(pool.submit(right.get(2)), right.get(2));
            check(pool.submit(right.get(3)), right.get(3));
            for (CompletableFuture<Result> wrong : List.of(unknown, wide, wideToo)) {
                assertThatThrownBy(wrong::get)
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(InputException.class);
            }
            assertThat(pool.statistics().done()).isEqualTo(4);
            assertThat(pool.statistics().failed()).isEqualTo(3);
        }
    }

    /** {@code x[batch, 5] → y}, an element of each row, at a place that the data say. */
    private static Graph picking() {
        Ops ops = Ops.graph("net");
        Dim batch = Dim.named("batch");
        Edge x = ops.input("x", new TensorType(DType.FLOAT32, new Shape(List.of(batch, Dim.of(5)))));
        Edge at = ops.input("at", new TensorType(DType.INT64, new Shape(List.of(batch))));
        return ops.output("y", ops.gather(x, at).axis(1).y()).build();
    }

    @ParameterizedTest
    @MethodSource("engines")
    void whereRowsAreNotKeptApartNothingIsJoined(EngineOptions options) throws Exception {
        for (Graph graph : List.of(mixing(), picking(), adding(false), adding(true))) {
            try (Engine engine = Engine.open(options);
                    Model model = engine.load(graph);
                    Session session = model.session();
                    SessionPool pool = model.pool(JOINING.withBatches(2, Duration.ofSeconds(5)))) {
                List<Map<String, Tensor>> inputs = new ArrayList<>();
                for (int seed = 0; seed < 4; seed++) {
                    inputs.add(
                            model.inputs().size() == 1
                                    ? input(seed, 1)
                                    : Map.of("x", TestGraphs.numbers(seed, 1, 5), "at", Tensor.of(new long[] {2}, 1)));
                }
                List<CompletableFuture<Result>> results =
                        inputs.stream().map(pool::submit).toList();
                for (int i = 0; i < inputs.size(); i++) {
                    try (Result ours = results.get(i).get();
                            Result alone = session.run(inputs.get(i))) {
                        assertThat(ours.get("y").shape())
                                .isEqualTo(alone.get("y").shape());
                        assertThat(ours.get("y").toFloatArray())
                                .isEqualTo(alone.get("y").toFloatArray());
                    }
                }
                assertThat(pool.statistics().runs()).as("one that was joined").isEqualTo(5);
            }
        }
    }

    /** Requests that are equal, or zeros, do not show that rows are mixed; those after them do. */
    @ParameterizedTest
    @MethodSource("engines")
    void equalRequestsDoNotHideThatRowsAreMixed(EngineOptions options) throws Exception {
        Map<String, Tensor> zeros = Map.of("x", Tensor.allocate(DType.FLOAT32, 1, 5));
        for (Graph graph : List.of(belowLargest(), adding(false), adding(true))) {
            for (Map<String, Tensor> first : List.of(zeros, input(1, 1))) {
                try (Engine engine = Engine.open(options);
                        Model model = engine.load(graph);
                        Session session = model.session();
                        SessionPool pool = model.pool(JOINING.withBatches(2, Duration.ofSeconds(5)))) {
                    for (CompletableFuture<Result> equal : List.of(pool.submit(first), pool.submit(first))) {
                        equal.get().close();
                    }
                    List<Map<String, Tensor>> inputs = List.of(input(2, 1), input(3, 1));
                    List<CompletableFuture<Result>> results =
                            inputs.stream().map(pool::submit).toList();
                    for (int i = 0; i < inputs.size(); i++) {
                        try (Result ours = results.get(i).get();
                                Result alone = session.run(inputs.get(i))) {
                            assertThat(ours.get("y").toFloatArray())
                                    .isEqualTo(alone.get("y").toFloatArray());
                        }
                    }
                }
            }
        }
    }

    /** {@code x[batch, 5] → y}: each row less the largest of all. */
    private static Graph belowLargest() {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", new TensorType(DType.FLOAT32, new Shape(List.of(Dim.named("batch"), Dim.of(5)))));
        Edge largest = ops.reduceMax(x).axis(0).keepDims(true).y();
        return ops.output("y", ops.sub(x, largest)).build();
    }

    /** {@code x[batch, 5] → y}: a softmax along the batch. */
    private static Graph mixing() {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", new TensorType(DType.FLOAT32, new Shape(List.of(Dim.named("batch"), Dim.of(5)))));
        return ops.output("y", ops.softmax(x).axis(0).y()).build();
    }

    /** {@code x[batch, 5] → y}: sums along the batch, so that rows depend on those before them, or on those behind them. */
    private static Graph adding(boolean reverse) {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", new TensorType(DType.FLOAT32, new Shape(List.of(Dim.named("batch"), Dim.of(5)))));
        return ops.output("y", ops.cumSum(x, 0).reverse(reverse).y()).build();
    }

    /** What fails in one row fails with the whole run, and must not with those beside it. */
    @ParameterizedTest
    @MethodSource("engines")
    void aRequestThatFailsByItselfFailsAlone(EngineOptions options) throws Exception {
        Ops ops = Ops.graph("net");
        Dim batch = Dim.named("batch");
        Edge at = ops.input("at", new TensorType(DType.INT64, new Shape(List.of(batch))));
        Edge table = ops.constant("table", Tensor.of(new float[] {1, 2, 3}, 3));
        Graph graph = ops.output("y", ops.gather(table, at).y()).build();
        try (Engine engine = Engine.open(options);
                Model model = engine.load(graph);
                SessionPool pool = model.pool(JOINING.withBatches(4, Duration.ofSeconds(5)))) {
            List<CompletableFuture<Result>> results = new ArrayList<>();
            for (long index : new long[] {0, 1, 100, 2}) {
                results.add(pool.submit(Map.of("at", Tensor.of(new long[] {index}, 1))));
            }
            for (int i : new int[] {0, 1, 3}) {
                try (Result result = results.get(i).get()) {
                    assertThat(result.get("y").toFloatArray()).containsExactly(Math.min(i, 2) + 1);
                }
            }
            assertThatThrownBy(() -> results.get(2).get()).hasCauseInstanceOf(GraphException.class);
            PoolStatistics counts = pool.statistics();
            assertThat(List.of(counts.done(), counts.failed(), counts.runs(), counts.batches()))
                    .as("neither the joined run nor the one that failed alone")
                    .containsExactly(3L, 1L, 3L, 0L);
            assertThat(counts.meanBatch()).isEqualTo(1);
        }
    }

    @Test
    void aRequestWaitsForOthersOnlySoLong() throws Exception {
        LaunchGate gate = new LaunchGate();
        PoolOptions options = JOINING.withBatches(8, Duration.ZERO);
        try (Engine engine = Engine.open(DEVICE, () -> OpenCl.over(gate.api()));
                Model model = engine.load(TestGraphs.rectifier(5));
                SessionPool pool = model.pool(options)) {
            List<Map<String, Tensor>> inputs = new ArrayList<>();
            List<CompletableFuture<Result>> results = new ArrayList<>();
            for (int seed = 0; seed < 4; seed++) {
                inputs.add(input(seed, 1));
                results.add(pool.submit(inputs.get(seed)));
                gate.await();
            }
            gate.open();
            for (int seed = 0; seed < 4; seed++) {
                check(results.get(seed), inputs.get(seed));
            }
            assertThat(pool.statistics().runs())
                    .as("one alone, two of those that waited, and the last")
                    .isEqualTo(3);
        }
    }

    @Test
    void batchesHaveFewDifferentSizes() {
        List<Long> single = List.of(1L, 1L, 1L, 1L, 1L, 1L, 1L);
        assertThat(PoolBatching.count(single, 16)).isEqualTo(4);
        assertThat(PoolBatching.count(single, 6)).isEqualTo(6);
        assertThat(PoolBatching.count(single, 5)).isEqualTo(5);
        assertThat(PoolBatching.count(List.of(3L, 1L, 5L), 16)).isEqualTo(2);
        assertThat(PoolBatching.count(List.of(3L, 3L), 16)).isEqualTo(1);
        assertThat(PoolBatching.count(List.of(20L, 1L), 16)).isEqualTo(1);
    }

    @Test
    void modelsWhoseFirstDimensionIsNotOpenAreRefused() {
        try (Engine engine = Engine.open(CPU)) {
            assertThatThrownBy(() -> engine.load(TestGraphs.products()).pool(JOINING))
                    .isInstanceOf(InputException.class)
                    .hasMessage("requests cannot be joined: input 'x' is 6x24:float32, whose first dimension is not"
                            + " open");
            Ops ops = Ops.graph("net");
            Edge a = ops.input("a", new TensorType(DType.FLOAT32, new Shape(List.of(Dim.named("n")))));
            Edge b = ops.input("b", new TensorType(DType.FLOAT32, new Shape(List.of(Dim.named("m")))));
            Graph two = ops.output("c", ops.relu(a)).output("d", ops.relu(b)).build();
            assertThatThrownBy(() -> engine.load(two).pool(JOINING))
                    .isInstanceOf(InputException.class)
                    .hasMessageContaining("different first dimensions");
            Ops constant = Ops.graph("constant");
            Graph none = constant.output("y", constant.constant("c", Tensor.scalar(1f)))
                    .build();
            assertThatThrownBy(() -> engine.load(none).pool(JOINING)).hasMessageContaining("it has no inputs");
        }
    }
}
