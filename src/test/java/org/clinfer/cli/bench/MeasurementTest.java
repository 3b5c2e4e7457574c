package org.clinfer.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** Contenders on a clock of their own: who runs when, and which runs count. */
class MeasurementTest {

    private static final long MILLI = 1_000_000;

    private final StringBuilder order = new StringBuilder();
    private long now;

    /** Takes as long as it says; its first runs may take longer. */
    private final class Fake implements Contender {

        private final char name;
        private final long nanos;
        private final int slowRuns;
        private int done;

        Fake(char name, long nanos, int slowRuns) {
            this.name = name;
            this.nanos = nanos;
            this.slowRuns = slowRuns;
        }

        @Override
        public void run() {
            order.append(name);
            now += done < slowRuns ? 10 * nanos : nanos;
            done++;
        }

        @Override
        public Map<String, Tensor> outputs() {
            return Map.of();
        }

        @Override
        public void close() {}
    }

    private List<Timings> measure(Schedule schedule, Contender... contenders) {
        return new Measurement(schedule, () -> now).of(List.of(contenders));
    }

    private static Schedule exactly(int runs, int warmUps) {
        return new Schedule(Optional.of(runs), Optional.of(warmUps));
    }

    @Test
    void warmUpsAreNotMeasured() {
        Timings timings = measure(exactly(5, 3), new Fake('a', 7 * MILLI, 3)).get(0);

        assertThat(order).hasToString("aaa" + "aaaaa");
        assertThat(timings.runs()).isEqualTo(5);
        assertThat(timings.p90Millis()).isEqualTo(7);
    }

    @Test
    void aloneThereAreNoBlocks() {
        measure(exactly(7, 1), new Fake('a', 100 * MILLI, 0));

        assertThat(order).hasToString("a" + "aaaaaaa");
    }

    @Test
    void contendersTakeTurnsInBlocksOfAQuarterOfASecond() {
        List<Timings> timings = measure(exactly(5, 1), new Fake('a', 100 * MILLI, 0), new Fake('b', 10 * MILLI, 0));

        assertThat(order).hasToString("ab" + "aaabbb" + "bbbaaa" + "aabb");
        assertThat(timings).extracting(Timings::runs).containsExactly(5, 5);
        assertThat(timings).extracting(Timings::medianMillis).containsExactly(100.0, 10.0);
    }

    @Test
    void slowContendersTakeTurnsAfterEachRun() {
        measure(exactly(3, 1), new Fake('a', 300 * MILLI, 0), new Fake('b', 10 * MILLI, 0));

        assertThat(order).hasToString("ab" + "ab" + "ba" + "ab");
    }

    @Test
    void anOpenNumberOfRunsFillsThreeSeconds() {
        Schedule open = new Schedule(Optional.empty(), Optional.empty());

        assertThat(measure(open, new Fake('a', 20 * MILLI, 2)).get(0).runs()).isEqualTo(150);
        assertThat(order).hasSize(2 + 22 + 150);
        assertThat(measure(open, new Fake('a', 900 * MILLI, 0)).get(0).runs()).isEqualTo(10);
    }

    @Test
    void warmUpsGoOnWhileRunsBecomeFaster() {
        Schedule open = new Schedule(Optional.of(1), Optional.empty());

        measure(open, new Fake('a', 10 * MILLI, 4));

        // four of 100 ms, faster after 410 ms: 820 ms in all
        assertThat(order).hasSize(4 + 42 + 1);
    }

    @Test
    void anEstimateOfSlowWarmUpsDoesNotCutTheMeasurementShort() {
        Schedule schedule = new Schedule(Optional.empty(), Optional.of(2));

        Timings timings = measure(schedule, new Fake('a', 10 * MILLI, 2), new Fake('b', 10 * MILLI, 2))
                .get(0);

        assertThat(timings.runs()).isEqualTo(300);
    }

    @Test
    void withoutWarmUpsARunTellsHowLongOneTakes() {
        Schedule schedule = new Schedule(Optional.empty(), Optional.of(0));

        assertThat(measure(schedule, new Fake('a', 100 * MILLI, 0)).get(0).runs())
                .isEqualTo(30);
    }
}
