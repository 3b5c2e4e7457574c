package org.clinfer;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Fails the requests of a pool at their deadlines. Of all requests at most one has a timer: that with the earliest deadline, of
 * which the others are looked at, too. Most end long before, and so cost neither a timer nor a thread that wakes. Thread-safe.
 */
final class PoolDeadlines {

    private static final long NEVER = Long.MAX_VALUE;

    /** Deadlines beyond this have no timer, so that sums of times do not overflow. */
    private static final long FARTHEST = NEVER / 2;

    private final Supplier<? extends Collection<PoolRequest>> open;
    private final long start = System.nanoTime();

    /** The time of the timer since the start, or {@link #NEVER}; written under the lock of this object. */
    private volatile long next = NEVER;

    /** Guarded by this object. */
    private CompletableFuture<Void> timer = new CompletableFuture<>();

    /** @param open gives the requests whose futures are not done */
    PoolDeadlines(Supplier<? extends Collection<PoolRequest>> open) {
        this.open = open;
    }

    /** Lets a request, which is open, fail at its deadline, if it has one. */
    void watch(PoolRequest request) {
        long left = request.left();
        if (left < FARTHEST && now() + left < next) {
            set(left);
        }
    }

    private long now() {
        return System.nanoTime() - start;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what a deadline does throws nothing
    private synchronized void set(long left) {
        long end = now() + left;
        if (end < next) {
            next = end;
            timer.cancel(false);
            timer = new CompletableFuture<>();
            timer.thenRunAsync(this::fail);
            timer.completeOnTimeout(null, left, TimeUnit.NANOSECONDS);
        }
    }

    /** Fails those that are late, and sets the timer for the first of the others. */
    private void fail() {
        synchronized (this) {
            next = NEVER; // before the requests are looked at: whoever comes after sets the timer anew
        }
        open.get().stream().filter(request -> !request.isDone()).forEach(this::watch);
    }

    /** Ends the timer. */
    synchronized void close() {
        timer.cancel(false);
    }
}
