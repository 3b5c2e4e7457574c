package org.clinfer.opencl;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A native handle with its owner's rules: closed once, unusable afterwards, a failed release only logged. Where several
 * own it, the last of them releases it.
 */
final class OwnedHandle {

    private static final Logger LOG = LoggerFactory.getLogger(OwnedHandle.class);

    private final String what;
    private final LongToIntFunction release;
    private final AtomicLong handle;
    private final AtomicInteger owners;

    /**
     * @param what what it is, for messages: {@code buffer of 16 bytes}
     * @param release the release call, giving its status
     */
    OwnedHandle(String what, long handle, LongToIntFunction release) {
        this(what, handle, release, new AtomicInteger(1));
    }

    private OwnedHandle(String what, long handle, LongToIntFunction release, AtomicInteger owners) {
        this.what = what;
        this.release = release;
        this.handle = new AtomicLong(handle);
        this.owners = owners;
    }

    /**
     * The same handle for one more owner, while this one does not close it.
     *
     * @throws IllegalStateException if it is closed
     */
    OwnedHandle share() {
        long open = use();
        owners.incrementAndGet();
        return new OwnedHandle(what, open, release, owners);
    }

    /** @throws IllegalStateException after {@link #close()} */
    long use() {
        long open = handle.get();
        if (open == 0) {
            throw new IllegalStateException(what + " is closed");
        }
        return open;
    }

    boolean isOpen() {
        return handle.get() != 0;
    }

    void close() {
        long open = handle.getAndSet(0);
        if (open == 0 || owners.decrementAndGet() > 0) {
            return;
        }
        try {
            int status = release.applyAsInt(open);
            if (status != 0) {
                LOG.warn("releasing {} failed: {}", what, ClStatus.describe(status));
            }
        } catch (OutOfMemoryError e) {
            LOG.warn("releasing {} failed: {}", what, e.getMessage());
        }
    }

    @Override
    public String toString() {
        return what + (isOpen() ? "" : " (closed)");
    }
}
