package org.clinfer.opencl;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An in-order queue of commands for one device. Host data is in direct byte buffers, from position to limit; positions
 * are left alone. Safe for use from several threads, which share the order.
 */
public final class ClQueue implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ClQueue.class);

    private final DeviceCalls calls;
    private final OwnedHandle queue;

    private final PendingMemory pending = new PendingMemory();

    private final @Nullable CommandWatch watch;

    private final @Nullable CommandLog log;

    private final QueueEnd end;

    /** @param log of a queue with profiling: keeps its commands */
    ClQueue(DeviceCalls calls, long handle, @Nullable CommandWatch watch, @Nullable CommandLog log) {
        this.calls = calls;
        this.watch = watch;
        this.log = log;
        this.queue = new OwnedHandle("queue on " + calls.device().name(), handle, calls.api()::clReleaseCommandQueue);
        this.end = new QueueEnd(calls, queue, watch, log);
    }

    /** Copies host data into the buffer and waits for it. */
    public void write(ClBuffer target, long offset, ByteBuffer source) {
        transferable(target, offset, source);
        if (source.hasRemaining()) {
            calls.counter().transferred();
            waiting(
                    "clEnqueueWriteBuffer",
                    () -> atOnce(
                            "write",
                            source.remaining(),
                            event -> calls.api()
                                    .clEnqueueWriteBuffer(queue.use(), target.handle(), true, offset, source, event)));
        }
    }

    /**
     * Starts copying host data into the buffer; leave {@code source} unchanged until {@link #finish()} or a later
     * blocking transfer returns.
     */
    public void writeAsync(ClBuffer target, long offset, ByteBuffer source) {
        transferable(target, offset, source);
        if (source.hasRemaining()) {
            calls.counter().transferred();
            pending.queueing(
                    source,
                    () -> calls.check(
                            "clEnqueueWriteBuffer",
                            queued(
                                    transfer("write", source.remaining()),
                                    event -> calls.api()
                                            .clEnqueueWriteBuffer(
                                                    queue.use(), target.handle(), false, offset, source, event))));
        }
    }

    /** Copies from the buffer into host memory and waits for it. */
    public void read(ClBuffer source, long offset, ByteBuffer target) {
        readable(source, offset, target);
        if (target.hasRemaining()) {
            calls.counter().transferred();
            waiting(
                    "clEnqueueReadBuffer",
                    () -> atOnce(
                            "read",
                            target.remaining(),
                            event -> calls.api()
                                    .clEnqueueReadBuffer(queue.use(), source.handle(), true, offset, target, event)));
        }
    }

    /**
     * Starts copying from the buffer into host memory, which holds the data after {@link #finish()} or a later blocking
     * transfer.
     */
    public void readAsync(ClBuffer source, long offset, ByteBuffer target) {
        readable(source, offset, target);
        if (target.hasRemaining()) {
            calls.counter().transferred();
            pending.queueing(
                    target,
                    () -> calls.check(
                            "clEnqueueReadBuffer",
                            queued(
                                    transfer("read", target.remaining()),
                                    event -> calls.api()
                                            .clEnqueueReadBuffer(
                                                    queue.use(), source.handle(), false, offset, target, event))));
        }
    }

    /** As {@link #writeAsync} of at least a byte, giving an event that the caller closes. */
    public ClEvent startWrite(ClBuffer target, long offset, ByteBuffer source) {
        transferable(target, offset, source);
        return started(
                "clEnqueueWriteBuffer",
                "write",
                source,
                event -> calls.api().clEnqueueWriteBuffer(queue.use(), target.handle(), false, offset, source, event));
    }

    /** As {@link #readAsync} of at least a byte, giving an event that the caller closes. */
    public ClEvent startRead(ClBuffer source, long offset, ByteBuffer target) {
        readable(source, offset, target);
        return started(
                "clEnqueueReadBuffer",
                "read",
                target,
                event -> calls.api().clEnqueueReadBuffer(queue.use(), source.handle(), false, offset, target, event));
    }

    private ClEvent started(String call, String name, ByteBuffer host, CommandWatch.Command transfer) {
        end.flushing(); // whoever waits for the event flushes the queue
        calls.counter().transferred();
        long[] event = new long[1];
        long start = log == null ? 0 : System.nanoTime();
        try {
            pending.queueing(host, () -> calls.check(call, lent(ignored -> transfer.enqueue(event))));
            return event(
                    event[0], transfer(name, host.remaining()), start, "a transfer of " + host.remaining() + " bytes");
        } catch (RuntimeException | Error e) {
            release(event);
            throw e;
        }
    }

    private static void transferable(ClBuffer buffer, long offset, ByteBuffer host) {
        requireDirect(host);
        buffer.requireRange(offset, host.remaining());
    }

    private static void readable(ClBuffer source, long offset, ByteBuffer target) {
        if (target.isReadOnly()) {
            throw new IllegalArgumentException("cannot read into a read-only byte buffer");
        }
        transferable(source, offset, target);
    }

    static void requireDirect(ByteBuffer host) {
        if (!host.isDirect()) {
            throw new IllegalArgumentException("device transfers need a direct byte buffer");
        }
    }

    /** Copies between buffers of this context; the ranges must not overlap. */
    public void copy(ClBuffer source, long sourceOffset, ClBuffer target, long targetOffset, long bytes) {
        source.requireRange(sourceOffset, bytes);
        target.requireRange(targetOffset, bytes);
        if (bytes > 0) {
            calls.check(
                    "clEnqueueCopyBuffer",
                    queued(
                            transfer("copy", bytes),
                            event -> calls.api()
                                    .clEnqueueCopyBuffer(
                                            queue.use(),
                                            source.handle(),
                                            target.handle(),
                                            sourceOffset,
                                            targetOffset,
                                            bytes)));
        }
    }

    /** Sets every byte of a part of the buffer. */
    public void fill(ClBuffer target, long offset, long bytes, byte pattern) {
        target.requireRange(offset, bytes);
        if (bytes > 0) {
            calls.check(
                    "clEnqueueFillBuffer",
                    queued(
                            transfer("fill", bytes),
                            event -> calls.api()
                                    .clEnqueueFillBuffer(queue.use(), target.handle(), pattern, offset, bytes)));
        }
    }

    /** Waits for earlier commands and shows a part of the buffer as host memory, for reading and writing. */
    public ClMapping map(ClBuffer buffer, long offset, int bytes) {
        buffer.requireRange(offset, bytes);
        return mapped(buffer, true, ClConstants.MAP_READ | ClConstants.MAP_WRITE, offset, bytes);
    }

    /** Starts to show the whole buffer as host memory for reading, which it is after {@link #finish()}. */
    public ClMapping mapAsync(ClBuffer buffer) {
        return mapped(buffer, false, ClConstants.MAP_READ, 0, Math.toIntExact(buffer.bytes()));
    }

    private ClMapping mapped(ClBuffer buffer, boolean blocking, long flags, long offset, int bytes) {
        int[] status = new int[1];
        ByteBuffer[] mapped = new ByteBuffer[1];
        CommandWatch.Command map = event -> {
            mapped[0] = calls.api()
                    .clEnqueueMapBuffer(queue.use(), buffer.handle(), blocking, flags, offset, bytes, status);
            return status[0];
        };
        calls.counter().transferred();
        if (blocking) {
            calls.counter().waited();
        }
        calls.check("clEnqueueMapBuffer", blocking ? atOnce("map", bytes, map) : queued(transfer("map", bytes), map));
        ByteBuffer memory = mapped[0];
        if (memory == null) {
            throw calls.failure("clEnqueueMapBuffer", ClStatus.CL_MAP_FAILURE.code());
        }
        return new ClMapping(this, buffer, memory);
    }

    boolean isOpen() {
        return queue.isOpen();
    }

    int unmap(ClBuffer buffer, ByteBuffer mapped) {
        return queued(
                transfer("unmap", mapped.remaining()),
                event -> calls.api().clEnqueueUnmapMemObject(queue.use(), buffer.handle(), mapped));
    }

    /**
     * Launches a kernel with the arguments it has now.
     *
     * @param global work-items in each of one to three dimensions
     * @param local work-group size in each, or null for the driver's choice
     * @throws IllegalStateException if an argument is not set or one of its buffers is closed
     */
    public void launch(ClKernel kernel, long[] global, long @Nullable [] local) {
        queued(CommandLog.Label.kernel(kernel.entry()), event -> launch(kernel, global, local, event));
    }

    /** As {@link #launch}, giving an event that the caller closes. */
    public ClEvent launchTimed(ClKernel kernel, long[] global, long @Nullable [] local) {
        end.flushing(); // whoever waits for the event flushes the queue
        long[] event = new long[1];
        long start = log == null ? 0 : System.nanoTime();
        try {
            lent(ignored -> launch(kernel, global, local, event));
            return event(event[0], CommandLog.Label.kernel(kernel.entry()), start, "kernel " + kernel.entry());
        } catch (RuntimeException | Error e) {
            release(event);
            throw e;
        }
    }

    private int launch(ClKernel kernel, long[] global, long @Nullable [] local, long @Nullable [] event) {
        requireSizes(kernel, global);
        if (local != null) {
            requireSizes(kernel, local);
            if (local.length != global.length) {
                throw new IllegalArgumentException("kernel " + kernel.entry() + ": " + global.length
                        + " global sizes, but " + local.length + " local ones");
            }
        }
        int status = calls.api().clEnqueueNDRangeKernel(queue.use(), kernel.launchable(), global, local, event);
        calls.check("clEnqueueNDRangeKernel", kernel.entry(), status);
        calls.counter().launched();
        return status;
    }

    /** Queues a command that nobody waits for yet; a watched or logged queue keeps its event where the command gives one. */
    private int queued(CommandLog.Label label, CommandWatch.Command command) {
        return log == null ? lent(command) : log.queued(label, command);
    }

    /** The same with an event that the caller may keep. */
    private int lent(CommandWatch.Command command) {
        return watch == null || log != null ? command.enqueue(null) : watch.queued(command);
    }

    /** Makes a call that returns when the command is done. */
    private int atOnce(String name, long bytes, CommandWatch.Command command) {
        return log == null ? command.enqueue(null) : log.queued(transfer(name, bytes), command);
    }

    private static CommandLog.Label transfer(String name, long bytes) {
        return CommandLog.Label.transfer(name, bytes);
    }

    private ClEvent event(long handle, CommandLog.Label label, long startNanos, String description) {
        return log == null
                ? new ClEvent(calls, handle, description, null)
                : log.started(label, startNanos, handle, description);
    }

    /**
     * The commands of a queue with a log.
     *
     * @throws IllegalStateException if it has none
     */
    public CommandLog log() {
        if (log == null) {
            throw new IllegalStateException("the queue has no log");
        }
        return log;
    }

    private static void requireSizes(ClKernel kernel, long[] sizes) {
        if (sizes.length < 1 || sizes.length > 3) {
            throw new IllegalArgumentException(
                    "kernel " + kernel.entry() + ": one to three dimensions, not " + sizes.length);
        }
        for (long size : sizes) {
            if (size <= 0) {
                throw new IllegalArgumentException("kernel " + kernel.entry() + ": a size of " + size);
            }
        }
    }

    /** Hands all commands to the device without waiting. */
    public void flush() {
        end.flushing();
        calls.check("clFlush", calls.api().clFlush(queue.use()));
    }

    /** Waits until all commands queued so far are done. */
    public void finish() {
        waiting("clFinish", end::await);
    }

    /** Gives up the event of a command, if it has come to have one. */
    private void release(long[] event) {
        if (event[0] != 0) {
            calls.api().clReleaseEvent(event[0]);
        }
    }

    /** Makes a call that returns only after all earlier commands, which are then done with their host memory. */
    private void waiting(String call, IntSupplier command) {
        calls.counter().waited();
        pending.waiting(command, status -> calls.check(call, status));
    }

    /** Waits for transfers that still use host memory, then gives the queue up; other commands run on. */
    @Override
    public void close() {
        if (!queue.isOpen()) {
            return;
        }
        List<ByteBuffer> finishing = pending.take();
        try {
            if (!finishing.isEmpty()) {
                calls.check("clFinish", end.await());
            }
        } catch (ClException | OutOfMemoryError e) {
            LOG.warn("finishing {} before its release failed: {}", queue, e.getMessage());
        } finally {
            if (watch != null) {
                watch.close();
            }
            if (log != null) {
                log.close();
            }
            queue.close();
            Reference.reachabilityFence(finishing);
        }
    }

    @Override
    public String toString() {
        return queue.toString();
    }
}
