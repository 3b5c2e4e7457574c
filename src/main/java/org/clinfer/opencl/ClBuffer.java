package org.clinfer.opencl;

import org.jspecify.annotations.Nullable;

/** Device memory, owned by whoever made it. */
public sealed class ClBuffer implements AutoCloseable permits ClHostBuffer {

    private final DeviceCalls calls;
    private final String kind;
    private volatile OwnedHandle buffer;
    private int version;
    private final long bytes;
    private final @Nullable ClBuffer whole;
    private final long offset;

    ClBuffer(DeviceCalls calls, long handle, long bytes, String kind) {
        this(calls, owned(calls, handle, bytes, kind), bytes, kind, null, 0);
    }

    private ClBuffer(
            DeviceCalls calls, OwnedHandle handle, long bytes, String kind, @Nullable ClBuffer whole, long offset) {
        this.calls = calls;
        this.bytes = bytes;
        this.whole = whole;
        this.offset = offset;
        this.kind = kind;
        this.buffer = handle;
    }

    private static OwnedHandle owned(DeviceCalls calls, long handle, long bytes, String kind) {
        return new OwnedHandle(kind + " of " + bytes + " bytes", handle, memory -> {
            synchronized (DeviceCalls.MEMORY) {
                return calls.api().clReleaseMemObject(memory);
            }
        });
    }

    /** Gives the old memory up and has another one from now on. */
    final void exchange(long handle) {
        OwnedHandle old = buffer;
        buffer = owned(calls, handle, bytes, kind);
        version++;
        old.close();
    }

    /** Changes with the handle: a kernel that has the buffer as an argument must be given it again. */
    final int version() {
        return version;
    }

    public long bytes() {
        return bytes;
    }

    /** The buffer that this one is a part of, or itself. */
    public ClBuffer whole() {
        return whole == null ? this : whole;
    }

    /** The begin of the buffer in {@link #whole()}, in bytes. */
    public long offset() {
        return offset;
    }

    /**
     * A part of this buffer as a buffer of its own, owned by the caller; it stays valid when this one is closed.
     *
     * @param offset in bytes, a multiple of the device's {@code mem_base_addr_align / 8}
     * @throws IllegalArgumentException if the part is empty or not inside this buffer
     * @throws ClException if the offset is not aligned
     */
    public ClBuffer sub(long offset, long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("a sub-buffer needs at least 1 byte, not " + bytes);
        }
        requireRange(offset, bytes);
        int[] status = new int[1];
        long handle;
        synchronized (DeviceCalls.MEMORY) {
            handle = calls.api().clCreateSubBuffer(buffer.use(), 0, offset, bytes, status);
        }
        calls.check("clCreateSubBuffer", status[0]);
        return new ClBuffer(calls, owned(calls, handle, bytes, "sub-buffer"), bytes, "sub-buffer", this, offset);
    }

    /**
     * The whole of this buffer for one more owner: its memory is given back when all of them have closed it.
     *
     * @throws IllegalStateException if it is closed
     */
    public ClBuffer share() {
        return new ClBuffer(calls, buffer.share(), bytes, kind, whole, offset);
    }

    void requireRange(long offset, long length) {
        if (offset < 0 || length < 0 || length > bytes - offset) {
            throw new IllegalArgumentException(
                    "bytes " + offset + " to " + (offset + length) + " are not inside the " + buffer);
        }
    }

    boolean isOpen() {
        return buffer.isOpen();
    }

    long handle() {
        return buffer.use();
    }

    @Override
    public void close() {
        buffer.close();
    }

    @Override
    public String toString() {
        return buffer.toString();
    }
}
