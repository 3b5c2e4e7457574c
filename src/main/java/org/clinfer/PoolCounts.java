package org.clinfer;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.LongAdder;
import org.clinfer.errors.RefusedException;
import org.jspecify.annotations.Nullable;

/** The counts of a pool. Thread-safe. */
final class PoolCounts {

    private final LongAdder done = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder cancelled = new LongAdder();
    private final LongAdder runs = new LongAdder();
    private final LongAdder batches = new LongAdder();
    private final LongAdder batched = new LongAdder();
    private final LongAdder waitedNanos = new LongAdder();
    private final LongAdder ranNanos = new LongAdder();

    /** Counts a request for which there was no place. */
    void refused() {
        refused.increment();
    }

    /** Counts the end of a request; without a failure it has a result. */
    void ended(@Nullable Throwable failure) {
        if (failure == null) {
            done.increment();
        } else if (failure instanceof CancellationException) {
            cancelled.increment();
        } else if (failure instanceof RefusedException refusal && refusal.reason() == RefusedException.Reason.LATE) {
            late.increment();
        } else {
            failed.increment();
        }
    }

    /**
     * Counts a run that has outputs.
     *
     * @param requests that share it
     * @param waited what they waited before it, together, in nanoseconds
     */
    void ran(int requests, long waited, long nanos) {
        runs.increment();
        if (requests > 1) {
            batches.increment();
            batched.add(requests);
        }
        waitedNanos.add(waited);
        ranNanos.add(nanos);
    }

    /** The counts as they are. */
    PoolStatistics statistics(int waiting, int running) {
        return new PoolStatistics(
                waiting,
                running,
                done.sum(),
                failed.sum(),
                refused.sum(),
                late.sum(),
                cancelled.sum(),
                runs.sum(),
                batches.sum(),
                batched.sum(),
                Duration.ofNanos(waitedNanos.sum()),
                Duration.ofNanos(ranNanos.sum()));
    }
}
