package org.clinfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.clinfer.errors.InputException;
import org.clinfer.graph.Graph;
import org.clinfer.graph.GraphBuilder;
import org.clinfer.graph.GraphException;
import org.clinfer.ops.Edge;
import org.clinfer.ops.NonZeroOp;
import org.clinfer.ops.Ops;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** What a session does, wherever it runs. */
abstract class SessionContract extends EngineContract {

    /** A test with a session of its own. */
    private interface Body {
        void run(Session session) throws Exception;
    }

    private void with(Graph graph, Body body) throws Exception {
        try (Model model = engine().load(graph);
                Session session = model.session()) {
            body.run(session);
        }
    }

    private static void checkRectifier(Session session, Tensor x) {
        try (Result result = session.run(Map.of("x", x))) {
            assertThat(result.get("y").type()).isEqualTo(x.type());
            assertThat(result.get("y").toFloatArray()).isEqualTo(TestGraphs.rectified(x.toFloatArray()));
        }
    }

    /** Times of single nodes are taken on the side: what runs before and after is as ever. */
    @Test
    void profilesNameEveryNode() throws Exception {
        with(TestGraphs.rectifier(5), session -> {
            Tensor x = TestGraphs.numbers(3, 2, 5);
            checkRectifier(session, x);
            RunProfile profile = session.profile(Map.of("x", x));
            checkRectifier(session, x);

            List<Placement.Entry> placed = session.placement().nodes();
            List<RunProfile.Entry> timed = profile.entries().stream()
                    .filter(entry -> !Set.of("upload", "download").contains(entry.op()))
                    .toList();
            assertThat(timed).extracting(RunProfile.Entry::node).containsExactlyElementsOf(names(placed));
            assertThat(timed).allSatisfy(entry -> assertThat(entry.nanos()).isPositive());
            assertThat(timed)
                    .extracting(RunProfile.Entry::target, RunProfile.Entry::variant)
                    .containsExactlyElementsOf(placed.stream()
                            .map(entry -> tuple(entry.target(), entry.variant()))
                            .toList());
        });
    }

    private static List<String> names(List<Placement.Entry> nodes) {
        return nodes.stream().map(Placement.Entry::node).toList();
    }

    @Test
    void takesEveryBatchSize() throws Exception {
        with(TestGraphs.rectifier(5), session -> {
            for (long batch : new long[] {1, 4, 6, 13, 207, 1, 4, 0, 6, 13, 207}) {
                checkRectifier(session, TestGraphs.numbers(batch, batch, 5));
            }
        });
    }

    @Test
    void aViewOfAClosedResultKeepsItsElements() throws Exception {
        with(TestGraphs.rectifier(5), session -> {
            List<FloatBuffer> views = new ArrayList<>();
            for (float value = 1; value <= 4; value++) {
                try (Result result = session.run(Map.of("x", Tensor.of(new float[] {value, 1, 1, 1, 1}, 1, 5)))) {
                    views.add(result.get("y").floats());
                }
                checkRectifier(session, TestGraphs.numbers(1, 1, 5));
            }
            assertThat(views).extracting(view -> view.get(0)).containsExactly(3f, 6f, 9f, 12f);
        });
    }

    @Test
    void openResultsKeepTheirElements() throws Exception {
        with(TestGraphs.rectifier(5), session -> {
            Result first = session.run(Map.of("x", Tensor.of(new float[] {1, 1, 1, 1, 1}, 1, 5)));
            first.close();
            Result second = session.run(Map.of("x", Tensor.of(new float[] {2, 2, 2, 2, 2}, 1, 5)));
            Result third = session.run(Map.of("x", Tensor.of(new float[] {3, 3, 3, 3, 3}, 1, 5)));
            first.close();
            Result fourth = session.run(Map.of("x", Tensor.of(new float[] {4, 4, 4, 4, 4}, 1, 5)));
            assertThat(second.get("y").toFloatArray()).containsOnly(6);
            assertThat(third.get("y").toFloatArray()).containsOnly(9);
            assertThat(fourth.get("y").toFloatArray()).containsOnly(12);
            assertThatThrownBy(() -> first.get("y").toFloatArray()).isInstanceOf(IllegalStateException.class);
            List.of(second, third, fourth).forEach(Result::close);
        });
    }

