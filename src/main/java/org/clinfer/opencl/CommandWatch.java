package org.clinfer.opencl;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Asks whether the last command of a queue is done, for a while, before the host's thread goes to sleep for it: to be
 * woken takes as long as a small network. Thread-safe.
 */
final class CommandWatch {

    /**
     * Waits that took longer than this are slept through: whoever asks takes processor time that the device's threads
     * need, half of theirs where there are as many as processors (measured: kernels of 0.15 to 0.6 ms took up to twice as
     * long).
     */
    private static final long LONGEST_NANOS = 100_000;

    /** The time by which a wait may take longer than the last one. */
    private static final long SLACK_NANOS = 100_000;

    private final ClApi api;

    /** The event of the last command, 0 where it has none; guarded by this. */
    private long last;

    private volatile long lastNanos;

    CommandWatch(ClApi api) {
        this.api = api;
    }

    /** A command that gives its event, if there is room for one. */
    interface Command {
        int enqueue(long @Nullable [] event);
    }

    /** Queues a command, which is the last one from now on: no other comes between. */
    synchronized int queued(Command command) {
        long[] event = new long[1];
        try {
            int status = command.enqueue(event);
            if (status == 0) {
                replace(event[0]);
            }
            return status;
        } catch (RuntimeException | Error e) {
            if (last != event[0]) {
                release(event[0]);
            }
            throw e;
        }
    }

    private synchronized void replace(long event) {
        long before = last;
        last = event;
        release(before);
    }

    /** The event of the last command, which the caller releases; 0 where that has none or had it taken. */
    synchronized long take() {
        long event = last;
        last = 0;
        return event;
    }

    /**
     * Waits for a command that is with the device, giving way to threads that have work to do.
     *
     * @return the status of the wait
     */
    int await(long event) {
        long start = System.nanoTime();
        long expected = lastNanos;
        boolean done = expected < LONGEST_NANOS && poll(event, start + 2 * expected + SLACK_NANOS);
        int status = done ? 0 : api.clWaitForEvents(event);
        lastNanos = System.nanoTime() - start;
        return status;
    }

    /** {@return whether the command was seen to be done; everything else is left to the call that waits} */
    @SuppressWarnings("ThreadPriorityCheck") // nothing relies on it: it only lets the device's threads go first
    private boolean poll(long event, long deadline) {
        ByteBuffer state = ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder());
        while (System.nanoTime() < deadline) {
            int status = api.clGetEventInfo(event, ClConstants.EVENT_COMMAND_EXECUTION_STATUS, state, null);
            if (status != 0 || state.getInt(0) <= 0) {
                return status == 0 && state.getInt(0) == 0;
            }
            Thread.yield();
        }
        return false;
    }

    private void release(long event) {
        if (event != 0) {
            api.clReleaseEvent(event);
        }
    }

    /** Watches nothing any more. */
    void close() {
        replace(0);
    }
}
