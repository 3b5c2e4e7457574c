package org.clinfer.cpu.call;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.clinfer.costs.MachineCosts;
import org.jspecify.annotations.Nullable;

/** A pool of daemon threads over which CPU operators split their outermost loop. */
public final class Parallel implements AutoCloseable {

    /*
     * To wake a thread takes longer than all of a small network (MachineCosts.Threads). A thread that is done therefore
     * looks for the next loop for a while, and takes it within half a microsecond. Where none looks, small loops stay with their caller; if many follow one another, as in
     * a network, a thread is woken for those to come. A loop of few iterations may be a long one all the same: the caller
     * does the first of them and then knows. The results of a loop never depend on who does which part of it.
     */

    /** Microseconds for which a thread that is done looks for more work; 0 turns that off, 1000 is the most. */
    public static final String SPIN_PROPERTY = "clinfer.spin";

    private static final long DEFAULT_SPIN_MICROS = 200;
    private static final long MAX_SPIN_MICROS = 1000;

    /** The time that it looks without giving way to other threads. */
    private static final long EAGER_NANOS = 20_000;

    private static final MachineCosts.Threads COSTS = MachineCosts.builtIn().threads();

    /** Parts of a loop for each thread. With half as many convolutions wait 4 % longer for the last one; more cost as much. */
    private static final int CHUNKS = 8;

    /** Loops further apart than this are not of one run. */
    private static final long APART_NANOS = 1_000_000;

    /** The body of a split loop: does the iterations {@code from} (inclusive) to {@code to} (exclusive). */
    @FunctionalInterface
    public interface Body {
        void run(int from, int to);
    }

    private final ForkJoinPool pool;
    private final int threads;
    private final long spinNanos;

    /** Tells in nanoseconds how long a caller's first iterations take. */
    private final LongSupplier clock;

    private final Scratch scratch = new Scratch();
    private final AtomicInteger looking = new AtomicInteger();

    /** Runs whose work is all for these threads. */
    private final AtomicInteger runs = new AtomicInteger();

    private volatile @Nullable Loop latest;

    /** Grains that callers did alone lately, and when the latest was; two callers may lose a count to one another. */
    private volatile int unshared;

    private volatile long unsharedNanos;

    /** The caller of a loop is one of the threads. */
    private Parallel(int threads, long spinMicros, LongSupplier clock) {
        this.threads = threads;
        this.clock = clock;
        boolean spins = threads <= Runtime.getRuntime().availableProcessors();
        this.spinNanos = spins ? TimeUnit.MICROSECONDS.toNanos(spinMicros) : 0;
        this.pool = new ForkJoinPool(Math.max(1, threads - 1), Parallel::worker, null, false);
    }

    /** A pool of {@code threads} threads, at least one. */
    public static Parallel of(int threads) {
        long micros = Long.getLong(SPIN_PROPERTY, DEFAULT_SPIN_MICROS);
        return of(threads, Math.max(0, Math.min(MAX_SPIN_MICROS, micros)));
    }

    static Parallel of(int threads, long spinMicros) {
        return of(threads, spinMicros, System::nanoTime);
    }

    static Parallel of(int threads, long spinMicros, LongSupplier clock) {
        if (threads < 1) {
            throw new IllegalArgumentException("at least one thread is needed, not " + threads);
        }
        return new Parallel(threads, spinMicros, clock);
    }

    private static ForkJoinWorkerThread worker(ForkJoinPool pool) {
        ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
        thread.setName("clinfer-cpu-" + thread.getPoolIndex());
        thread.setDaemon(true);
        return thread;
    }

    public int threads() {
        return threads;
    }

    /** Arrays for the bodies. */
    public Scratch scratch() {
        return scratch;
    }

    /**
     * Begins a run whose work is all for these threads. While there are as many as threads, each does its loops in its own
     * thread, because all threads have enough to do and what a loop leaves in the caches is the next one's.
     */
    public void beginRun() {
        runs.incrementAndGet();
    }

    /** Ends a run. */
    public void endRun() {
        runs.decrementAndGet();
    }

    /** {@return whether a loop stays in its caller's thread} */
    private boolean isAlone() {
        return threads == 1 || runs.get() >= threads;
    }

    /**
     * Runs {@code body} over {@code 0 … count - 1} in disjoint ranges of at least {@code grain} iterations (the last may
     * be shorter), and returns when all are done; an exception in a range is thrown here.
     *
     * @param grain iterations that take a microsecond or more
     * @throws IllegalStateException after {@link #close()}
     */
    public void forRange(int count, int grain, Body body) {
        if (count <= 0) {
            return;
        }
        int least = Math.max(1, grain);
        if (count <= least || isAlone()) {
            body.run(0, count);
            return;
        }
        requireOpen();
        if (looking.get() >= Math.min(threads, count / least) - 1 || isWorthWaking(count / least)) {
            share(count, least, body, true);
            return;
        }
        long start = clock.getAsLong();
        body.run(0, least);
        long left = (clock.getAsLong() - start) * ((count - least) / least);
        if (left < COSTS.wakeNanos() && looking.get() == 0) {
            body.run(least, count);
        } else {
            share(count - least, least, (from, to) -> body.run(least + from, least + to), left >= COSTS.wakeNanos());
        }
    }

