package org.clinfer.opencl;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A part of a buffer seen as host memory, until closed; close it before its queue and its buffer. */
public final class ClMapping implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ClMapping.class);

    private final ClQueue queue;
    private final ClBuffer buffer;
    private final ByteBuffer memory;
    private final AtomicBoolean open = new AtomicBoolean(true);

    ClMapping(ClQueue queue, ClBuffer buffer, ByteBuffer memory) {
        this.queue = queue;
        this.buffer = buffer;
        this.memory = memory;
    }

    /**
     * The memory in the host's byte order. Views of it must not be touched after {@link #close()}: they may then point
     * nowhere.
     */
    public ByteBuffer bytes() {
        if (!open.get()) {
            throw new IllegalStateException("mapping of " + buffer + " is closed");
        }
        return memory.duplicate().order(ByteOrder.nativeOrder());
    }

    /** Hands the memory back to the device; what was written is there for commands queued from now on. */
    @Override
    public void close() {
        if (!open.getAndSet(false)) {
            return;
        }
        if (!queue.isOpen() || !buffer.isOpen()) {
            LOG.warn("mapping of {} outlived its queue or buffer and was not unmapped", buffer);
            return;
        }
        int status = queue.unmap(buffer, memory);
        if (status != 0) {
            LOG.warn("unmapping {} failed: {}", buffer, ClStatus.describe(status));
        }
    }
}
