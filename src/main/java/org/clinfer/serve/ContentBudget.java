package org.clinfer.serve;

import java.util.concurrent.atomic.AtomicLong;

/** The memory that the content of all requests at one time may take. Thread-safe. */
public final class ContentBudget {

    private final long limit;
    private final AtomicLong taken = new AtomicLong();

    /** @param limit in bytes */
    public ContentBudget(long limit) {
        this.limit = limit;
    }

    /**
     * A quarter of the memory of Java, but enough for one request while its memory grows.
     *
     * @param maxRequestBytes those of a request at most
     */
    public static ContentBudget usual(long maxRequestBytes) {
        return new ContentBudget(Math.max(Runtime.getRuntime().maxMemory() / 4, 4 * maxRequestBytes));
    }

    /** Takes bytes, if there are as many left. */
    public boolean take(long bytes) {
        long now = taken.addAndGet(bytes);
        if (now > limit) {
            taken.addAndGet(-bytes);
        }
        return now <= limit;
    }

    /** Gives back what was taken. */
    public void give(long bytes) {
        taken.addAndGet(-bytes);
    }

    /** Bytes that are taken now. */
    public long taken() {
        return taken.get();
    }
}
