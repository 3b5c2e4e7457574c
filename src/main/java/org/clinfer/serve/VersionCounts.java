package org.clinfer.serve;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.clinfer.PoolStatistics;
import org.clinfer.SessionPool;

/**
 * The counts of a version of a model, which go on when it is loaded anew. Every request counts under one outcome, also those that no
 * pool has seen. Thread-safe.
 */
final class VersionCounts {

    /** The ends of a request. */
    enum Outcome {
        SUCCESS,
        FAILURE,
        QUEUE_FULL,
        TIMEOUT,
        CANCELLED;

        /** The name in metrics. */
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        private static Outcome of(Throwable failure, ServiceError error) {
            if (failure instanceof CancellationException) {
                return CANCELLED;
            }
            return switch (error) {
                case BUSY -> QUEUE_FULL;
                case TIMED_OUT -> TIMEOUT;
                default -> FAILURE;
            };
        }
    }

    private final Map<Outcome, LongAdder> requests = new EnumMap<>(Outcome.class);
    private final LoadHistory history = new LoadHistory();
    private final AtomicLong lastSuccess = new AtomicLong();
    private final LongAdder rows = new LongAdder();
    private final LongAdder successNanos = new LongAdder();
    private final LongAdder failureNanos = new LongAdder();

    /** Those of one that is loaded and of the one that it replaces, while that has requests; guarded by this object. */
    private final List<SessionPool> pools = new ArrayList<>();

    /** The counts of those that are closed; guarded by this object. */
    private PoolStatistics closed = new PoolStatistics(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Duration.ZERO, Duration.ZERO);

    private volatile LongConsumer onSuccess = nanos -> {};

    VersionCounts() {
        for (Outcome outcome : Outcome.values()) {
            requests.put(outcome, new LongAdder());
        }
    }

    /** Sets who is told the nanoseconds of each request that succeeds. */
    void onSuccess(LongConsumer told) {
        onSuccess = told;
    }

    /** Counts what a pool does from now on. */
    synchronized void add(SessionPool pool) {
        pools.add(pool);
    }

    /** Keeps the counts of a pool, which takes no more requests. */
    synchronized void close(SessionPool pool) {
        if (pools.remove(pool)) {
            closed = sum(closed, pool.statistics());
        }
    }

    /** Those of all pools. */
    synchronized PoolStatistics pools() {
        return pools.stream().map(SessionPool::statistics).reduce(closed, VersionCounts::sum);
    }

    private static PoolStatistics sum(PoolStatistics one, PoolStatistics other) {
        return new PoolStatistics(
                one.waiting() + other.waiting(),
                one.running() + other.running(),
                one.done() + other.done(),
                one.failed() + other.failed(),
                one.refused() + other.refused(),
                one.late() + other.late(),
                one.cancelled() + other.cancelled(),
                one.runs() + other.runs(),
                one.batches() + other.batches(),
                one.batched() + other.batched(),
                one.waited().plus(other.waited()),
                one.ran().plus(other.ran()));
    }

    /** A request has its answer. */
    void succeeded(long ofRows, long nanos) {
        count(Outcome.SUCCESS).increment();
        history.ended(nanos, true);
        successNanos.add(nanos);
        rows.add(ofRows);
        onSuccess.accept(nanos);
        lastSuccess.set(System.currentTimeMillis());
    }

    /**
     * A request has no answer.
     *
     * @param failure the reason
     * @param error what its client is told
     */
    void failed(Throwable failure, ServiceError error, long nanos) {
        count(Outcome.of(failure, error)).increment();
        history.ended(nanos, false);
        failureNanos.add(nanos);
    }

    private LongAdder count(Outcome outcome) {
        return Objects.requireNonNull(requests.get(outcome));
    }

    /** Requests that have ended so. */
    long requests(Outcome outcome) {
        return count(outcome).sum();
    }

    LoadHistory history() {
        return history;
    }

    /** Everything as the protocol has it. */
    ModelStatistics statistics(String name, String version) {
        PoolStatistics runs = pools();
        long last = lastSuccess.get();
        long taken = runs.runs() - runs.batches() + runs.batched();
        long succeeded = requests(Outcome.SUCCESS);
        long ended = requests.values().stream().mapToLong(LongAdder::sum).sum();
        return new ModelStatistics(
                name,
                version,
                last == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(last)),
                rows.sum(),
                runs.runs(),
                new ModelStatistics.Timed(succeeded, successNanos.sum()),
                new ModelStatistics.Timed(ended - succeeded, failureNanos.sum()),
                new ModelStatistics.Timed(taken, runs.waited().toNanos()),
                new ModelStatistics.Timed(runs.runs(), runs.ran().toNanos()));
    }
}