    /**
     * {@link #forRange} over iterations that are known to take long: they are shared from the first one on, and taken one
     * by one.
     *
     * @param nanos that each takes, roughly
     */
    public void forUnits(int count, double nanos, Body body) {
        if (count <= 1 || isAlone() || nanos < COSTS.wakeNanos()) {
            forRange(count, 1, body);
            return;
        }
        requireOpen();
        shareChunks(count, 1, body, true);
    }

    private void requireOpen() {
        if (pool.isShutdown()) {
            throw new IllegalStateException("the threads for CPU operators are closed");
        }
    }

    private void share(int count, int least, Body body, boolean wakes) {
        shareChunks(count, Math.max(least, Rounding.ceilDiv(count, CHUNKS * threads)), body, wakes);
    }

    /** @param wakes whether threads are woken if fewer look for work than could do some */
    private void shareChunks(int count, int chunk, Body body, boolean wakes) {
        Loop loop = new Loop(count, chunk, body);
        loop.lacking.set(wakes ? Math.min(threads, loop.chunks) - 1 - looking.get() : 0);
        latest = loop;
        wake(loop);
        loop.work();
        try {
            loop.await();
        } finally {
            if (latest == loop) {
                latest = null;
            }
        }
    }

    /**
     * {@return whether a loop, with those that its caller did alone just before, pays for a thread that has to be
     * woken}
     */
    private boolean isWorthWaking(int grains) {
        if (grains >= COSTS.wakeGrains()) {
            return true;
        }
        if (spinNanos == 0) {
            return false;
        }
        long now = System.nanoTime();
        int together = now - unsharedNanos < APART_NANOS ? unshared + grains : grains;
        unsharedNanos = now;
        unshared = together >= COSTS.wakeGrains() ? 0 : together;
        return together >= COSTS.wakeGrains();
    }

    /** Wakes a thread for a loop that lacks one; it wakes the next. */
    private void wake(Loop loop) {
        if (loop.lacking.getAndDecrement() <= 0) {
            return;
        }
        try {
            pool.execute(() -> help(loop));
        } catch (RejectedExecutionException closed) {
            // what others do not take the caller does itself
        }
    }

    /** Works on a loop, and on those that begin soon after it. */
    @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it: it only lets threads with work go first
    private void help(Loop first) {
        wake(first);
        first.work();
        if (spinNanos == 0) {
            return;
        }
        Loop last = first;
        looking.incrementAndGet();
        long start = System.nanoTime();
        for (long now = start; now - start < spinNanos && !pool.isShutdown() && !isAlone(); now = System.nanoTime()) {
            Loop next = latest;
            if (next != null && next != last) {
                looking.decrementAndGet();
                next.work();
                last = next;
                looking.incrementAndGet();
                start = System.nanoTime();
            } else if (now - start < EAGER_NANOS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
        looking.decrementAndGet();
    }

    @Override
    public void close() {
        latest = null;
        pool.shutdown();
    }

    /**
     * A loop in chunks, which threads take one by one: the caller from the beginning on, others from the end on, so that
     * most of what the next loop over the same values meets is in the caches of the thread that takes it. Nobody waits for
     * a thread that has not begun.
     */
    private static final class Loop {
        private static final int SPINS = 2000;

        private final int count;
        private final int chunk;
        private final int chunks;
        private final Body body;
        private final Thread caller = Thread.currentThread();
        private final AtomicInteger taken = new AtomicInteger();
        private final AtomicInteger first = new AtomicInteger();
        private final AtomicInteger last = new AtomicInteger();
        private final AtomicInteger done = new AtomicInteger();

        /** Threads that it could use beside those that look for one. */
        private final AtomicInteger lacking = new AtomicInteger();

        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

        Loop(int count, int chunk, Body body) {
            this.count = count;
            this.chunk = chunk;
            this.chunks = (int) (((long) count + chunk - 1) / chunk);
            this.body = body;
        }

        void work() {
            boolean isCaller = Thread.currentThread() == caller;
            while (taken.getAndIncrement() < chunks) {
                int i = isCaller ? first.getAndIncrement() : chunks - 1 - last.getAndIncrement();
                if (failure.get() == null) {
                    try {
                        body.run(i * chunk, (int) Math.min(count, (i + 1L) * chunk));
                    } catch (RuntimeException | Error thrown) {
                        failure.compareAndSet(null, thrown);
                    }
                }
                if (done.incrementAndGet() == chunks) {
                    LockSupport.unpark(caller);
                }
            }
        }

        void await() {
            for (int i = 0; i < SPINS && done.get() < chunks; i++) {
                Thread.onSpinWait();
            }
            boolean isInterrupted = false;
            while (done.get() < chunks) {
                LockSupport.park(this);
                isInterrupted |= Thread.interrupted();
            }
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
            Throwable thrown = failure.get();
            if (thrown instanceof Error error) {
                throw error;
            }
            if (thrown instanceof RuntimeException exception) {
                throw exception;
            }
        }
    }
}
