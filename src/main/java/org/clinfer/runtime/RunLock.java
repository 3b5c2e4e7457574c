package org.clinfer.runtime;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock of a session, which lets its runs follow one another, and the end of the session: what a {@link #close} has to
 * leave because a run goes on is released when that run ends.
 */
public final class RunLock {

    private static final long CLOSE_SECONDS = 30;

    private final ReentrantLock lock = new ReentrantLock();
    private final Runnable release;
    private volatile boolean closed;

    /** @param release frees everything; called once the lock is closed and nobody holds it, perhaps several times */
    public RunLock(Runnable release) {
        this.release = release;
    }

    /** Begins a use of the session, once all others have ended. */
    public void begin() {
        lock.lock();
    }

    /** Ends a use of the session; frees what a close in the meantime had to leave. */
    public void end() {
        lock.unlock();
        if (closed) {
            releaseIfIdle();
        }
    }

    /**
     * Goes on if the session is open.
     *
     * @throws IllegalStateException if it is closed
     */
    public void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the session is closed");
        }
    }

    /** Lets no further run begin. */
    public void forbid() {
        closed = true;
    }

    /** Waits at most 30 seconds for a run in progress, then frees everything; a longer run does so when it ends. */
    public void close() {
        closed = true;
        awaitIdle();
        releaseIfIdle();
    }

    private void awaitIdle() {
        if (lock.tryLock()) {
            lock.unlock();
            return;
        }
        try {
            if (lock.tryLock(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                lock.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Frees everything unless the session is in use; then the end of that use does. */
    private void releaseIfIdle() {
        if (!lock.tryLock()) {
            return;
        }
        try {
            release.run();
        } finally {
            lock.unlock();
        }
    }
}
