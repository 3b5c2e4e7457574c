package org.clinfer.run;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.clinfer.opencl.ClAccess;
import org.clinfer.opencl.ClBuffer;
import org.clinfer.opencl.ClQueue;
import org.clinfer.plan.MemoryLimits;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Memory that is given back as a whole. What is announced before it is asked for lies in few large buffers, because one
 * launch takes few; the rest is in buffers of its own. Thread-safe.
 */
final class BufferPool implements AutoCloseable {

    /** So many bytes at most are copied on the host, so that a block can be made of them. */
    private static final long MOST_FILLED = 1 << 20;

    private final DeviceRuntime runtime;
    private final MemoryLimits limits;
    private final List<ClBuffer> blocks = new ArrayList<>();
    private @Nullable ClBuffer current;
    private @Nullable ClQueue queue;
    private long used;
    private long announced;

    BufferPool(DeviceRuntime runtime) {
        this.runtime = runtime;
        this.limits = MemoryLimits.of(runtime.facts());
    }

    /** The bytes that a buffer takes of a block. */
    long aligned(long bytes) {
        long alignment = limits.alignment();
        return (Math.max(bytes, 1) + alignment - 1) / alignment * alignment;
    }

    /** Buffers of so many {@link #aligned} bytes in all will be asked for next. */
    synchronized void announce(long bytes) {
        announced = Math.max(announced, bytes - free());
    }

    private long free() {
        return current == null ? 0 : current.bytes() - used;
    }

    /** An uninitialised buffer, owned by the caller; it must be closed before the pool. */
    ClBuffer take(long bytes) {
        ClBuffer part = part(bytes);
        return part != null ? part : runtime.context().buffer(Math.max(bytes, 1), ClAccess.READ_WRITE);
    }

    /** A part of a large buffer; null where none has room and none is announced. */
    private synchronized @Nullable ClBuffer part(long bytes) {
        long size = aligned(bytes);
        ClBuffer block = current;
        if (block == null || size > free()) {
            long blockBytes = Math.min(announced, limits.chunkBytes());
            if (blockBytes < size) {
                return null;
            }
            block = runtime.context().buffer(blockBytes, ClAccess.READ_WRITE);
            begin(block);
            announced -= blockBytes;
        }
        ClBuffer part = block.sub(used, Math.max(bytes, 1));
        used += size;
        return part;
    }

    /** A buffer that holds a copy of {@code constant}, owned by the caller; it must be closed before the pool. */
    ClBuffer upload(Tensor constant) {
        ClBuffer buffer = begin(constant);
        try {
            arrive();
            return buffer;
        } catch (RuntimeException | Error e) {
            buffer.close();
            throw e;
        }
    }

    /**
     * Buffers that hold copies of constants, owned by the caller; they must be closed before the pool. The block that they
     * lie in is made of what they hold, without a command, where they are few bytes and the first in it.
     */
    List<ClBuffer> upload(List<Tensor> constants) {
        List<ClBuffer> buffers = new ArrayList<>();
        try {
            if (fill(constants)) {
                for (Tensor constant : constants) {
                    buffers.add(take(constant.type().bytes()));
                }
                return buffers;
            }
            for (Tensor constant : constants) {
                buffers.add(begin(constant));
            }
            arrive();
            return buffers;
        } catch (RuntimeException | Error e) {
            buffers.forEach(ClBuffer::close);
            throw e;
        }
    }

    /** Makes a block of what the next parts are to hold; false where that is not worth it. */
    private synchronized boolean fill(List<Tensor> constants) {
        boolean isFew = announced > 0 && announced <= Math.min(MOST_FILLED, limits.chunkBytes());
        if (constants.isEmpty() || current != null || !isFew) {
            return false;
        }
        ByteBuffer memory = Tensor.alignedMemory(Math.toIntExact(announced));
        int begin = 0;
        for (Tensor constant : constants) {
            int bytes = Math.toIntExact(constant.type().bytes());
            if (begin + bytes > announced) {
                return false;
            }
            constant.writeTo(memory.slice(begin, bytes).order(ByteOrder.LITTLE_ENDIAN));
            begin = Math.toIntExact(begin + aligned(bytes));
        }
        begin(runtime.context().bufferOf(memory, ClAccess.READ_WRITE));
        announced = 0;
        return true;
    }

    private void begin(ClBuffer block) {
        blocks.add(block);
        current = block;
        used = 0;
    }

    /** Waits for the copies that were begun. */
    private synchronized void arrive() {
        if (queue != null) {
            queue.finish();
        }
    }

    /** A buffer before a constant is copied there, which is after {@link #arrive}; until then it is not to change. */
    private ClBuffer begin(Tensor constant) {
        if (constant.elements() == 0) {
            return take(1);
        }
        ClBuffer part = part(constant.type().bytes());
        ByteBuffer memory = constant.isStored() ? constant.bytes() : new PassingMemory().take(constant);
        if (part == null) {
            return runtime.context().bufferOf(memory, ClAccess.READ_ONLY);
        }
        try {
            queue().writeAsync(part, 0, memory);
            return part;
        } catch (RuntimeException | Error e) {
            part.close();
            throw e;
        }
    }

    private synchronized ClQueue queue() {
        ClQueue known = queue;
        if (known == null) {
            known = runtime.context().queue(false);
            queue = known;
        }
        return known;
    }

    @Override
    public synchronized void close() {
        if (queue != null) {
            queue.close();
            queue = null;
        }
        blocks.forEach(ClBuffer::close);
        blocks.clear();
        current = null;
        announced = 0;
    }
}
