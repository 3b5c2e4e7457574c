package org.clinfer.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import org.clinfer.cpu.HostCosts.Kind;
import org.junit.jupiter.api.Test;

class HostCostsTest {

    /** Depthwise 3x3 of 144x56x56 takes some 100 µs, a product of 5.5 million terms a little more. */
    @Test
    void costsAreOfTheMeasuredOrder() {
        assertThat(HostCosts.nanos(Kind.DEPTHWISE, 144L * 56 * 56 * 9, 2L * 144 * 56 * 56 * 4))
                .isBetween(50_000L, 200_000L);
        assertThat(HostCosts.nanos(Kind.PRODUCT, 5_500_000, 300_000)).isBetween(60_000L, 240_000L);
    }

    @Test
    void moreWorkCostsMoreAndNothingStillCostsTheNode() {
        for (Kind kind : Kind.values()) {
            assertThat(HostCosts.nanos(kind, 0, 0)).isPositive();
            assertThat(HostCosts.nanos(kind, 1 << 20, 1 << 20)).isGreaterThan(HostCosts.nanos(kind, 1 << 10, 1 << 10));
        }
    }
}
