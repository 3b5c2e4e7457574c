package org.clinfer.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The units of a processor that runs at once are on. */
class UnitSharesTest {

    @Test
    void runsHaveTheWholeDeviceWhileThereAreFewerThanUnits() {
        UnitShares shares = new UnitShares(3);
        OptionalInt first = shares.begin();
        OptionalInt second = shares.begin();
        assertThat(first).isEmpty();
        assertThat(second).isEmpty();
        assertThat(shares.begin()).hasValue(0);
        assertThat(shares.begin()).hasValue(1);
        assertThat(shares.begin()).hasValue(2);
        assertThat(shares.begin()).hasValue(0);
        shares.end(OptionalInt.of(1));
        assertThat(shares.begin()).as("the unit with the fewest").hasValue(1);
        shares.end(OptionalInt.of(0));
        shares.end(OptionalInt.of(0));
        shares.end(OptionalInt.of(1));
        shares.end(OptionalInt.of(2));
        shares.end(first);
        assertThat(shares.begin()).as("one beside the second").isEmpty();
    }

    @Test
    void devicesThatAreNotDividedAreWholeForEachRun() {
        for (int units : new int[] {0, 1}) {
            UnitShares shares = new UnitShares(units);
            assertThat(shares.begin()).isEmpty();
            assertThat(shares.begin()).isEmpty();
        }
        UnitShares shares = new UnitShares(2);
        shares.begin();
        OptionalInt second = shares.begin();
        assertThat(second).isPresent();
        shares.giveUp();
        assertThat(shares.begin()).isEmpty();
        shares.end(second);
    }
}
