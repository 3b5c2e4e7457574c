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
     * A quarter of the memory of Java, or up to three eighths where one request of the largest size needs more than the quarter
     * while it is read.
     *
     * @param maxRequestBytes those of a request at most
     */
    public static ContentBudget usual(long maxRequestBytes) {
        return usual(maxRequestBytes, Runtime.getRuntime().maxMemory());
    }

    static ContentBudget usual(long maxRequestBytes, long javaBytes) {
        return new ContentBudget(Math.max(javaBytes / 4, Math.min(4 * maxRequestBytes, javaBytes / 8 * 3)));
    }

    /** {@return true if a request of the largest size may be refused though there is no other} */
    public boolean isShortFor(long maxRequestBytes) {
        return limit < 2 * maxRequestBytes;
    }

    /** Takes bytes, if there are as many left. */
    public boolean take(long bytes) {
        long now = taken.addAndGet(bytes);
        if (now > limit) {
            taken.addAndGet(-bytes);
        }
        return now <= limit;
    }

    /** Counts bytes of work that is done and would be lost otherwise, also where there are not as many left. */
    public void count(long bytes) {
        taken.addAndGet(bytes);
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
