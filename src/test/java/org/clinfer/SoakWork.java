package org.clinfer;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.clinfer.graph.Graph;
import org.clinfer.opencl.CountingClApi;
import org.clinfer.opencl.OpenCl;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;
import org.clinfer.tensor.Tolerance;

/** Pieces of work on an engine that a long-lived program may do in any order, each with its result held against the CPU's. */
final class SoakWork {

    private static final Path DEMO = Path.of("src/main/resources/org/clinfer/demo/shapes.onnx");
    private static final long DEADLINE_SECONDS = 60;
    private static final int MOST_MILLIS = 20;

    /** What a network is given, and what the CPU makes of it. */
    private record Case(Map<String, Tensor> inputs, Map<String, Tensor> expected) {}

    /** A network with its model on the engine, which many sessions share, and one session that stays open. */
    private record Network(Graph graph, List<Case> cases, Model model, Session session) {}

    private enum Piece {
        RUN,
        NEW_SESSION,
        CANCELLED,
        LATE,
        CLOSED_IN_THE_MIDDLE,
        PROFILED,
        FROM_FILE,
        NEW_ENGINE
    }

    private final Engine engine;
    private final CountingClApi counting;
    private final List<Network> networks = new ArrayList<>();
    private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();
    private final AtomicLong done = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /** Work is reading; a sample is taken in between. */
    private final ReadWriteLock pauses = new ReentrantReadWriteLock(true);

    SoakWork(Engine engine, CountingClApi counting) {
        this.engine = engine;
        this.counting = counting;
        try (Engine cpu = Engine.open(EngineOptions.defaults().withDevice(new DeviceChoice.Cpu()))) {
            add(cpu, TestGraphs.products(), List.of(Map.of("x", TestGraphs.numbers(3, 6, 24))));
            add(cpu, TestGraphs.rectifier(100), inputs(12, size -> TestGraphs.numbers(size, size, 100)));
            add(cpu, TestGraphs.convolutions(), inputs(6, size -> TestGraphs.numbers(size, 1, 3, 8L * size, 64)));
            add(cpu, cpu.read(DEMO), List.of(Map.of("image", Tensor.allocate(DType.FLOAT32, 1, 3, 192, 192))));
        }
    }

    /** A tensor of some size. */
    private interface Sized {
        Tensor of(int size);
    }

    private static List<Map<String, Tensor>> inputs(int sizes, Sized input) {
        List<Map<String, Tensor>> all = new ArrayList<>();
        for (int size = 1; size <= sizes; size++) {
            all.add(Map.of("x", input.of(size)));
        }
        return all;
    }

    private void add(Engine cpu, Graph graph, List<Map<String, Tensor>> inputs) {
        List<Case> cases = new ArrayList<>();
        try (Model model = cpu.load(graph);
                Session session = model.session()) {
            for (Map<String, Tensor> given : inputs) {
                try (Result result = session.run(given)) {
                    Map<String, Tensor> expected = new HashMap<>();
                    result.outputs().forEach((name, tensor) -> expected.put(name, tensor.copy()));
                    cases.add(new Case(given, expected));
                }
            }
        }
        Model model = engine.load(graph);
        Session session = model.session();
        // Builds the kernels, which may take a driver longer than any piece of work; twice, because plans for larger
        // shapes
        // close those for smaller ones.
        for (int round = 0; round < 2; round++) {
            for (Case one : cases) {
                check(session, one);
                session.profile(one.inputs());
            }
        }
        networks.add(new Network(graph, cases, model, session));
    }

    /** Begins the work in threads of its own, until it is stopped or a piece fails. */
    List<Thread> start(int threads, AtomicBoolean stopped) {
        List<Thread> started = new ArrayList<>();
        for (int number = 0; number < threads; number++) {
            Random random = new Random(number);
            Thread thread = new Thread(() -> {
                while (!stopped.get() && failure.get() == null) {
                    oneMore(random);
                }
            });
            thread.setDaemon(true);
            thread.start();
            started.add(thread);
        }
        return started;
    }

    /** What a piece of work failed with. */
    Optional<Throwable> failure() {
        return Optional.ofNullable(failure.get());
    }

    /** How many pieces of work are done. */
    long done() {
        return done.get();
    }

