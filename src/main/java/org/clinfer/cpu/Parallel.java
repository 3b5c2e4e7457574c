package org.clinfer.cpu;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A pool of daemon threads over which CPU operators split their outermost loop. */
public final class Parallel implements AutoCloseable {

    /** The body of a split loop: does the iterations {@code from} (inclusive) to {@code to} (exclusive). */
    @FunctionalInterface
    public interface Body {
        void run(int from, int to);
    }

    /** How long a thread that is done looks for the next loop before it sleeps: waking it takes as long. */
    private static final long SPIN_NANOS = 50_000;

    private final ForkJoinPool pool;
    private final int threads;
    private final boolean spins;
    private final Scratch scratch = new Scratch();
    private final AtomicInteger looking = new AtomicInteger();
    private volatile @Nullable Loop latest;

    /** The caller of a loop is one of the threads. */
    private Parallel(int threads) {
        this.threads = threads;
        this.spins = threads <= Runtime.getRuntime().availableProcessors();
        this.pool = new ForkJoinPool(Math.max(1, threads - 1), Parallel::worker, null, false);
    }

    /** A pool of {@code threads} threads, at least one. */
    public static Parallel of(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("at least one thread is needed, not " + threads);
        }
        return new Parallel(threads);
    }

    /** One thread per processor. */
    public static Parallel allProcessors() {
        return of(Runtime.getRuntime().availableProcessors());
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
    Scratch scratch() {
        return scratch;
    }

    /**
     * Runs {@code body} over {@code 0 … count - 1} in disjoint ranges of at least {@code grain} iterations (the last may
     * be shorter), and returns when all are done; an exception in a range is thrown here.
     *
     * @throws IllegalStateException after {@link #close()}
     */
    public void forRange(int count, int grain, Body body) {
        if (count <= 0) {
            return;
        }
        int least = Math.max(1, grain);
        if (threads == 1 || count <= least) {
            body.run(0, count);
            return;
        }
        if (pool.isShutdown()) {
            throw new IllegalStateException("the threads for CPU operators are closed");
        }
        int chunk = Math.max(least, (count + 4 * threads - 1) / (4 * threads));
        Loop loop = new Loop(count, chunk, body);
        int helpers = Math.min(threads, loop.chunks) - 1;
        latest = loop;
        try {
            for (int i = looking.get(); i < helpers; i++) {
                pool.execute(() -> help(loop));
            }
        } catch (RejectedExecutionException closed) {
            // what others do not take the caller does itself
        }
        loop.work();
        try {
            loop.await();
        } finally {
            if (latest == loop) {
                latest = null;
            }
        }
    }

    /** Works on a loop, and on those that begin soon after it. */
    private void help(Loop first) {
        first.work();
        if (!spins) {
            return;
        }
        Loop last = first;
        looking.incrementAndGet();
        long end = System.nanoTime() + SPIN_NANOS;
        while (System.nanoTime() - end < 0 && !pool.isShutdown()) {
            Loop next = latest;
            if (next != null && next != last) {
                looking.decrementAndGet();
                next.work();
                last = next;
                looking.incrementAndGet();
                end = System.nanoTime() + SPIN_NANOS;
            }
            Thread.onSpinWait();
        }
        looking.decrementAndGet();
    }

    @Override
    public void close() {
        latest = null;
        pool.shutdown();
    }

    /** A loop in chunks, which threads take one by one. Nobody waits for a thread that has not begun. */
    private static final class Loop {
        private static final int SPINS = 2000;

        private final int count;
        private final int chunk;
        private final int chunks;
        private final Body body;
        private final Thread caller = Thread.currentThread();
        private final AtomicInteger taken = new AtomicInteger();
        private final AtomicInteger done = new AtomicInteger();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

        Loop(int count, int chunk, Body body) {
            this.count = count;
            this.chunk = chunk;
            this.chunks = (int) (((long) count + chunk - 1) / chunk);
            this.body = body;
        }

        void work() {
            for (int i = taken.getAndIncrement(); i < chunks; i = taken.getAndIncrement()) {
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
