package org.clinfer.serve.rest;

import java.util.concurrent.atomic.AtomicLong;

/** The memory that the content of all requests at one time may take. Thread-safe. */
final class ContentBudget {

    private final long limit;
    private final AtomicLong taken = new AtomicLong();

    /** @param limit in bytes */
    ContentBudget(long limit) {
        this.limit = limit;
    }

    /** Takes bytes, if there are as many left. */
    boolean take(long bytes) {
        long now = taken.addAndGet(bytes);
        if (now > limit) {
            taken.addAndGet(-bytes);
        }
        return now <= limit;
    }

    /** Gives back what was taken. */
    void give(long bytes) {
        taken.addAndGet(-bytes);
    }

    /** Bytes that are taken now. */
    long taken() {
        return taken.get();
    }
}