    /** Outputs that are read again, views of one another, or parts of another: each is memory of its own for the caller. */
    @Test
    void outputsThatShareMemoryInsideAreApartOutside() throws Exception {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, 2, 6));
        Edge a = ops.relu(x);
        Edge part = ops.neg(a);
        Edge whole = ops.concat(part, x).axis(0).y();
        List<Edge> halves = ops.split(ops.add(whole, whole)).numOutputs(2).y(2);
        ops.output("a", a)
                .output("view", ops.reshape(a, 3, 4).y())
                .output("part", part)
                .output("whole", whole)
                .output("first", halves.get(0))
                .output("second", halves.get(1))
                .output("last", ops.sub(halves.get(0), halves.get(1)));
        with(ops.build(), session -> {
            List<Result> kept = new ArrayList<>();
            for (int run = 0; run < 4; run++) {
                Result result = session.run(Map.of("x", TestGraphs.numbers(run, 2, 6)));
                if (run % 2 == 0) {
                    kept.add(result);
                } else {
                    checkSharing(result, run);
                    result.close();
                }
            }
            for (int run = 0; run < 4; run += 2) {
                checkSharing(kept.get(run / 2), run);
                kept.get(run / 2).close();
            }
        });
    }

    private static void checkSharing(Result result, int seed) {
        float[] x = TestGraphs.numbers(seed, 2, 6).toFloatArray();
        for (int i = 0; i < x.length; i++) {
            float a = Math.max(x[i], 0);
            assertThat(result.get("a").getDouble(i)).isEqualTo(a);
            assertThat(result.get("view").getDouble(i)).isEqualTo(a);
            assertThat(result.get("part").getDouble(i)).isEqualTo(-(double) a);
            assertThat(result.get("whole").getDouble(i)).isEqualTo(-(double) a);
            assertThat(result.get("whole").getDouble(12 + i)).isEqualTo(x[i]);
            assertThat(result.get("first").getDouble(i)).isEqualTo(-2.0 * a);
            assertThat(result.get("second").getDouble(i)).isEqualTo(2 * x[i]);
            assertThat(result.get("last").getDouble(i)).isEqualTo(-2 * a - 2 * x[i]);
        }
        assertThat(result.outputs().values().stream().map(t -> t.type().toString()))
                .containsExactly(
                        "2x6:float32",
                        "3x4:float32",
                        "2x6:float32",
                        "4x6:float32",
                        "2x6:float32",
                        "2x6:float32",
                        "2x6:float32");
    }

    @Test
    void followsTheValuesOfShapeInputs() throws Exception {
        Ops ops = Ops.graph("net");
        Edge vector = ops.input("x", TensorType.of(DType.FLOAT32, 12));
        Edge a = ops.reshape(vector, ops.input("target", TensorType.of(DType.INT64, 2)))
                .named("form")
                .y();
        with(ops.output("y", ops.relu(a)).output("a", a).build(), session -> {
            Tensor x = TestGraphs.numbers(1, 12);
            long[][] targets = {{3, 4}, {4, 3}, {-1, 6}, {3, 4}, {12, 1}, {1, -1}, {4, 3}};
            for (long[] target : targets) {
                try (Tensor values = Tensor.of(target, 2);
                        Result result = session.run(Map.of("x", x, "target", values))) {
                    long first = target[0] < 0 ? 12 / target[1] : target[0];
                    assertThat(result.get("y").shape()).isEqualTo(Shape.of(first, 12 / first));
                    assertThat(result.get("a").toFloatArray()).isEqualTo(x.toFloatArray());
                }
            }
            assertThatThrownBy(() -> session.run(Map.of("x", x, "target", Tensor.of(new long[] {5, 5}, 2))))
                    .isInstanceOf(GraphException.class)
                    .hasMessageStartingWith("graph 'net': node 0 'form' (Reshape): ")
                    .hasMessageContaining("the new shape must have as many elements");
        });
    }

    /** The places of what is not 0 in a picture, as many as there are, and what stands there. */
    private static Graph found() {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", TensorType.of(DType.FLOAT32, 3, 4));
        Edge twice = ops.mul(x, ops.constant("two", Tensor.scalar(2f)));
        NonZeroOp found = ops.nonZero(twice);
        Edge none = ops.constant("none", Tensor.of(new long[] {0}, 1));
        Edge places = ops.slice(found.places(), none, found.count())
                .axesTensor(ops.constant("one", Tensor.of(new long[] {1}, 1)))
                .y();
        Edge rows = ops.transpose(places).y();
        return ops.output("y", ops.gatherND(twice, rows).y())
                .output("places", places)
                .output("twice", twice)
                .build();
    }

    private static Tensor withElements(int... places) {
        Tensor x = Tensor.allocate(DType.FLOAT32, 3, 4);
        for (int place : places) {
            x.setDouble(place, place + 1);
        }
        return x;
    }

    @Test
    void followsSizesThatDataDecide() throws Exception {
        with(found(), session -> {
            int[][] cases = {{1, 6, 11}, {}, {0}, {1, 6, 11}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {2, 3}, {5}};
            for (int[] places : cases) {
                try (Result result = session.run(Map.of("x", withElements(places)))) {
                    assertThat(result.get("places").shape()).isEqualTo(Shape.of(2, places.length));
                    assertThat(result.get("twice").shape()).isEqualTo(Shape.of(3, 4));
                    for (int i = 0; i < places.length; i++) {
                        assertThat(result.get("places").getLong(i)).isEqualTo(places[i] / 4);
                        assertThat(result.get("places").getLong(places.length + i))
                                .isEqualTo(places[i] % 4);
                        assertThat(result.get("y").getDouble(i)).isEqualTo(2 * (places[i] + 1));
                    }
                    assertThat(result.outputs().keySet()).containsExactly("y", "places", "twice");
                }
            }
            try (Result result = session.runAsync(Map.of("x", withElements(7))).get()) {
                assertThat(result.get("y").toFloatArray()).containsExactly(16);
            }
            RunProfile profile = session.profile(Map.of("x", withElements(7)));
            List<String> placed = names(session.placement().nodes());
            assertThat(placed).hasSize(5);
            assertThat(profile.entries()).extracting(RunProfile.Entry::node).containsAll(placed);
            // the constants of all stages
            assertThat(session.memory().weights()).isGreaterThanOrEqualTo(8 + 8 + 4);
            assertThatThrownBy(() -> session.run(Map.of()))
                    .isInstanceOf(InputException.class)
                    .hasMessageStartingWith("input 'x' (3x4:float32) is missing");
        });
    }

    @Test
    void tellsShapeValuesApartThatAreOneDouble() throws Exception {
        long base = 1L << 53;
        Ops ops = Ops.graph("net");
        Edge target = ops.sub(
                ops.input("size", TensorType.of(DType.INT64, 1)),
                ops.constant("base", Tensor.of(new long[] {base}, 1)));
        Edge one = ops.constant("one", Tensor.of(new float[] {1}, 1));
        with(ops.output("y", ops.expand(one, target).y()).build(), session -> {
            for (long size : new long[] {4, 5}) {
                try (Result result = session.run(Map.of("size", Tensor.of(new long[] {base + size}, 1)))) {
                    assertThat(result.get("y").shape()).isEqualTo(Shape.of(size));
                }
            }
        });
    }

    @Test
    void servesManyThreads() throws Exception {
        with(TestGraphs.rectifier(7), session -> onEightThreads(thread -> session));
    }

    @Test
    void sessionsOfOneModelRunSideBySide() throws Exception {
        try (Model model = engine().load(TestGraphs.rectifier(7));
                Session first = model.session();
                Session second = model.session()) {
            onEightThreads(thread -> thread % 2 == 0 ? first : second);
        }
    }

    private static void onEightThreads(IntFunction<Session> sessions) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> runs = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                long batch = 1L + thread % 3;
                long seed = 100L * thread;
                Session session = sessions.apply(thread);
                runs.add(threads.submit(() -> {
                    for (int run = 0; run < 25; run++) {
                        checkRectifier(session, TestGraphs.numbers(seed + run, batch, 7));
                    }
                }));
            }
            for (Future<?> run : runs) {
                run.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void outputsBelongToTheCaller() throws Exception {
        Tensor first = TestGraphs.numbers(1, 3, 5);
        try (Model model = engine().load(TestGraphs.rectifier(5))) {
            Session session = model.session();
            Result kept = session.run(Map.of("x", first));
            checkRectifier(session, TestGraphs.numbers(2, 3, 5));
            try (Result other = session.run(Map.of("x", TestGraphs.numbers(3, 3, 5)))) {
                other.get("y").setDouble(0, 1e6);
            }
            session.close();
            assertThat(kept.get("y").toFloatArray()).isEqualTo(TestGraphs.rectified(first.toFloatArray()));
            assertThat(first.toFloatArray())
                    .isEqualTo(TestGraphs.numbers(1, 3, 5).toFloatArray());
            kept.close();
            assertThatThrownBy(() -> kept.get("y").bytes()).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void refusesUseAfterClose() {
        try (Model model = engine().load(TestGraphs.rectifier(5))) {
            Session session = model.session();
            Tensor x = TestGraphs.numbers(1, 2, 5);
            session.run(Map.of("x", x)).close();
            session.close();
            session.close();
            assertThatThrownBy(() -> session.run(Map.of("x", x)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the session is closed");
            try (Session other = model.session()) {
                checkRectifier(other, x);
            }
        }
    }

    @Test
    void refusesAClosedInputAndGoesOn() throws Exception {
        with(TestGraphs.rectifier(5), session -> {
            Tensor x = TestGraphs.numbers(1, 2, 5);
            Tensor closed = x.copy();
            closed.close();
            assertThatThrownBy(() -> session.run(Map.of("x", closed)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the tensor 2x5:float32 is closed");
            checkRectifier(session, x);
        });
    }

    @Test
    void passesInputsConstantsAndViewsToOutputs() throws Exception {
        GraphBuilder builder =
                TestGraphs.builder().input("x", DType.FLOAT32, 2, 3).constant("k", Tensor.of(new float[] {1, 2}, 2));
        builder.node("Identity", List.of("x"), List.of("same"), Map.of());
        builder.node("Identity", List.of("same"), List.of("again"), Map.of());
        builder.node("Relu", List.of("again"), List.of("y"), Map.of());
        builder.node("Neg", List.of("k"), List.of("folded"), Map.of());
        for (String output : List.of("x", "k", "same", "again", "y", "folded", "y")) {
            builder.output(output);
        }
        with(builder.build(), session -> {
            Tensor x = TestGraphs.numbers(4, 2, 3);
            float[] given = x.toFloatArray();
            Map<String, Tensor> outputs = session.run(Map.of("x", x)).outputs();
            assertThat(outputs.keySet()).containsExactly("x", "k", "same", "again", "y", "folded");
            x.setDouble(0, 1e6);
            Map<String, float[]> values = new HashMap<>();
            outputs.forEach((name, tensor) -> values.put(name, tensor.toFloatArray()));
            assertThat(values.get("x")).isEqualTo(given);
            assertThat(values.get("same")).isEqualTo(given);
            assertThat(values.get("again")).isEqualTo(given);
            assertThat(values.get("k")).containsExactly(1, 2);
            assertThat(values.get("folded")).containsExactly(-1, -2);
        });
    }

    @Test
    void takesEmptyTensors() throws Exception {
        Ops ops = Ops.graph("net");
        Edge x = ops.input("x", new TensorType(DType.FLOAT32, new Shape(List.of(Dim.named("n"), Dim.of(3)))));
        Edge a = ops.relu(x);
        ops.output("a", a)
                .output("sum", ops.reduceSum(a).y())
                .output("joined", ops.concat(a, x).y());
        with(ops.build(), session -> {
            for (int round = 0; round < 2; round++) {
                Map<String, Tensor> empty =
                        session.run(Map.of("x", TestGraphs.numbers(1, 0, 3))).outputs();
                assertThat(empty.values())
                        .extracting(tensor -> tensor.shape().toString())
                        .containsExactly("0x3", "scalar", "0x6");
                assertThat(session.run(Map.of("x", TestGraphs.numbers(1, 2, 3)))
                                .get("joined")
                                .shape())
                        .isEqualTo(Shape.of(2, 6));
            }
        });
    }

    @Test
    void tellsThePlacement() throws Exception {
        with(TestGraphs.rectifier(5), session -> {
            assertThatThrownBy(session::placement)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("nothing was run yet");
            assertThatThrownBy(() -> session.placement(Map.of()))
                    .isInstanceOf(InputException.class)
                    .hasMessage("input 'x' is batchx5:float32: give all its dimensions");
            Placement planned = session.placement(Map.of("x", TensorType.of(DType.FLOAT32, 2, 5)));
            checkRectifier(session, TestGraphs.numbers(1, 2, 5));
            assertThat(session.placement()).isEqualTo(planned);
            assertThat(planned.nodes()).extracting(Placement.Entry::op).containsExactly("Relu", "Mul", "Add");
            boolean device = engine().device().isPresent();
            assertThat(planned.count(Placement.Target.DEVICE)).isEqualTo(device ? 3 : 0);
            assertThat(planned.device()).isEqualTo(device ? engine().deviceNote() : "");
        });
    }
}
