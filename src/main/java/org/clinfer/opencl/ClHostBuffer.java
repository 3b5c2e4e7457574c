package org.clinfer.opencl;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A buffer without memory of its own: it uses memory of the host that is lent to it, on devices that share the host's
 * without a copy. Kernels keep it as an argument while one memory follows another. Host memory that a kernel writes
 * holds the results after {@link ClQueue#mapAsync} and {@link ClQueue#finish()}. For one thread at a time.
 */
public final class ClHostBuffer extends ClBuffer {

    /** Memory must begin at a multiple of this many bytes to be lent, because kernels read and write whole vectors. */
    public static final int ALIGNMENT = 64;

    private final DeviceCalls calls;
    private final OwnedHandle context;
    private final ClAccess access;
    private @Nullable ByteBuffer memory;

    ClHostBuffer(DeviceCalls calls, OwnedHandle context, long bytes, ClAccess access) {
        super(calls, 0, bytes, "buffer over host memory");
        this.calls = calls;
        this.context = context;
        this.access = access;
    }

    /** {@return whether memory begins where {@link #lend} needs it to} */
    public static boolean fits(ByteBuffer memory) {
        return memory.alignmentOffset(memory.position(), ALIGNMENT) == 0;
    }

    /**
     * Uses other memory from now on. The caller leaves it alone until the commands that use it are done.
     *
     * @param host direct, from position to limit as long as the buffer, see {@link #fits}
     * @throws ClException if the device cannot use it
     */
    public void lend(ByteBuffer host) {
        ClQueue.requireDirect(host);
        if (host.remaining() != bytes() || !fits(host)) {
            throw new IllegalArgumentException("a " + this + " cannot use " + host);
        }
        int[] status = new int[1];
        long flags = access.flags() | ClConstants.MEM_USE_HOST_PTR;
        long handle;
        synchronized (DeviceCalls.MEMORY) {
            handle = calls.api().clCreateBuffer(context.use(), flags, bytes(), host, status);
        }
        calls.check("clCreateBuffer", status[0]);
        exchange(handle);
        memory = host;
    }

    /** Has no memory any more; only after the commands that use it are done. */
    @Override
    public void close() {
        super.close();
        memory = null;
    }

    /** The memory lent to it; empty while it has none. */
    public Optional<ByteBuffer> memory() {
        return Optional.ofNullable(memory);
    }
}
