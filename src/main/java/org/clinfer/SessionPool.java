package org.clinfer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.clinfer.errors.RefusedException;
import org.clinfer.tensor.Tensor;

/**
 * Runs of one model for many callers: as many in flight as the device or the processors bear, others in a bounded queue, in
 * the order in which they came. The weights are there once, on the host and on each device; every run in flight has memory of
 * its own for values. Thread-safe.
 *
 * <pre>{@code
 * try (SessionPool pool = model.pool(PoolOptions.defaults())) {
 *     CompletableFuture<Result> scores = pool.submit(Map.of("image", image), Duration.ofMillis(200));
 *     …
 * }
 * }</pre>
 *
 * <p>Futures are completed by threads of the pool. A stage that depends on one and takes long, or waits for another request,
 * is therefore added by a method that ends in {@code Async}. A result whose future was done before is closed. Results of
 * requests that were joined share the memory of their run's outputs, which is there until none of them is reachable.
 *
 * <p>A request whose future is cancelled, or whose deadline passes, leaves the queue at once, and never begins; a run that
 * has begun ends before its next step, unless others share it.
 */
public final class SessionPool implements AutoCloseable {

    private final PoolOptions options;
    private final Optional<PoolBatching> batching;
    private final PoolCounts counts = new PoolCounts();
    private final PoolQueue queue;
    private final PoolDeadlines deadlines;
    private final List<PoolWorker> workers;
    private final AtomicInteger working;
    private final Consumer<SessionPool> released;

    /**
     * A pool of a model's sessions.
     *
     * @param sessions makes one, which the pool closes
     * @param released told when the pool is closed
     */
    SessionPool(Model model, Supplier<Session> sessions, PoolOptions options, Consumer<SessionPool> released) {
        this.options = options;
        this.released = released;
        this.batching = options.maxBatch() > 1 ? Optional.of(PoolBatching.of(model.graph())) : Optional.empty();
        this.queue = new PoolQueue(options, counts);
        this.deadlines = new PoolDeadlines(queue::open);
        this.working = new AtomicInteger(options.runs().orElseGet(model::runsAtOnce));
        this.workers = started(sessions);
    }

    private List<PoolWorker> started(Supplier<Session> sessions) {
        AtomicBoolean tried = new AtomicBoolean();
        List<PoolWorker> all = new ArrayList<>();
        try {
            for (int i = working.get(); i > 0; i--) {
                all.add(new PoolWorker(sessions.get(), queue, counts, tried, working, "clinfer-pool-" + all.size()));
            }
            all.forEach(worker -> worker.thread().start());
            return all;
        } catch (RuntimeException | Error failed) {
            queue.close();
            all.forEach(PoolWorker::close);
            throw failed;
        }
    }

    /** {@return the options as they were given} */
    public PoolOptions options() {
        return options;
    }

    /** {@return how many runs are in flight at most: as the options say, or fewer once the engine may not hold the memory of as many} */
    public int runs() {
        return working.get();
    }

    /**
     * A request for one run.
     *
     * @param inputs as for {@link Session#run}; open and unchanged until the future is done, and after a cancellation or a
     *     deadline until the pool is closed or its next result
     * @return completes with what {@link Session#run} gives or throws
     * @throws RefusedException if the queue is full and the options refuse requests then
     * @throws CancellationException if the caller is interrupted while it waits for a place in the queue
     * @throws IllegalStateException if the pool is closed
     */
    public CompletableFuture<Result> submit(Map<String, Tensor> inputs) {
        return submit(inputs, Optional.empty());
    }

    /**
     * The same with a deadline, at which the future completes with a {@link RefusedException}.
     *
     * @param inputs as for {@link #submit(Map)}
     * @param deadline from now on, longer than zero; it includes the time that the caller waits for a place in the queue
     * @return as there
     * @throws IllegalArgumentException for a deadline that is not longer than zero
     */
    public CompletableFuture<Result> submit(Map<String, Tensor> inputs, Duration deadline) {
        if (deadline.isNegative() || deadline.isZero()) {
            throw new IllegalArgumentException("the deadline must be later than now, but is " + deadline);
        }
        return submit(inputs, Optional.of(deadline));
    }

    private CompletableFuture<Result> submit(Map<String, Tensor> inputs, Optional<Duration> deadline) {
        Map<String, Tensor> kept = Map.copyOf(inputs);
        PoolRequest request = new PoolRequest(kept, batching.flatMap(joining -> joining.form(kept)), deadline);
        request.onEnd(failure -> {
            counts.ended(failure);
            queue.ended(request);
        });
        try {
            if (queue.add(request)) {
                deadlines.watch(request);
            } else {
                request.isDone(); // it has failed
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted("its caller was interrupted before the request was in the queue");
        }
        return request.future();
    }

    private static CancellationException interrupted(String message) {
        return new CancellationException(message);
    }

    /**
     * One run, for which the caller waits; one that is interrupted cancels it.
     *
     * @param inputs as for {@link Session#run}, with the same exceptions
     * @return the outputs, which belong to the caller
     * @throws RefusedException if the queue is full and the options refuse requests then, or the pool is closed before it
     *     gets to this one
     * @throws CancellationException if the caller is interrupted
     * @throws IllegalStateException if the pool is closed
     */
    public Result run(Map<String, Tensor> inputs) {
        return await(submit(inputs));
    }

    /**
     * The same with a deadline.
     *
     * @param inputs as for {@link Session#run}, with the same exceptions
     * @param deadline from now on, longer than zero
     * @return the outputs, which belong to the caller
     * @throws RefusedException also if the deadline passes
     */
    public Result run(Map<String, Tensor> inputs, Duration deadline) {
        return await(submit(inputs, deadline));
    }

    private static Result await(CompletableFuture<Result> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            throw interrupted("the caller was interrupted");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /** {@return the counts of requests and runs} */
    public PoolStatistics statistics() {
        return queue.statistics();
    }

    /**
     * Takes no more requests, and waits for those that were submitted before, at most as long as the options say; what has
     * no result by then fails with a {@link RefusedException}, and its run ends before its next step. A pool that is closed
     * by one of its own threads does not wait. Closing the model closes its pools. More calls do nothing.
     */
    @Override
    public void close() {
        queue.close();
        if (!isDone(options.closing())) {
            queue.open()
                    .forEach(request -> request.fail(new RefusedException(
                            RefusedException.Reason.CLOSED, "the pool was closed before the request had its result")));
        }
        deadlines.close();
        released.accept(this);
    }

    /** True if all threads end in this time. */
    private boolean isDone(Duration time) {
        long start = System.nanoTime();
        try {
            for (PoolWorker worker : workers) {
                if (worker.thread() == Thread.currentThread()) {
                    return false;
                }
                long left = TimeUnit.NANOSECONDS.convert(time) - (System.nanoTime() - start);
                if (left > 0) {
                    TimeUnit.NANOSECONDS.timedJoin(worker.thread(), left);
                }
                if (worker.thread().isAlive()) {
                    return false;
                }
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
