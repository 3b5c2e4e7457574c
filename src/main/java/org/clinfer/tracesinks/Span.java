package org.clinfer.tracesinks;

import org.clinfer.trace.TraceEvent;

/** A time of the host that has begun, and ends once. */
public final class Span {

    private final long startNanos;
    private long endNanos;

    private Span(long startNanos) {
        this.startNanos = startNanos;
    }

    /** Begins now. */
    public static Span begin() {
        return new Span(System.nanoTime());
    }

    /** Ends now. */
    public void end() {
        endNanos = System.nanoTime();
    }

    /** From the begin to the end, or to now where it has none yet. */
    public TraceEvent.Time time() {
        if (endNanos == 0) {
            end();
        }
        return TraceEvent.Time.between(startNanos, endNanos);
    }

    /** A moment: now. */
    public static TraceEvent.Time now() {
        return new TraceEvent.Time(System.nanoTime(), 0);
    }
}
