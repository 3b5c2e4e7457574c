package org.clinfer.trace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes events in a thread of its own, so that those who did something only put it into a queue. It looks into the queue
 * at most every {@value #PAUSE_MILLIS} ms, and at once when that is half full; whoever finds it full waits. Thread-safe.
 */
final class WriterThread {

    private static final int PAUSE_MILLIS = 50;

    private static final long NANOS_PER_MILLI = 1_000_000;

    /** The events that may wait: those of a few hundred runs of a network with many steps. */
    static final int CAPACITY = 1 << 15;

    /** An event with the thread that told of it. */
    record Entry(TraceEvent event, long thread, String threadName) {

        @SuppressWarnings("deprecation") // threadId() is there from Java 19 on
        static Entry of(TraceEvent event, Thread thread) {
            return new Entry(event, thread.getId(), thread.getName());
        }
    }

    /** Where the events go; used by one thread alone, and closed by it. */
    interface Target extends AutoCloseable {

        /**
         * Writes an event.
         *
         * @throws UncheckedIOException if that is not possible any more
         */
        void write(Entry entry);

        /** Gives what was written so far to the system. */
        void flush();

        @Override
        void close();
    }

    private final Object lock = new Object();
    private final Target target;
    private final Thread thread;

    /** What follows is guarded by the lock. */
    private List<Entry> waiting = new ArrayList<>();

    private boolean isClosing;
    private @Nullable Throwable failure;

    /** Whether somebody was told of the failure. */
    private boolean isTold;

    WriterThread(Target target, String name) {
        this.target = target;
        this.thread = new Thread(this::work, name);
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Puts an event of this thread into the queue.
     *
     * @throws UncheckedIOException if nothing can be written any more
     */
    void add(TraceEvent event) {
        Entry entry = Entry.of(event, Thread.currentThread());
        synchronized (lock) {
            awaitRoom();
            requireSound();
            waiting.add(entry);
            if (waiting.size() == 1 || waiting.size() == CAPACITY / 2) {
                lock.notifyAll();
            }
        }
    }

    /** Waits on, also where the thread is interrupted: what it did has come to its end, and the writer always goes on. */
    private void awaitRoom() {
        boolean isInterrupted = false;
        while (waiting.size() >= CAPACITY && failure == null) {
            isInterrupted |= isInterruptedWhileWaiting(0);
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings({"WaitNotInLoop", "GuardedBy"}) // the loops are around the calls, and have the lock
    private boolean isInterruptedWhileWaiting(long millis) {
        try {
            lock.wait(millis);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    private void requireSound() {
        Throwable known = failure;
        if (known != null) {
            isTold = true;
            throw new UncheckedIOException(known.getMessage(), new IOException(known));
        }
    }

    private void work() {
        try (target) {
            for (List<Entry> next = taken(); !next.isEmpty(); next = taken()) {
                next.forEach(target::write);
                target.flush();
            }
        } catch (RuntimeException | Error e) { // also an Error, or those who wait for room would do so forever
            synchronized (lock) {
                failure = e;
                waiting.clear();
                lock.notifyAll();
            }
        }
    }

    /** The events that wait, when it is time for them; none at the end. */
    private List<Entry> taken() {
        synchronized (lock) {
            while (waiting.isEmpty() && !isClosing) {
                isInterruptedWhileWaiting(0);
            }
            long end = System.nanoTime() + PAUSE_MILLIS * NANOS_PER_MILLI;
            for (long left = PAUSE_MILLIS; left > 0; left = (end - System.nanoTime()) / NANOS_PER_MILLI) {
                if (isClosing || waiting.size() >= CAPACITY / 2) {
                    break;
                }
                isInterruptedWhileWaiting(left);
            }
            List<Entry> taken = waiting;
            waiting = new ArrayList<>();
            lock.notifyAll();
            return taken;
        }
    }

    /**
     * Waits until everything is written, and closes the target.
     *
     * @throws UncheckedIOException if that failed, and nobody was told before
     */
    void close() {
        synchronized (lock) {
            isClosing = true;
            lock.notifyAll();
        }
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        synchronized (lock) {
            if (!isTold) {
                requireSound();
            }
        }
    }
}