    /** How many of each kind. */
    Map<String, AtomicLong> counts() {
        return counts;
    }

    /** Waits for the pieces of work that are being done, and does something before the next ones. */
    void whileIdle(Runnable pause) throws InterruptedException {
        if (!pauses.writeLock().tryLock(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("work still goes on after " + DEADLINE_SECONDS + " s\n" + FaultSweepTest.stacks());
        }
        try {
            pause.run();
        } finally {
            pauses.writeLock().unlock();
        }
    }

    private void oneMore(Random random) {
        pauses.readLock().lock();
        try {
            Piece piece = piece(random);
            Network network = networks.get(random.nextInt(networks.size()));
            Case one = network.cases().get(random.nextInt(network.cases().size()));
            String end = carriedOut(piece, network, one, random);
            counts.computeIfAbsent(end, any -> new AtomicLong()).incrementAndGet();
            done.incrementAndGet();
        } catch (Throwable thrown) {
            failure.compareAndSet(null, thrown);
        } finally {
            pauses.readLock().unlock();
        }
    }

    /** Plain runs are half of all; opening an engine is rare. */
    private static Piece piece(Random random) {
        int drawn = random.nextInt(100);
        if (drawn < 50) {
            return Piece.RUN;
        }
        return drawn == 50 ? Piece.NEW_ENGINE : Piece.values()[1 + drawn % (Piece.values().length - 2)];
    }

    private String carriedOut(Piece piece, Network network, Case one, Random random) throws Exception {
        switch (piece) {
            case RUN -> check(network.session(), one);
            case PROFILED -> network.session().profile(one.inputs());
            case NEW_SESSION -> inANewSession(network.model(), one);
            case FROM_FILE -> fromFile();
            case NEW_ENGINE -> onANewEngine(network, one);
            case CANCELLED -> {
                CompletableFuture<Result> run = network.session().runAsync(one.inputs());
                pause(random);
                run.cancel(true);
                return piece + ending(run, one);
            }
            case LATE -> {
                Duration deadline = Duration.ofMillis(1 + random.nextInt(MOST_MILLIS));
                return piece + ending(network.session().runAsync(one.inputs(), deadline), one);
            }
            case CLOSED_IN_THE_MIDDLE -> {
                Session session = network.model().session();
                CompletableFuture<Result> run = session.runAsync(one.inputs());
                pause(random);
                session.close();
                return piece + ending(run, one);
            }
        }
        return piece.toString();
    }

    private static void pause(Random random) throws InterruptedException {
        Thread.sleep(random.nextInt(MOST_MILLIS));
    }

    /** A run that was given up, or has the right result all the same. */
    private static String ending(CompletableFuture<Result> run, Case one) throws Exception {
        try (Result result = run.get(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
            check(result, one);
            return " with a result";
        } catch (CancellationException given) {
            return "";
        } catch (ExecutionException ended) {
            boolean isLate = ended.getCause() instanceof TimeoutException;
            boolean isClosed = ended.getCause() instanceof IllegalStateException closed
                    && String.valueOf(closed.getMessage()).contains("closed");
            if (!isLate && !isClosed) {
                throw ended;
            }
            return "";
        }
    }

    private static void inANewSession(Model model, Case one) {
        try (Session session = model.session()) {
            check(session, one);
        }
    }

    private void fromFile() {
        Network demo = networks.get(networks.size() - 1);
        try (Model model = engine.load(DEMO)) {
            inANewSession(model, demo.cases().get(0));
        }
    }

    private void onANewEngine(Network network, Case one) {
        EngineOptions options = EngineOptions.defaults().withDevice(new DeviceChoice.FirstOpenCl());
        try (Engine other = Engine.open(options, () -> OpenCl.over(counting.api()));
                Model model = other.load(network.graph())) {
            inANewSession(model, one);
        }
    }

    private static void check(Session session, Case one) {
        try (Result result = session.run(one.inputs())) {
            check(result, one);
        }
    }

    private static void check(Result result, Case one) {
        one.expected()
                .forEach((name, tensor) -> TensorComparison.difference(tensor, result.get(name), Tolerance.DEFAULT)
                        .ifPresent(difference -> {
                            throw new AssertionError(name + ": " + difference);
                        }));
    }
}
