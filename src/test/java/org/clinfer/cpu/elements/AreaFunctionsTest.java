package org.clinfer.cpu.elements;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AreaFunctionsTest {

    /** Java's own logarithms lose the sign of what is far below 1. */
    @ParameterizedTest
    @ValueSource(doubles = {0.999, 0, -1, -9e7, -1e16, -3e38, -1e300, Double.NEGATIVE_INFINITY, Double.NaN})
    void acoshBelowOneIsNoNumber(double x) {
        assertThat(AreaFunctions.acosh(x)).isNaN();
    }
}
