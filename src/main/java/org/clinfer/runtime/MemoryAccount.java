package org.clinfer.runtime;

import java.util.OptionalLong;
import org.clinfer.errors.MemoryLimitException;

/**
 * The bytes that all models and sessions of an engine hold on the host and on devices, as their plans tell: weights, values
 * between inputs and results, and what passes between host and device. Thread-safe.
 */
public final class MemoryAccount {

    private final OptionalLong limit;
    private long weights;
    private long values;

    /** The kinds of what is held. */
    enum Kind {
        WEIGHTS,
        VALUES
    }

    /** Nothing held yet. */
    public MemoryAccount(OptionalLong limit) {
        this.limit = limit;
    }

    /** Bytes that are held. */
    public synchronized long held() {
        return weights + values;
    }

    /** A share of nothing, for what these words say. */
    Share open(Kind kind, String what) {
        return new Share(kind, what);
    }

    private synchronized boolean add(Kind kind, long bytes) {
        if (bytes > 0 && bytes > limit.orElse(Long.MAX_VALUE) - held()) {
            return false;
        }
        if (kind == Kind.WEIGHTS) {
            weights += bytes;
        } else {
            values += bytes;
        }
        return true;
    }

    private synchronized MemoryLimitException excess(String what, long bytes) {
        return new MemoryLimitException(
                what,
                bytes,
                held(),
                "weights " + weights + ", values of sessions " + values,
                limit.orElse(Long.MAX_VALUE));
    }

    /** The bytes that one holder has. Thread-safe. */
    final class Share {

        private final Kind kind;
        private final String what;
        private long bytes;
        private boolean closed;

        private Share(Kind kind, String what) {
            this.kind = kind;
            this.what = what;
        }

        /**
         * Changes what is held to this.
         *
         * @throws MemoryLimitException if that is more than before, and not there; nothing changes then
         */
        synchronized void set(long wanted) {
            if (!closed && !take(wanted - bytes)) {
                throw excess(what, wanted - bytes);
            }
        }

        /** Holds at least so many bytes from now on, or throws as {@link #set}. */
        synchronized void raise(long least) {
            set(Math.max(bytes, least));
        }

        /** Holds so many more, if they are there. */
        synchronized boolean take(long more) {
            if (closed || !add(kind, more)) {
                return false;
            }
            bytes += more;
            return true;
        }

        /** Gives everything back, for good. */
        synchronized void close() {
            set(0);
            closed = true;
        }
    }
}
