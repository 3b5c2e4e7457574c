package org.clinfer.serve;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.clinfer.trace.TraceEvent;
import org.clinfer.trace.TraceSink;

/** Lets runs begin, or makes them wait at their beginning, on any device. */
public final class RunGate implements TraceSink {

    private static final int SECONDS = 60;

    private final Semaphore arrived = new Semaphore(0);
    private final Semaphore through = new Semaphore(0);
    private volatile boolean shut;

    /** Asked at the beginning of each run. */
    @Override
    public Detail detail() {
        if (shut) {
            arrived.release();
            take(through, 1);
        }
        return Detail.NONE;
    }

    @Override
    public void accept(TraceEvent event) {}

    /** Makes runs from now on wait. */
    public void shut() {
        arrived.drainPermits();
        through.drainPermits();
        shut = true;
    }

    /** Waits until this many runs are at the gate. */
    public void await(int runs) {
        take(arrived, runs);
    }

    /** Lets all runs through. */
    public void open() {
        shut = false;
        through.release(Short.MAX_VALUE);
    }

    private static void take(Semaphore semaphore, int permits) {
        try {
            if (!semaphore.tryAcquire(permits, SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nobody came within " + SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
