package org.clinfer.opencl;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Waits until the commands of a queue are done; thread-safe. */
final class QueueEnd {

    private final DeviceCalls calls;
    private final OwnedHandle queue;
    private final @Nullable CommandWatch watch;
    private final @Nullable CommandLog log;

    /** The mark that commands may have gone to the device otherwise than by a call that waits for all of them. */
    private volatile boolean flushed;

    QueueEnd(DeviceCalls calls, OwnedHandle queue, @Nullable CommandWatch watch, @Nullable CommandLog log) {
        this.calls = calls;
        this.queue = queue;
        this.watch = watch;
        this.log = log;
    }

    /** From now on commands go to the device before they are waited for. */
    void flushing() {
        flushed = true;
    }

    /**
     * Waits. There are drivers whose clFinish waits only for commands that were not flushed before it. So the last command
     * of a flushed queue, which is in order, is waited for by its event.
     *
     * @return the status of clFinish
     */
    int await() {
        long logged = log == null || watch == null || flushed ? 0 : log.last();
        if (logged != 0) {
            calls.check("clFlush", calls.api().clFlush(queue.use()));
            calls.check("clWaitForEvents", Objects.requireNonNull(watch).await(logged));
        } else if (watch != null || flushed) {
            long last = watch == null || log != null ? 0 : watch.take();
            await(last == 0 ? marker() : last);
        }
        return calls.api().clFinish(queue.use());
    }

    private void await(long event) {
        try {
            if (watch == null) {
                calls.check("clWaitForEvents", calls.api().clWaitForEvents(event));
            } else {
                calls.check("clFlush", calls.api().clFlush(queue.use()));
                calls.check("clWaitForEvents", watch.await(event));
            }
        } finally {
            calls.api().clReleaseEvent(event);
        }
    }

    private long marker() {
        long[] event = new long[1];
        try {
            calls.check("clEnqueueMarkerWithWaitList", calls.api().clEnqueueMarkerWithWaitList(queue.use(), event));
            return event[0];
        } catch (RuntimeException | Error e) {
            if (event[0] != 0) {
                calls.api().clReleaseEvent(event[0]);
            }
            throw e;
        }
    }
}
