package org.clinfer;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
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

    /** The time at which the one who gathers stops. */
    private long gathersUntil;

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
            tell(!joins(request) || request.halfLeft() < gathersUntil - System.nanoTime());
        } finally {
            lock.unlock();
        }
        return true;
    }

    private static long rows(PoolRequest request) {
        return request.form().map(PoolBatching.Form::rows).orElse(1L);
    }

    private boolean joins(PoolRequest request) {
        return joins && request.form().isPresent();
    }

    /**
     * Wakes one who can take what waits.
     *
     * @param isUrgent whether one who gathers is woken though there is no batch
     */
    private void tell(boolean isUrgent) {
        if (!gathers) {
            filled.signal();
        } else if (isUrgent || rows >= options.maxBatch()) {
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
                Optional<Group> next = next();
                long patience = next.map(Group::patience).orElse(Long.MAX_VALUE);
                if (patience <= 0) {
                    List<PoolRequest> together = next.orElseThrow().requests();
                    together.forEach(this::remove);
                    return together;
                }
                if (next.isEmpty() || gathers) {
                    filled.await();
                    continue;
                }
                // others leave what is to be joined to the one that gathers
                gathers = true;
                gathersUntil = System.nanoTime() + patience;
                try {
                    full.awaitNanos(patience);
                } finally {
                    gathers = false;
                }
            }
            return List.of();
        } finally {
            if (!waiting.isEmpty()) {
                tell(false);
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
            tell(true);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Requests that can share a run.
     *
     * @param patience the time for which more may come that share it, in nanoseconds
     */
    private record Group(List<PoolRequest> requests, long patience) {}

    /** The first group that is to run now, or that with the least patience. */
    private Optional<Group> next() {
        Optional<Group> least = Optional.empty();
        List<PoolBatching.Form> seen = new ArrayList<>();
        for (PoolRequest first : waiting) {
            if (joins(first)) {
                PoolBatching.Form form = first.form().orElseThrow();
                if (seen.stream().anyMatch(form::fits)) {
                    continue;
                }
                seen.add(form);
            }
            Group group = group(first);
            if (group.patience() <= 0) {
                return Optional.of(group);
            }
            least = least.filter(other -> other.patience() <= group.patience()).or(() -> Optional.of(group));
        }
        return least;
    }

    /** Those that share a run with the first of their form. None wait for more once there is one that has no place. */
    private Group group(PoolRequest first) {
        if (!joins(first)) {
            return new Group(List.of(first), 0);
        }
        PoolBatching.Form form = first.form().orElseThrow();
        List<PoolRequest> alike = new ArrayList<>();
        List<Long> rows = new ArrayList<>();
        long all = 0;
        for (PoolRequest other : waiting) {
            if (all >= options.maxBatch()) {
                break;
            }
            if (other.form().filter(form::fits).isPresent()) {
                alike.add(other);
                rows.add(rows(other));
                all += rows(other);
            }
        }
        List<PoolRequest> together = List.copyOf(alike.subList(0, PoolBatching.count(rows, options.maxBatch())));
        if (closed || all >= options.maxBatch()) {
            return new Group(together, 0);
        }
        long delay = TimeUnit.NANOSECONDS.convert(options.maxDelay()) - first.age();
        return new Group(
                together, together.stream().mapToLong(PoolRequest::halfLeft).reduce(delay, Math::min));
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
