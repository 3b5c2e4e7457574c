package org.clinfer.cpu.vector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sums of blocked channels between bounds are what max and min give, bit by bit. */
class BlockedBoundsTest {

    private static final int PIXEL = BlockedView.LANES;
    private static final float[] SPECIAL = {
        Float.NaN, -0f, 0f, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, 6, 5.9f, 6.1f, -1, Float.MIN_VALUE, 3
    };

    private final BlockedKernels kernels =
            Objects.requireNonNull(CpuPath.current().kernels()).blocked();

    @ParameterizedTest
    @CsvSource({"0, 6", "0, Infinity", "-Infinity, Infinity", "-1, 5.9", "3, 3"})
    void everyLaneOfEveryPixelIsWithin(float low, float high) {
        int pixels = 7;
        float[] sums = new float[(pixels + 2) * PIXEL];
        float[] other = new float[sums.length];
        for (int i = 0; i < sums.length; i++) {
            sums[i] = SPECIAL[i * 5 % SPECIAL.length];
            other[i] = -0f;
        }
        float[] bias = new float[2 * PIXEL];
        Arrays.fill(bias, -0f); // leaves the sign of 0 as it is
        float[] expected = new float[sums.length];
        Arrays.fill(expected, 9);
        for (int i = 0; i < pixels * PIXEL; i++) {
            expected[2 * PIXEL + i] = Math.min(high, Math.max(low, sums[PIXEL + i]));
        }

        float[] alone = new float[sums.length];
        Arrays.fill(alone, 9);
        kernels.addBias(sums, PIXEL, alone, 2 * PIXEL, pixels, bias, PIXEL, low, high);
        float[] both = new float[sums.length];
        Arrays.fill(both, 9);
        kernels.addBoth(sums, PIXEL, both, 2 * PIXEL, pixels, bias, PIXEL, other, 0, low, high);

        assertThat(bits(alone)).isEqualTo(bits(expected));
        assertThat(bits(both)).isEqualTo(bits(expected));
    }

    @ParameterizedTest
    @CsvSource({"0, 6"})
    void biasAndAddendAreThoseOfTheLane(float low, float high) {
        float[] sums = new float[PIXEL];
        float[] other = new float[PIXEL];
        float[] bias = new float[PIXEL];
        float[] expected = new float[PIXEL];
        for (int i = 0; i < PIXEL; i++) {
            sums[i] = i / 4f;
            bias[i] = -i / 8f;
            other[i] = i * 0.5f;
            expected[i] = Math.min(high, Math.max(low, sums[i] + bias[i] + other[i]));
        }

        float[] y = new float[PIXEL];
        kernels.addBoth(sums, 0, y, 0, 1, bias, 0, other, 0, low, high);

        assertThat(y).isEqualTo(expected);
        for (int i = 0; i < PIXEL; i++) {
            expected[i] = Math.min(high, Math.max(low, sums[i] - bias[PIXEL - 1 - i]));
            other[i] = -bias[PIXEL - 1 - i];
        }
        kernels.addBias(sums, 0, y, 0, 1, other, 0, low, high);
        assertThat(y).isEqualTo(expected);
    }

    private static int[] bits(float[] values) {
        int[] bits = new int[values.length];
        for (int i = 0; i < values.length; i++) {
            bits[i] = Float.floatToIntBits(values[i]);
        }
        return bits;
    }
}
