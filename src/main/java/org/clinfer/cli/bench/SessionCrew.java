package org.clinfer.cli.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import org.clinfer.Engine;
import org.clinfer.Model;
import org.clinfer.Session;
import org.clinfer.tensor.Tensor;

/** Sessions of one model that run at the same time, each in a thread of its own. */
final class SessionCrew implements AutoCloseable {

    private final Engine engine;
    private final Model model;
    private final List<Session> sessions;
    private final Map<String, Tensor> inputs;
    private final ExecutorService threads;

    private long runs;
    private long nanos;

    /** @param engine stays the caller's */
    SessionCrew(Engine engine, Path file, int count, Function<Model, Map<String, Tensor>> inputs) {
        this.engine = engine;
        this.model = engine.load(file);
        try {
            this.inputs = inputs.apply(model);
            this.sessions =
                    IntStream.range(0, count).mapToObj(i -> model.session()).toList();
            this.threads = Executors.newFixedThreadPool(count);
        } catch (RuntimeException | Error e) {
            model.close();
            throw e;
        }
    }

    Engine engine() {
        return engine;
    }

    /**
     * Lets every session run again and again.
     *
     * @param goesOn whether a session runs once more after so many runs of its own
     * @return what a session took for a run on average, in nanoseconds
     */
    long run(LongPredicate goesOn) {
        long start = System.nanoTime();
        List<Future<Long>> running = new ArrayList<>();
        for (Session session : sessions) {
            running.add(threads.submit(() -> {
                long done = 0;
                while (goesOn.test(done)) {
                    session.run(inputs).close();
                    done++;
                }
                return done;
            }));
        }
        long done = running.stream().mapToLong(SessionCrew::result).sum();
        long taken = System.nanoTime() - start;
        runs += done;
        nanos += taken;
        return taken * sessions.size() / Math.max(1, done);
    }

    /** Forgets the runs so far. */
    void begin() {
        runs = 0;
        nanos = 0;
    }

    long runs() {
        return runs;
    }

    long nanos() {
        return nanos;
    }

    private static long result(Future<Long> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while sessions run", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    public void close() {
        threads.shutdown();
        model.close();
    }
}
