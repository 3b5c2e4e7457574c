package org.clinfer.plan.precision;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.clinfer.plan.rule.FoldedConstants;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Constants are rounded once to float16, unless it has not their numbers. */
class ConvertedConstantsTest {

    private static ConvertedConstants of(float... values) {
        return of(Map.of("c", Tensor.of(values, values.length)), new FoldedConstants(1 << 10, () -> 0));
    }

    private static ConvertedConstants of(Map<String, Tensor> constants, FoldedConstants folded) {
        return new ConvertedConstants(constants, constants, folded, FloatConversion.NARROWING);
    }

    @Test
    void areRoundedToNearest() {
        float[] values = {0, -0f, 1, 1 + 0x1p-12f, 65504, 65519, -65519, 0x1p-20f, Float.NEGATIVE_INFINITY, Float.NaN};
        ConvertedConstants constants = of(values);
        Tensor half = constants.of("c").orElseThrow().tensor();
        assertThat(half.type()).isEqualTo(TensorType.of(DType.FLOAT16, values.length));
        assertThat(half.toFloatArray())
                .containsExactly(0, -0f, 1, 1, 65504, 65504, -65504, 0x1p-20f, Float.NEGATIVE_INFINITY, Float.NaN);
        assertThat(constants.refusal("c")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(floats = {65520, -65520, 1e9f, -Float.MAX_VALUE})
    void thatOverflowAreRefused(float value) {
        ConvertedConstants constants = of(0.5f, value);
        assertThat(constants.of("c")).isEmpty();
        assertThat(constants.refusal("c")).contains("a constant has numbers beyond 65504, the largest of float16");
    }

    @Test
    void allOfWhichLoseDigitsAreRefused() {
        assertThat(of(0, -0x1.8p-15f, 1e-12f).refusal("c").orElseThrow()).contains("so small that float16");
        assertThat(of(0, 0, 0).refusal("c")).isEmpty();
        assertThat(of(1e-12f, 0x1p-14f).refusal("c")).isEmpty();
    }

    @Test
    void areRefusedWhereThereIsNoMemory() {
        Map<String, Tensor> constants = Map.of("c", Tensor.of(new float[] {1, 2, 3}, 3));
        ConvertedConstants none = of(constants, new FoldedConstants(5, () -> 0));
        assertThat(none.refusal("c")).contains("there is no memory for a constant in the other type");
        assertThat(of(constants, new FoldedConstants(6, () -> 0)).refusal("c")).isEmpty();
    }

    /** Of the model once for all plans, and of a plan for it alone. */
    @Test
    void areConvertedOnce() {
        AtomicInteger filled = new AtomicInteger();
        Tensor deferred = Tensor.deferred(TensorType.of(DType.FLOAT32, 1), memory -> {
            filled.incrementAndGet();
            memory.putFloat(0, 2.5f);
        });
        Map<String, Tensor> constants = Map.of("c", deferred);
        FoldedConstants folded = new FoldedConstants(1 << 10, () -> 0);
        Tensor first = of(constants, folded).of("c").orElseThrow().tensor();
        assertThat(of(constants, folded).of("c").orElseThrow().tensor()).isSameAs(first);
        assertThat(first.getDouble(0)).isEqualTo(2.5);
        assertThat(filled).hasValue(1);
        assertThat(deferred.isStored()).isFalse();
        ConvertedConstants ofPlan = new ConvertedConstants(constants, Map.of(), folded, FloatConversion.NARROWING);
        assertThat(ofPlan.of("c").orElseThrow().tensor()).isNotSameAs(first);
        assertThat(ofPlan.of("c").orElseThrow().name())
                .isNotEqualTo(of(constants, folded).of("c").orElseThrow().name());
    }
}
