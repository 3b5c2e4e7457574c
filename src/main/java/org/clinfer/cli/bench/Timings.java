package org.clinfer.cli.bench;

import java.util.Arrays;

/** The times of some runs. */
public final class Timings {

    private static final double NANOS_PER_MILLI = 1e6;

    private final long[] sortedNanos;

    /** @param nanos one per run, at least one */
    Timings(long... nanos) {
        if (nanos.length == 0) {
            throw new IllegalArgumentException("no runs");
        }
        this.sortedNanos = nanos.clone();
        Arrays.sort(sortedNanos);
    }

    public int runs() {
        return sortedNanos.length;
    }

    public double medianMillis() {
        int middle = sortedNanos.length / 2;
        return sortedNanos.length % 2 == 1
                ? sortedNanos[middle] / NANOS_PER_MILLI
                : (sortedNanos[middle - 1] + sortedNanos[middle]) / 2.0 / NANOS_PER_MILLI;
    }

    /** The time that a tenth of the runs, and no fewer, do not exceed: the speed when nothing else is in the way. */
    public double p10Millis() {
        return rank(10);
    }

    public double p90Millis() {
        return rank(90);
    }

    public double p99Millis() {
        return rank(99);
    }

    /** The nearest rank: always the time of a run. */
    private double rank(int percent) {
        int rank = Math.max(1, (percent * sortedNanos.length + 99) / 100);
        return sortedNanos[rank - 1] / NANOS_PER_MILLI;
    }
}
