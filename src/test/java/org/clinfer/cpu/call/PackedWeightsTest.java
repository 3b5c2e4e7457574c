package org.clinfer.cpu.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.clinfer.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** What is kept of constants, and what is not. */
class PackedWeightsTest {

    private static final Tensor ONE = Tensor.of(new float[] {1, 2}, 2);
    private static final Tensor OTHER = Tensor.of(new float[] {1, 2}, 2);

    @Test
    void aFormOfAConstantIsMadeOnce() {
        PackedWeights packed = new PackedWeights(1000, 0);
        float[] first = packed.of(ONE, "a", () -> new float[3]);

        assertThat(packed.of(ONE, "a", () -> new float[3])).isSameAs(first);
        assertThat(packed.of(ONE, "b", () -> new float[3])).isNotSameAs(first);
        assertThat(packed.of(OTHER, "a", () -> new float[3])).isNotSameAs(first);
        assertThat(packed.bytes()).isEqualTo(3 * 3 * Float.BYTES);
    }

    @Test
    void whatMayChangeIsMadeAnew() {
        PackedWeights packed = new PackedWeights(1000, 0);
        float[] first = packed.of(null, "a", () -> new float[3]);

        assertThat(packed.of(null, "a", () -> new float[3])).isNotSameAs(first);
        assertThat(packed.bytes()).isZero();
    }

    @Test
    void whatDoesNotFitIsMadeAnew() {
        PackedWeights packed = new PackedWeights(20, 0);
        float[] small = packed.of(ONE, "small", () -> new float[5]);
        float[] large = packed.of(ONE, "large", () -> new float[1]);

        assertThat(packed.of(ONE, "small", () -> new float[5])).isSameAs(small);
        assertThat(packed.of(ONE, "large", () -> new float[1])).isNotSameAs(large);
        assertThat(packed.bytes()).isEqualTo(20);
    }

    @Test
    void aLargeFormLeavesRoomForOneOfEachConstant() {
        PackedWeights packed = new PackedWeights(60, 16);

        assertThat(packed.keeps(null, "large", 1)).isFalse();
        assertThat(packed.keeps(ONE, "large", 13)).as("16 and 11 more floats").isTrue();
        assertThat(packed.keeps(ONE, "large", 14)).as("16 and 12 more floats").isFalse();
        float[] large = packed.of(ONE, "large", () -> new float[13]);
        assertThat(packed.keeps(ONE, "large", 13)).isTrue();
        assertThat(packed.keeps(OTHER, "large", 3)).isFalse();
        float[] small = packed.of(OTHER, "small", () -> new float[2]);

        assertThat(packed.of(ONE, "large", () -> new float[13])).isSameAs(large);
        assertThat(packed.of(OTHER, "small", () -> new float[2])).isSameAs(small);
        assertThat(PackedWeights.none().keeps(ONE, "small", 2)).isFalse();
    }
}
