package org.clinfer.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

class DifferenceTest {

    private static double of(float[] expected, float... actual) {
        return Difference.of(
                Map.of("y", Tensor.of(expected, expected.length)), Map.of("y", Tensor.of(actual, actual.length)));
    }

    private static float[] reals(float... values) {
        return values;
    }

    @Test
    void isAShareOfTheRange() {
        assertThat(of(reals(-10, 0, 30), -10, 0.5f, 29)).isCloseTo(1 / 40.0, within(1e-9));
        assertThat(of(reals(100, 100, 104), 100, 101, 104)).isEqualTo(0.25);
        assertThat(of(reals(1, 2), 1, 2)).isZero();
    }

    @Test
    void withoutARangeTheValueCounts() {
        assertThat(of(reals(-4, -4), -4, -5)).isEqualTo(0.25);
        assertThat(of(reals(0, 0), 0, 1)).isCloseTo(1000, within(1e-9));
        assertThat(of(reals(0, 0), 0, 0)).isZero();
    }

    @Test
    void valuesThatAreAllNearZeroHaveASmallRange() {
        assertThat(of(reals(0, 0), 0, 6e-9f)).isCloseTo(6e-6, within(1e-12));
        assertThat(of(reals(9e-8f), 7e-8f)).isCloseTo(2e-5, within(1e-10));
        assertThat(of(reals(0, 1e-5f), 0, 2e-5f)).isCloseTo(1e-2, within(1e-8));
    }

    @Test
    void whatIsNoNumberMustBeNoneOnBothSides() {
        assertThat(of(reals(Float.NaN, 1, 2), Float.NaN, 1, 2)).isZero();
        assertThat(of(reals(0, 1, 2), Float.NaN, 1, 2)).isInfinite();
        assertThat(of(reals(Float.NaN, 1, 2), 0, 1, 2)).isInfinite();
        assertThat(of(reals(Float.POSITIVE_INFINITY, 1), 3, 1)).isInfinite();
    }

    @Test
    void theWorstOutputCounts() {
        Map<String, Tensor> expected = Map.of("a", Tensor.of(reals(0, 1), 2), "b", Tensor.of(reals(0, 10), 2));
        Map<String, Tensor> actual = Map.of("a", Tensor.of(reals(0, 1), 2), "b", Tensor.of(reals(1, 10), 2));

        assertThat(Difference.of(expected, actual)).isCloseTo(0.1, within(1e-9));
        assertThat(Difference.of(expected, Map.of("a", Tensor.of(reals(0, 1), 2))))
                .isInfinite();
        assertThat(of(reals(1, 2), 1, 2, 3)).isInfinite();
    }
}
