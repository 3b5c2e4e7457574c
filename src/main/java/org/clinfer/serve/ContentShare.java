package org.clinfer.serve;

/** The bytes that one request has of a {@link ContentBudget}. Once it is closed nothing can be taken any more. Thread-safe. */
public final class ContentShare implements AutoCloseable {

    private final ContentBudget budget;

    /** Guarded by this object. */
    private long held;

    /** Guarded by this object. */
    private boolean closed;

    /** @param budget of all requests */
    public ContentShare(ContentBudget budget) {
        this.budget = budget;
    }

    /**
     * Takes bytes.
     *
     * @throws ServiceException if the budget has not as many left, or the request is over
     */
    public synchronized void take(long bytes) {
        if (closed || !budget.take(bytes)) {
            throw ServiceFailure.noMemory();
        }
        held += bytes;
    }

    /** Counts bytes of the answer, also where there are not as many left; those of a request that is over count no more. */
    public synchronized void count(long bytes) {
        if (!closed) {
            budget.count(bytes);
            held += bytes;
        }
    }

    /** Gives bytes back that were taken. */
    public synchronized void give(long bytes) {
        long given = Math.min(bytes, held);
        held -= given;
        budget.give(given);
    }

    /** Gives everything back. */
    @Override
    public synchronized void close() {
        closed = true;
        give(held);
    }
}
