package org.clinfer.runtime;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.clinfer.tensor.Tensor;

/** Runs of one session that nobody waits for in place: one after the other, in a thread that ends when there are none. */
public final class AsyncRuns<R> implements AutoCloseable {

    private static final long IDLE_SECONDS = 5;

    /** The function that carries out a run. */
    @FunctionalInterface
    public interface Run<R> {
        /**
         * One run.
         *
         * @param stopped whether its result is not wanted any more
         */
        R with(Map<String, Tensor> inputs, BooleanSupplier stopped);
    }

    private final Run<R> run;
    private final Consumer<R> discard;
    private final ThreadPoolExecutor thread;

    /** @param discard closes a result that is not wanted any more */
    public AsyncRuns(Run<R> run, Consumer<R> discard) {
        this.run = run;
        this.discard = discard;
        this.thread = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), AsyncRuns::daemon);
        thread.allowCoreThreadTimeOut(true);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "clinfer-session");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Adds a run, after those that were added before.
     *
     * @throws IllegalStateException if it is closed
     */
    public CompletableFuture<R> add(Map<String, Tensor> inputs) {
        CompletableFuture<R> future = new CompletableFuture<>();
        try {
            Map<String, Tensor> kept = Map.copyOf(inputs);
            thread.execute(() -> complete(future, kept));
        } catch (RejectedExecutionException e) {
            throw new IllegalStateException("the session is closed", e);
        }
        return future;
    }

    private void complete(CompletableFuture<R> future, Map<String, Tensor> inputs) {
        if (future.isDone()) {
            return;
        }
        try {
            R result = run.with(inputs, future::isDone);
            if (!future.complete(result)) {
                discard.accept(result);
            }
        } catch (RuntimeException | Error e) {
            future.completeExceptionally(e);
        }
    }

    /** Takes no more; the thread ends when those taken before are done. */
    @Override
    public void close() {
        thread.shutdown();
    }
}
