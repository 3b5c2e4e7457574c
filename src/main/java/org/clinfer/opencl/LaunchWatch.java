package org.clinfer.opencl;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Asks whether the latest launch of a queue is done, for a while, before the host's thread goes to sleep for it: to be
 * woken takes as long as a small network. It only shortens the wait: whatever goes wrong here is left to the call that
 * waits. Thread-safe.
 */
final class LaunchWatch {

    /**
     * Waits that took longer than this are slept through: whoever asks takes processor time that the device's threads
     * need, half of theirs where there are as many as processors (measured: kernels of 0.15 to 0.6 ms took up to twice as
     * long).
     */
    private static final long LONGEST_NANOS = 100_000;

    /** How much longer than the last one a wait may take. */
    private static final long SLACK_NANOS = 100_000;

    private final ClApi api;

    /** The event of the latest launch, 0 for none. */
    private final AtomicLong latest = new AtomicLong();

    private volatile long lastNanos;

    LaunchWatch(ClApi api) {
        this.api = api;
    }

    /** Watches a launch from now on instead of the one before; its event belongs to this object. */
    void launched(long event) {
        release(latest.getAndSet(event));
    }

    /**
     * Waits for the latest launch as long as the last wait lets expect, giving way to threads that have work to do.
     *
     * @return when the wait began, for {@link #ended}
     */
    long await() {
        long start = System.nanoTime();
        long event = latest.getAndSet(0);
        if (event != 0) {
            long expected = lastNanos;
            if (expected < LONGEST_NANOS) {
                poll(event, start + 2 * expected + SLACK_NANOS);
            }
            release(event);
        }
        return start;
    }

    /** Notes how long a wait took in the end. */
    void ended(long start) {
        lastNanos = System.nanoTime() - start;
    }

    @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it: it only lets the device's threads go first
    private void poll(long event, long deadline) {
        ByteBuffer state = ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder());
        while (System.nanoTime() < deadline) {
            int status = api.clGetEventInfo(event, ClConstants.EVENT_COMMAND_EXECUTION_STATUS, state, null);
            if (status != 0 || state.getInt(0) <= 0) {
                return;
            }
            Thread.yield();
        }
    }

    private void release(long event) {
        if (event != 0) {
            api.clReleaseEvent(event);
        }
    }

    /** Watches nothing any more. */
    void close() {
        launched(0);
    }
}
