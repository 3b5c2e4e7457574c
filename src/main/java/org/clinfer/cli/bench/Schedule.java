package org.clinfer.cli.bench;

import java.util.Optional;

/**
 * How often everything runs.
 *
 * @param runs measured runs; empty: as many as fit {@link #MEASURED_NANOS}, at least {@link #LEAST_RUNS}
 * @param warmUps runs before these; empty: as many as fit {@link #WARM_NANOS}, at least {@link #LEAST_WARM_UPS}
 */
public record Schedule(Optional<Integer> runs, Optional<Integer> warmUps) {

    static final long MEASURED_NANOS = 3_000_000_000L;
    static final int LEAST_RUNS = 10;
    static final int MOST_RUNS = 100_000;
    static final long WARM_NANOS = 500_000_000L;
    static final int LEAST_WARM_UPS = 2;

    /** How long one contender runs before it is the other's turn. */
    static final long BLOCK_NANOS = 250_000_000L;

    /** How many measured runs there are of something that takes this long. */
    int runs(long estimatedNanos) {
        return runs.orElseGet(() ->
                (int) Math.min(MOST_RUNS, Math.max(LEAST_RUNS, MEASURED_NANOS / Math.max(1, estimatedNanos))));
    }

    /** Whether another warm-up is due after {@code done} of them, which took {@code nanos}. */
    boolean warmsUp(int done, long nanos) {
        return warmUps.map(wanted -> done < wanted)
                .orElseGet(() -> done < LEAST_WARM_UPS || (nanos < WARM_NANOS && done < MOST_RUNS));
    }

    /** How many measured runs follow one another before it is the other's turn. */
    static int block(long estimatedNanos) {
        return (int) Math.min(MOST_RUNS, Math.max(1, BLOCK_NANOS / Math.max(1, estimatedNanos)));
    }
}
