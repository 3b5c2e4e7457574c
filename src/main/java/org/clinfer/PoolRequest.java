package org.clinfer;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.clinfer.errors.RefusedException;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** A request to a pool, with the future of its result. */
final class PoolRequest {

    private final Map<String, Tensor> inputs;
    private final Optional<PoolBatching.Form> form;
    private final Optional<Duration> deadline;
    private final long limitNanos;
    private final CompletableFuture<Result> future = new CompletableFuture<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private Consumer<@Nullable Throwable> end = failure -> {};
    private final long arrived = System.nanoTime();

    /**
     * A request that arrives now.
     *
     * @param form what it has in common with those that it can be joined with; empty if it runs by itself
     * @param deadline from its arrival
     */
    PoolRequest(Map<String, Tensor> inputs, Optional<PoolBatching.Form> form, Optional<Duration> deadline) {
        this.inputs = inputs;
        this.form = form;
        this.deadline = deadline;
        this.limitNanos = deadline.map(TimeUnit.NANOSECONDS::convert).orElse(Long.MAX_VALUE);
    }

    /** The failure of a request whose deadline has passed. */
    private static RefusedException late(Duration deadline) {
        return new RefusedException(
                RefusedException.Reason.LATE, "the request has no result within its deadline of " + text(deadline));
    }

    private static String text(Duration time) {
        return time.toMillis() > 0 ? time.toMillis() + " ms" : time.toNanos() + " ns";
    }

    Map<String, Tensor> inputs() {
        return inputs;
    }

    Optional<PoolBatching.Form> form() {
        return form;
    }

    CompletableFuture<Result> future() {
        return future;
    }

    /** The time since its arrival, in nanoseconds. */
    long age() {
        return System.nanoTime() - arrived;
    }

    /** The time that its deadline leaves it, in nanoseconds; {@link Long#MAX_VALUE} where it has none. */
    long left() {
        return limitNanos == Long.MAX_VALUE ? limitNanos : limitNanos - age();
    }

    /** The time until half of what its deadline gave it has passed, in nanoseconds: for so long it may wait for others. */
    long halfLeft() {
        return limitNanos == Long.MAX_VALUE ? limitNanos : limitNanos / 2 - age();
    }

    /** True if nobody waits for its result any more; from its deadline on it has failed. */
    boolean isDone() {
        if (left() <= 0) {
            fail(late(deadline.orElseThrow()));
        }
        return ended.get() || future.isDone();
    }

    /**
     * Sets who is told of its end, once, before its future is done; after the future where its caller completes that.
     *
     * @param end gets the failure, or null where it has a result
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the end of a request throws nothing
    void onEnd(Consumer<@Nullable Throwable> end) {
        this.end = end;
        future.whenComplete((result, failure) -> ends(failure));
    }

    private boolean ends(@Nullable Throwable failure) {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        end.accept(failure);
        return true;
    }

    /** Gives its result away, or closes it if nobody wants it. */
    void complete(Result result) {
        if (!ends(null) || !future.complete(result)) {
            result.close();
        }
    }

    void fail(Throwable failure) {
        if (ends(failure)) {
            future.completeExceptionally(failure);
        }
    }
}
