package org.clinfer.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What counts as equal. */
class TensorComparisonTest {

    private static Optional<String> difference(Tensor expected, Tensor actual) {
        return TensorComparison.difference(expected, actual, Tolerance.DEFAULT);
    }

    @Test
    void roundingPassesAndErrorsDoNot() {
        Tensor expected = Tensor.of(new float[] {1000, 0.5f, -3}, 3);

        assertThat(difference(expected, Tensor.of(new float[] {1000.05f, 0.55f, -3}, 3)))
                .isEmpty();
        assertThat(difference(expected, Tensor.of(new float[] {1000, 0.5f, -3.2f}, 3)))
                .hasValueSatisfying(why -> assertThat(why)
                        .contains("1 of 3 elements differ")
                        .contains("[2]")
                        .contains("-3.2")
                        .contains("expected -3.0"));
    }

    @Test
    void smallOutputsAreHeldToTheirOwnRange() {
        Tensor expected = Tensor.of(new float[] {0.001f, 0.0005f}, 2);

        assertThat(difference(expected, Tensor.of(new float[] {0.001f, 0.00052f}, 2)))
                .isPresent();
    }

    @Test
    void notANumberEqualsItselfAlone() {
        Tensor expected = Tensor.of(new float[] {Float.NaN, Float.POSITIVE_INFINITY}, 2);

        assertThat(difference(expected, expected.copy())).isEmpty();
        assertThat(difference(expected, Tensor.of(new float[] {0, Float.POSITIVE_INFINITY}, 2)))
                .isPresent();
        assertThat(difference(expected, Tensor.of(new float[] {Float.NaN, Float.NEGATIVE_INFINITY}, 2)))
                .isPresent();
        assertThat(difference(expected, Tensor.of(new float[] {Float.NaN, 1e30f}, 2)))
                .isPresent();
        assertThat(difference(Tensor.of(new float[] {1, 2}, 2), Tensor.of(new float[] {1, Float.NaN}, 2)))
                .isPresent();
    }

    @Test
    void integersMustBeEqual() {
        Tensor expected = Tensor.of(new long[] {1_000_000, Long.MAX_VALUE}, 1, 2);

        assertThat(difference(expected, expected.copy())).isEmpty();
        assertThat(difference(expected, Tensor.of(new long[] {1_000_000, Long.MAX_VALUE - 1}, 1, 2)))
                .hasValueSatisfying(why -> assertThat(why).contains("[0,1]"));
    }

    @Test
    void shapeAndTypeMustAgree() {
        Tensor expected = Tensor.of(new float[] {1, 2}, 1, 2);

        assertThat(difference(expected, Tensor.of(new float[] {1, 2}, 2))).hasValue("shape is 2, expected 1x2");
        assertThat(difference(expected, expected.to(DType.FLOAT64)).orElse("")).contains("float64");
    }

    @Test
    void halfPrecisionMayRound() {
        Tensor expected = Tensor.of(new float[] {1}, 1).to(DType.FLOAT16);

        assertThat(difference(expected, Tensor.of(new float[] {1.001f}, 1).to(DType.FLOAT16)))
                .isEmpty();
        assertThat(difference(expected, Tensor.of(new float[] {1.004f}, 1).to(DType.FLOAT16)))
                .isPresent();
    }

    @Test
    void givenTolerancesHoldForEveryType() {
        Tolerance wide = new Tolerance(Optional.of(0.0), Optional.of(0.5));
        Tensor expected = Tensor.of(new float[] {1}, 1);

        assertThat(TensorComparison.difference(expected, Tensor.of(new float[] {1.5f}, 1), wide))
                .isEmpty();
        assertThat(TensorComparison.difference(expected, Tensor.of(new float[] {1.6f}, 1), wide))
                .isPresent();
    }
}
