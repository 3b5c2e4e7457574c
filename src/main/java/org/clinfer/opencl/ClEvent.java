package org.clinfer.opencl;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The progress of one command, owned by whoever asked for it. Times are the device's clock, in nanoseconds. */
public final class ClEvent implements AutoCloseable {

    private final DeviceCalls calls;
    private final OwnedHandle event;
    private final @Nullable Consumer<ClEvent> closing;

    /** @param closing called once before it is given up */
    ClEvent(DeviceCalls calls, long handle, String command, @Nullable Consumer<ClEvent> closing) {
        this.calls = calls;
        this.closing = closing;
        this.event = new OwnedHandle("event of " + command, handle, calls.api()::clReleaseEvent);
    }

    long handle() {
        return event.use();
    }

    /** Waits for the command to finish. */
    public void await() {
        calls.counter().waited();
        calls.check("clWaitForEvents", calls.api().clWaitForEvents(event.use()));
    }

    /** {@return whether the command has finished, without waiting} */
    public boolean isDone() {
        long handle = event.use();
        InfoQuery question = (value, size) ->
                calls.api().clGetEventInfo(handle, ClConstants.EVENT_COMMAND_EXECUTION_STATUS, value, size);
        InfoQuery.Answer answer = question.answer();
        calls.check("clGetEventInfo", answer.status());
        int execution = (int) answer.number();
        if (execution < 0) {
            throw calls.failure(event.toString(), execution);
        }
        return execution == 0;
    }

    /**
     * The time at which the command was queued; like all times here, of a queue with profiling and a finished command.
     *
     * @throws ClException with {@link ClStatus#CL_PROFILING_INFO_NOT_AVAILABLE} otherwise
     */
    public long queuedNanos() {
        return nanos(ClConstants.PROFILING_COMMAND_QUEUED);
    }

    public long submitNanos() {
        return nanos(ClConstants.PROFILING_COMMAND_SUBMIT);
    }

    public long startNanos() {
        return nanos(ClConstants.PROFILING_COMMAND_START);
    }

    public long endNanos() {
        return nanos(ClConstants.PROFILING_COMMAND_END);
    }

    /** The time that the command ran. */
    public long durationNanos() {
        return endNanos() - startNanos();
    }

    private long nanos(int name) {
        long[] nanos = new long[1];
        calls.check("clGetEventProfilingInfo", calls.api().clGetEventProfilingInfo(event.use(), name, nanos));
        return nanos[0];
    }

    @Override
    public void close() {
        if (closing != null && event.isOpen()) {
            closing.accept(this);
        }
        event.close();
    }

    @Override
    public String toString() {
        return event.toString();
    }
}
