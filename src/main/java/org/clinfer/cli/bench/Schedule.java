package org.clinfer.cli.bench;

import java.util.Optional;

/**
 * The numbers of measured runs and of warm-ups.
 *
 * @param runs measured runs; empty: as many as fit {@link #MEASURED_NANOS}, at least {@link #LEAST_RUNS}
 * @param warmUps runs before these; empty: for {@link #WARM_NANOS}, at least {@link #LEAST_WARM_UPS}, and longer while runs
 *     still become faster, as those of small networks do until the JVM has compiled everything
 */
public record Schedule(Optional<Integer> runs, Optional<Integer> warmUps) {

    static final long MEASURED_NANOS = 3_000_000_000L;
    static final int LEAST_RUNS = 10;
    static final int MOST_RUNS = 100_000;
    static final long WARM_NANOS = 500_000_000L;
    static final long MOST_WARM_NANOS = 3_000_000_000L;
    static final int LEAST_WARM_UPS = 2;

    /** The time that one contender runs before it is the other's turn. */
    static final long BLOCK_NANOS = 250_000_000L;

    /**
     * The number of measured runs that follow one another before it is the other's turn; 0 when there are enough.
     *
     * @param done measured runs so far
     * @param nanos what they took
     * @param estimate how long one takes
     */
    int block(int done, long nanos, long estimate) {
        long block = Math.max(1, BLOCK_NANOS / Math.max(1, estimate));
        return (int) Math.min(block, runs.isPresent() ? runs.get() - done : due(done, nanos, estimate));
    }

    private static long due(int done, long nanos, long estimate) {
        long fitting = Math.max(0, MEASURED_NANOS - nanos) / Math.max(1, estimate);
        return Math.min(MOST_RUNS - done, Math.max(LEAST_RUNS - done, fitting));
    }

    /**
     * {@return whether another warm-up is due}
     *
     * @param done warm-ups so far
     * @param nanos what they took
     * @param improved what they had taken when they were last faster than ever before
     */
    boolean warmsUp(int done, long nanos, long improved) {
        if (warmUps.isPresent()) {
            return done < warmUps.get();
        }
        boolean isDue = nanos < WARM_NANOS || (nanos < 2 * improved && nanos < MOST_WARM_NANOS);
        return done < LEAST_WARM_UPS || (isDue && done < MOST_RUNS);
    }
}
