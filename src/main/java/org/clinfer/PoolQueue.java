package org.clinfer;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.clinfer.errors.RefusedException;

/** The requests of a pool: those that wait, in the order in which they came, and those that runs have taken. Thread-safe. */
final class PoolQueue {

    private final PoolOptions options;
    private final PoolCounts counts;
    private final ReentrantLock lock = new ReentrantLock();

    /** Told of a request that nobody waits to take with others, and of the end. */
    private final Condition filled = lock.newCondition();

    /** Told of rows enough for a batch while somebody gathers them, and of the end. */
    private final Condition full = lock.newCondition();

    /** Told of a place that is free, and of the end. */
    private final Condition freed = lock.newCondition();

    private final LinkedHashSet<PoolRequest> waiting = new LinkedHashSet<>();

    /** Those whose futures are not done. */
    private final Set<PoolRequest> open = ConcurrentHashMap.newKeySet();

    /** Rows of those that wait; a request that is not joined counts as one. */
    private long rows;

    /** True while somebody waits for more to take with the first. */
    private boolean gathers;

    private boolean closed;
    private volatile boolean joins;

    PoolQueue(PoolOptions options, PoolCounts counts) {
        this.options = options;
        this.counts = counts;
        this.joins = options.maxBatch() > 1;
    }

    /**
     * Adds a request, once there is a place for it.
     *
     * @return whether there was a place before its deadline
     * @throws RefusedException if there is none and callers do not wait
     * @throws IllegalStateException if the pool is closed
     * @throws InterruptedException if the caller is interrupted while it waits
     */
    boolean add(PoolRequest request) throws InterruptedException {
        lock.lock();
        try {
            requireOpen();
            while (waiting.size() >= options.queue()) {
                if (options.whenFull() == PoolOptions.WhenFull.REFUSE) {
                    counts.refused();
                    throw new RefusedException(
                            RefusedException.Reason.FULL,
                            "the pool is full: " + waiting.size() + " requests wait for a run");
                }
                long left = request.left();
                if (left <= 0) {
                    return false;
                }
                freed.awaitNanos(left);
                requireOpen();
            }
            waiting.add(request);
            open.add(request);
            rows += rows(request);
            tell();
        } finally {
            lock.unlock();
        }
        return true;
    }

    private static long rows(PoolRequest request) {
        return request.form().map(PoolBatching.Form::rows).orElse(1L);
    }

    /** Wakes one who can take what waits; one who gathers only where that is a batch. */
    private void tell() {
        if (!gathers) {
            filled.signal();
        } else if (rows >= options.maxBatch()) {
            full.signal();
        }
    }

    private void remove(PoolRequest request) {
        if (waiting.remove(request)) {
            rows -= rows(request);
            freed.signal();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the pool is closed");
        }
    }

    /** A request has its end; the place that it may still have is free. */
    void ended(PoolRequest request) {
        open.remove(request);
        lock.lock();
        try {
            remove(request);
        } finally {
            lock.unlock();
        }
    }

    /** Requests for the next run, in the order in which they came; waits for the first. None once the pool is closed. */
    List<PoolRequest> take() throws InterruptedException {
        lock.lock();
        try {
            while (!closed || !waiting.isEmpty()) {
                if (waiting.isEmpty() || (gathers && !closed)) {
                    filled.await();
                    continue;
                }
                PoolRequest first = waiting.iterator().next();
                List<PoolRequest> together = together(first);
                long patience = patience(first, together);
                if (patience <= 0) {
                    together.forEach(this::remove);
                    return together;
                }
                // others leave what comes to the one that gathers
                gathers = true;
                try {
                    full.awaitNanos(patience);
                } finally {
                    gathers = false;
                }
            }
            return List.of();
        } finally {
            if (!waiting.isEmpty()) {
                tell();
            }
            lock.unlock();
        }
    }

    /**
     * Lets requests that were taken wait again, before all others.
     *
     * @return false where the pool is closed, so that nobody may be left to take them; nothing changes then
     */
    boolean giveBack(List<PoolRequest> requests) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            List<PoolRequest> others = List.copyOf(waiting);
            waiting.clear();
            requests.stream().filter(open::contains).forEach(waiting::add);
            waiting.addAll(others);
            rows = waiting.stream().mapToLong(PoolQueue::rows).sum();
            tell();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Those that can share a run with the first. */
    private List<PoolRequest> together(PoolRequest first) {
        if (!joins || first.form().isEmpty()) {
            return List.of(first);
        }
        List<PoolRequest> alike = new ArrayList<>();
        List<Long> rows = new ArrayList<>();
        Iterator<PoolRequest> others = waiting.iterator();
        while (others.hasNext() && alike.size() < options.maxBatch()) {
            PoolRequest other = others.next();
            other.form().filter(form -> form.fits(first.form().get())).ifPresent(form -> {
                alike.add(other);
                rows.add(form.rows());
            });
        }
        return List.copyOf(alike.subList(0, PoolBatching.count(rows, options.maxBatch())));
    }

    /** The time for which more may come that share the run, in nanoseconds. */
    private long patience(PoolRequest first, List<PoolRequest> together) {
        if (!joins || closed || first.form().isEmpty()) {
            return 0;
        }
        long rows = together.stream()
                .mapToLong(request -> request.form().orElseThrow().rows())
                .sum();
        return rows >= options.maxBatch() ? 0 : TimeUnit.NANOSECONDS.convert(options.maxDelay()) - first.age();
    }

    /** Joins no requests from now on. */
    void joinNoMore() {
        joins = false;
    }

    /** Takes no more requests. */
    void close() {
        lock.lock();
        try {
            closed = true;
            filled.signalAll();
            full.signalAll();
            freed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Those whose futures are not done. */
    List<PoolRequest> open() {
        return List.copyOf(open);
    }

    /** The counts as they are. */
    PoolStatistics statistics() {
        lock.lock();
        try {
            int all = open.size();
            int now = waiting.size();
            return counts.statistics(now, Math.max(0, all - now));
        } finally {
            lock.unlock();
        }
    }
}
