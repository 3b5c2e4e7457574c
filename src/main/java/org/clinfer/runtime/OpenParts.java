package org.clinfer.runtime;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The parts opened from a whole and closed with it: the sessions of a model, the models of an engine. The whole's own
 * resources are released once it is closed and its last part is gone, so that a part still at work never loses them.
 */
public final class OpenParts<T> {

    /** The function that closes a part. */
    @FunctionalInterface
    public interface Closing<T> {
        void close(T part);
    }

    private final String whole;
    private final Closing<T> closing;
    private final Runnable release;
    private final Set<T> parts = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean closed;
    private boolean released;

    /**
     * @param whole what is closed, for messages: {@code model}
     * @param release frees what all parts use; called once, after the last of them is gone
     */
    public OpenParts(String whole, Closing<T> closing, Runnable release) {
        this.whole = whole;
        this.closing = closing;
        this.release = release;
    }

    /**
     * Adds a part.
     *
     * @throws IllegalStateException if the whole is closed
     */
    public synchronized T add(T part) {
        requireOpen();
        parts.add(part);
        return part;
    }

    /**
     * Goes on if the whole is open.
     *
     * @throws IllegalStateException if it is closed
     */
    public synchronized void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the " + whole + " is closed");
        }
    }

    /** A part has released everything of its own. */
    public void gone(T part) {
        synchronized (this) {
            parts.remove(part);
        }
        releaseIfLast();
    }

    /** Closes the parts, then the whole; more calls do nothing. */
    public void close() {
        List<T> open;
        synchronized (this) {
            closed = true;
            open = List.copyOf(parts);
        }
        open.forEach(closing::close);
        releaseIfLast();
    }

    private void releaseIfLast() {
        synchronized (this) {
            if (!closed || released || !parts.isEmpty()) {
                return;
            }
            released = true;
        }
        release.run();
    }
}
