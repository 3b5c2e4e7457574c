package org.clinfer.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Limits are found exactly, whichever side of a number they are on. */
class NearestPassingTest {

    private static final long FARTHEST = 1000;

    /** By trying every number. */
    private static OptionalLong nearest(long from, LongPredicate passes) {
        return LongStream.rangeClosed(1, FARTHEST)
                .flatMap(distance -> LongStream.of(from - distance, from + distance))
                .filter(passes)
                .findFirst();
    }

    private static void assertNearest(long from, LongPredicate passes) {
        assertThat(NearestPassing.to(from, passes)).as("from %d", from).isEqualTo(nearest(from, passes));
    }

    @Test
    void theNearestWithinALimitIsTheLimit() {
        for (long limit = 1; limit < 300; limit += 7) {
            long most = limit;
            assertNearest(most + 1, value -> value <= most);
            assertNearest(most + 250, value -> value <= most);
            assertNearest(Math.max(most - 90, 0), value -> value >= most);
        }
    }

    @Test
    void theNearerOfTwoLimitsIsTaken() {
        for (long from = 101; from < 300; from++) {
            assertNearest(from, value -> value <= 100 || value >= 300);
            assertNearest(from, value -> (value <= 100 && value >= 0) || value >= 300);
        }
    }

    @Test
    void theNearestMultipleIsTaken() {
        for (long from = 1; from < 100; from++) {
            assertNearest(from, value -> value >= 0 && value % 8 == 0);
        }
    }

    @Test
    void nothingIsFoundWhereNothingPasses() {
        assertThat(NearestPassing.to(50, value -> false)).isEmpty();
        assertThat(NearestPassing.to(0, value -> value < 0)).isEmpty();
    }
}
