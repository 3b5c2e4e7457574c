package org.clinfer.cpu;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RejectedExecutionException;

/** A pool of daemon threads over which CPU operators split their outermost loop. */
public final class Parallel implements AutoCloseable {

    /** The body of a split loop: does the iterations {@code from} (inclusive) to {@code to} (exclusive). */
    @FunctionalInterface
    public interface Body {
        void run(int from, int to);
    }

    private final ForkJoinPool pool;
    private final int threads;
    private final Scratch scratch = new Scratch();

    private Parallel(int threads) {
        this.threads = threads;
        this.pool = new ForkJoinPool(threads, Parallel::worker, null, false);
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
        int chunk = Math.max(least, (count + 4 * threads - 1) / (4 * threads));
        Range whole = new Range(0, count, chunk, body);
        if (ForkJoinTask.getPool() == pool) {
            whole.invoke();
        } else {
            try {
                pool.invoke(whole);
            } catch (RejectedExecutionException e) {
                throw new IllegalStateException("the threads for CPU operators are closed", e);
            }
        }
    }

    @Override
    public void close() {
        pool.shutdown();
    }

    private static final class Range extends RecursiveAction {
        private static final long serialVersionUID = 1L;
        private final int from;
        private final int to;
        private final int chunk;
        private final transient Body body;

        Range(int from, int to, int chunk, Body body) {
            this.from = from;
            this.to = to;
            this.chunk = chunk;
            this.body = body;
        }

        @Override
        protected void compute() {
            if (to - from <= chunk) {
                body.run(from, to);
                return;
            }
            int middle = (from + to) >>> 1;
            invokeAll(new Range(from, middle, chunk, body), new Range(middle, to, chunk, body));
        }
    }
}
