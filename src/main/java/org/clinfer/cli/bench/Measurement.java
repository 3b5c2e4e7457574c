package org.clinfer.cli.bench;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Measures contenders in one process, each as often. Where there are several they take turns in blocks, in an order that
 * is turned around every round, so that what else happens on the machine meets all of them alike. A block of several runs
 * begins with one that is not measured: it finds the caches, and waiting threads, as the other contender left them.
 */
public final class Measurement {

    /** The part of the fastest time so far that a warm-up takes that shows that more of them are due. */
    static final double IMPROVEMENT = 0.95;

    private final Schedule schedule;
    private final LongSupplier clock;

    public Measurement(Schedule schedule) {
        this(schedule, System::nanoTime);
    }

    /** @param clock nanoseconds since whenever */
    Measurement(Schedule schedule, LongSupplier clock) {
        this.schedule = schedule;
        this.clock = clock;
    }

    /** Warms every contender up, then measures; the timings are in the order of the contenders. */
    public List<Timings> of(List<Contender> contenders) {
        long estimate = 0;
        for (Contender contender : contenders) {
            estimate = Math.max(estimate, warmUp(contender));
        }
        boolean alone = contenders.size() == 1;
        List<Taken> taken =
                contenders.stream().map(contender -> new Taken(contender)).toList();
        int done = 0;
        int block = schedule.block(0, 0, estimate);
        boolean several = false;
        for (int round = 0; block > 0; round++) {
            several |= block > 1;
            long slowest = 0;
            for (int turn = 0; turn < taken.size(); turn++) {
                Taken who = taken.get(round % 2 == 0 ? turn : taken.size() - 1 - turn);
                if (!alone && several) {
                    who.contender.run();
                }
                slowest = Math.max(slowest, measure(who, block));
            }
            done += block;
            long total = taken.stream().mapToLong(who -> who.total).max().orElse(0);
            block = schedule.block(done, total, slowest / block);
        }
        return taken.stream().map(Taken::timings).toList();
    }

    /** The time of the fastest warm-up; without any, of a run for the sake of it. */
    private long warmUp(Contender contender) {
        long fastest = Long.MAX_VALUE;
        long total = 0;
        long improved = 0;
        for (int done = 0; schedule.warmsUp(done, total, improved); done++) {
            long nanos = timed(contender);
            total += nanos;
            if (nanos < IMPROVEMENT * fastest) {
                improved = total;
            }
            fastest = Math.min(fastest, nanos);
        }
        return fastest == Long.MAX_VALUE ? timed(contender) : fastest;
    }

    /** Measures some runs: what they took together. */
    private long measure(Taken who, int runs) {
        long before = who.total;
        for (int i = 0; i < runs; i++) {
            who.add(timed(who.contender));
        }
        return who.total - before;
    }

    private long timed(Contender contender) {
        long start = clock.getAsLong();
        contender.run();
        return clock.getAsLong() - start;
    }

    /** The times of the measured runs of a contender. */
    private static final class Taken {

        private final Contender contender;
        private long[] nanos = new long[Schedule.LEAST_RUNS];
        private int count;
        private long total;

        Taken(Contender contender) {
            this.contender = contender;
        }

        void add(long time) {
            if (count == nanos.length) {
                nanos = Arrays.copyOf(nanos, 2 * count);
            }
            nanos[count++] = time;
            total += time;
        }

        Timings timings() {
            return new Timings(Arrays.copyOf(nanos, count));
        }
    }
}
