package org.clinfer.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Measures contenders in one process, each as often. Where there are several they take turns in blocks, in an order that
 * is turned around every round, so that what else happens on the machine meets all of them alike. A block of several runs
 * begins with one that is not measured: it finds the caches, and waiting threads, as the other contender left them.
 */
public final class Measurement {

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
        long slowest = 0;
        for (Contender contender : contenders) {
            slowest = Math.max(slowest, warmUp(contender));
        }
        int runs = schedule.runs(slowest);
        boolean alone = contenders.size() == 1;
        int block = alone ? runs : Math.min(runs, Schedule.block(slowest));
        List<long[]> nanos = new ArrayList<>();
        contenders.forEach(contender -> nanos.add(new long[runs]));
        int round = 0;
        for (int done = 0; done < runs; done += block) {
            int count = Math.min(block, runs - done);
            for (int turn = 0; turn < contenders.size(); turn++) {
                int who = round % 2 == 0 ? turn : contenders.size() - 1 - turn;
                if (!alone && block > 1) {
                    contenders.get(who).run();
                }
                measure(contenders.get(who), nanos.get(who), done, count);
            }
            round++;
        }
        return nanos.stream().map(Timings::new).toList();
    }

    /** The time of the fastest warm-up; without any, of a run for the sake of it if the number of runs is open. */
    private long warmUp(Contender contender) {
        long fastest = Long.MAX_VALUE;
        long total = 0;
        for (int done = 0; schedule.warmsUp(done, total); done++) {
            long nanos = timed(contender);
            fastest = Math.min(fastest, nanos);
            total += nanos;
        }
        return fastest == Long.MAX_VALUE ? timed(contender) : fastest;
    }

    private void measure(Contender contender, long[] nanos, int from, int count) {
        for (int i = from; i < from + count; i++) {
            nanos[i] = timed(contender);
        }
    }

    private long timed(Contender contender) {
        long start = clock.getAsLong();
        contender.run();
        return clock.getAsLong() - start;
    }
}
