package org.clinfer.cpu.elements;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class FloatFunctionsTest {

    private interface FloatFunction {
        float apply(float x);
    }

    private static void isWithin(double units, FloatFunction actual, DoubleUnaryOperator exact) {
        for (float x = -87; x < 88.7f; x += 0.0037f) {
            isWithin(units, actual, exact, x);
        }
        for (float x = 1e-38f; x < 1; x *= 1.013f) {
            isWithin(units, actual, exact, x);
            isWithin(units, actual, exact, -x);
        }
    }

    private static void isWithin(double units, FloatFunction actual, DoubleUnaryOperator exact, float x) {
        double want = exact.applyAsDouble(x);
        double error = Math.abs(actual.apply(x) - want) / Math.ulp((float) want);
        if (!(error <= units)) {
            assertThat(error).as("units in the last place at %s", x).isLessThanOrEqualTo(units);
        }
    }

    @Test
    void errorsAreFewUnitsInTheLastPlace() {
        isWithin(1.5, FloatFunctions::exp, Math::exp);
        isWithin(2, FloatFunctions::tanh, Math::tanh);
    }

    @Test
    void endsAreExact() {
        assertThat(FloatFunctions.exp(0)).isEqualTo(1);
        assertThat(FloatFunctions.exp(Float.NEGATIVE_INFINITY)).isZero();
        assertThat(FloatFunctions.exp(-1000)).isZero();
        assertThat(FloatFunctions.exp(-100)).isBetween(3.6e-44f, 3.9e-44f);
        assertThat(FloatFunctions.exp(89)).isInfinite();
        assertThat(FloatFunctions.exp(Float.POSITIVE_INFINITY)).isInfinite();
        assertThat(FloatFunctions.exp(Float.NaN)).isNaN();
        assertThat(FloatFunctions.tanh(Float.NaN)).isNaN();
        assertThat(FloatFunctions.tanh(Float.POSITIVE_INFINITY)).isEqualTo(1);
        assertThat(FloatFunctions.tanh(-50)).isEqualTo(-1);
        assertThat(Float.floatToRawIntBits(FloatFunctions.tanh(-0f))).isEqualTo(Float.floatToRawIntBits(-0f));
    }
}
