package org.clinfer.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TimingsTest {

    @Test
    void percentilesAreTimesOfRuns() {
        Timings timings = new Timings(LongStream.iterate(20, run -> run - 1)
                .limit(20)
                .map(millis -> millis * 1_000_000)
                .toArray());

        assertThat(timings.runs()).isEqualTo(20);
        assertThat(timings.p10Millis()).isEqualTo(2);
        assertThat(timings.medianMillis()).isEqualTo(10.5);
        assertThat(timings.p90Millis()).isEqualTo(18);
    }

    @Test
    void fewRunsDo() {
        assertThat(new Timings(3_000_000).p10Millis()).isEqualTo(3);
        assertThat(new Timings(3_000_000).p90Millis()).isEqualTo(3);
        assertThat(new Timings(3_000_000, 1_000_000, 2_000_000).p10Millis()).isEqualTo(1);
        assertThat(new Timings(3_000_000, 1_000_000, 2_000_000).medianMillis()).isEqualTo(2);
        assertThat(new Timings(3_000_000, 1_000_000, 2_000_000).p90Millis()).isEqualTo(3);
        assertThatThrownBy(Timings::new).isInstanceOf(IllegalArgumentException.class);
    }
}
