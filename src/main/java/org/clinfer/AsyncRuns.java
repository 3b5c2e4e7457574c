package org.clinfer;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.clinfer.tensor.Tensor;

/** Runs of one session that nobody waits for in place: one after the other, in a thread that ends when there are none. */
final class AsyncRuns implements AutoCloseable {

    private static final long IDLE_SECONDS = 5;

    /** The function that carries out a run. */
    @FunctionalInterface
    interface Run {
        /**
         * One run.
         *
         * @param stopped whether its result is not wanted any more
         */
        Result with(Map<String, Tensor> inputs, BooleanSupplier stopped);
    }

    private final Run run;
    private final ThreadPoolExecutor thread;

    AsyncRuns(Run run) {
        this.run = run;
        this.thread = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), AsyncRuns::daemon);
        thread.allowCoreThreadTimeOut(true);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "clinfer-session");
        thread.setDaemon(true);
        return thread;
    }

    /** @throws IllegalStateException if it is closed */
    CompletableFuture<Result> add(Map<String, Tensor> inputs) {
        CompletableFuture<Result> future = new CompletableFuture<>();
        try {
            Map<String, Tensor> kept = Map.copyOf(inputs);
            thread.execute(() -> complete(future, kept));
        } catch (RejectedExecutionException e) {
            throw new IllegalStateException("the session is closed", e);
        }
        return future;
    }

    private void complete(CompletableFuture<Result> future, Map<String, Tensor> inputs) {
        if (future.isDone()) {
            return;
        }
        try {
            Result result = run.with(inputs, future::isDone);
            if (!future.complete(result)) {
                result.close();
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
