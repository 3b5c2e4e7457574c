package org.clinfer.serve;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Requests of the last five minutes, in intervals of five seconds, and how long they took. Thread-safe, of constant size. */
final class LoadHistory {

    /** Length of an interval in seconds. */
    static final int SECONDS = 5;

    private static final int INTERVALS = 60;

    /** Bounds of the times' classes in milliseconds, each about 1.8 times the one before. */
    private static final double[] BOUNDS = {
        0.1, 0.18, 0.32, 0.56, 1, 1.8, 3.2, 5.6, 10, 18, 32, 56, 100, 180, 320, 560, 1000, 1800, 3200, 5600, 10_000
    };

    private final long[] succeeded = new long[INTERVALS];
    private final long[] failed = new long[INTERVALS];
    private final long[][] times = new long[INTERVALS][BOUNDS.length + 1];
    private long newest = now();

    /**
     * The load of a version by interval and by class of time.
     *
     * @param succeeded requests by interval, the oldest first
     * @param failed those that failed
     * @param bounds upper bounds of the classes of times, in milliseconds
     * @param times requests that succeeded by class; one more than bounds
     */
    record Shown(List<Long> succeeded, List<Long> failed, List<Double> bounds, List<Long> times) {}

    /** The bounds of the times' classes. */
    static Duration[] objectives() {
        return Arrays.stream(BOUNDS)
                .mapToObj(millis -> Duration.ofNanos(Math.round(millis * 1e6)))
                .toArray(Duration[]::new);
    }

    private static long now() {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime()) / SECONDS;
    }

    /** A request was answered. */
    synchronized void ended(long nanos, boolean success) {
        int at = at(advance());
        if (!success) {
            failed[at]++;
            return;
        }
        succeeded[at]++;
        double millis = nanos / 1e6;
        int slot = 0;
        while (slot < BOUNDS.length && millis > BOUNDS[slot]) {
            slot++;
        }
        times[at][slot]++;
    }

    private static int at(long interval) {
        return Math.floorMod(interval, INTERVALS);
    }

    /** Empties the intervals that have begun since the last time. */
    private long advance() {
        long now = now();
        for (long each = Math.max(newest + 1, now - INTERVALS + 1); each <= now; each++) {
            succeeded[at(each)] = 0;
            failed[at(each)] = 0;
            times[at(each)] = new long[BOUNDS.length + 1];
        }
        newest = Math.max(newest, now);
        return newest;
    }

    synchronized Shown shown() {
        long last = advance();
        List<Long> good = new ArrayList<>();
        List<Long> bad = new ArrayList<>();
        long[] sums = new long[BOUNDS.length + 1];
        for (long each = last - INTERVALS + 1; each <= last; each++) {
            good.add(succeeded[at(each)]);
            bad.add(failed[at(each)]);
            for (int slot = 0; slot < sums.length; slot++) {
                sums[slot] += times[at(each)][slot];
            }
        }
        List<Double> bounds = new ArrayList<>();
        for (double bound : BOUNDS) {
            bounds.add(bound);
        }
        List<Long> all = new ArrayList<>();
        for (long sum : sums) {
            all.add(sum);
        }
        return new Shown(good, bad, bounds, all);
    }
}
