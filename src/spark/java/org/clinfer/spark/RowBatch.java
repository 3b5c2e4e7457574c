package org.clinfer.spark;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.clinfer.Result;
import org.clinfer.errors.BadInputException;

/** Rows that share a run. */
final class RowBatch {

    private final List<RowSlot> rows;
    private final CompletableFuture<Result> future;

    RowBatch(List<RowSlot> rows, CompletableFuture<Result> future) {
        this.rows = List.copyOf(rows);
        this.future = future;
    }

    List<RowSlot> rows() {
        return rows;
    }

    void giveUp() {
        giveUp(future);
    }

    /** Ends a run whose result nobody wants, or closes what it gave. */
    static void giveUp(CompletableFuture<Result> future) {
        future.cancel(true);
        var unused = future.thenAccept(Result::close);
    }

    /**
     * {@return the result, for which the task waits}
     *
     * @throws BadInputException if the model does not take these rows
     * @throws CancellationException if the task is interrupted
     */
    Result await() {
        return await(future);
    }

    /** {@return the result of a run, for which the task waits} */
    static Result await(CompletableFuture<Result> future) {
        long start = System.nanoTime();
        boolean waits = !future.isDone();
        try {
            return future.get();
        } catch (InterruptedException e) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            throw (CancellationException) new CancellationException("the task was interrupted").initCause(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        } finally {
            if (waits) {
                ExecutorMetrics.current().waited(System.nanoTime() - start);
            }
        }
    }
}
