package org.clinfer.plan.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;
import org.junit.jupiter.api.Test;

class FoldedConstantsTest {

    private static final TensorType TYPE = TensorType.of(DType.FLOAT32, 4);

    private final AtomicInteger computed = new AtomicInteger();

    private Optional<Tensor> make() {
        computed.incrementAndGet();
        return Optional.of(Tensor.allocate(TYPE));
    }

    private Optional<Tensor> fail() {
        computed.incrementAndGet();
        return Optional.empty();
    }

    @Test
    void makesEachOnce() {
        FoldedConstants folded = new FoldedConstants(100, () -> 0);
        FoldedConstants.Named first =
                folded.of(List.of("w", "n"), TYPE, this::make).orElseThrow();
        FoldedConstants.Named other =
                folded.of(List.of("w n"), TYPE, this::make).orElseThrow();
        assertThat(folded.of(List.of("w", "n"), TYPE, this::make)).contains(first);
        assertThat(other.name()).isNotEqualTo(first.name());
        assertThat(computed).hasValue(2);
        assertThat(folded.bytes()).isEqualTo(32);
    }

    /** Plans for other sizes may have the same values in another type. */
    @Test
    void makesEachInEveryType() {
        FoldedConstants folded = new FoldedConstants(100, () -> 0);
        TensorType other = TensorType.of(DType.FLOAT16, 4);
        FoldedConstants.Named wide = folded.of(List.of("w"), TYPE, this::make).orElseThrow();
        FoldedConstants.Named narrow = folded.of(List.of("w"), other, () -> Optional.of(Tensor.allocate(other)))
                .orElseThrow();
        assertThat(narrow.tensor().type()).isEqualTo(other);
        assertThat(narrow.name()).isNotEqualTo(wide.name());
    }

    @Test
    void makesNothingBeyondTheLimit() {
        FoldedConstants folded = new FoldedConstants(36, () -> 4);
        assertThat(folded.of(List.of("a"), TYPE, this::make)).isPresent();
        assertThat(folded.of(List.of("b"), TYPE, this::make)).isPresent();
        assertThat(folded.of(List.of("c"), TYPE, this::make)).isEmpty();
        assertThat(folded.of(List.of("a"), TYPE, this::make)).as("made already").isPresent();
        assertThat(computed).hasValue(2);
    }

    @Test
    void remembersWhatCannotBeMade() {
        FoldedConstants folded = new FoldedConstants(100, () -> 0);
        assertThat(folded.of(List.of("a"), TYPE, this::fail)).isEmpty();
        assertThat(folded.of(List.of("a"), TYPE, this::fail)).isEmpty();
        assertThat(computed).hasValue(1);
        assertThat(folded.bytes()).isZero();
    }

    @Test
    void reshapesWithoutMemory() {
        FoldedConstants folded = new FoldedConstants(0, () -> 0);
        Tensor constant = Tensor.allocate(TYPE);
        FoldedConstants.Named square = folded.reshaped(List.of("w", "square"), constant, Shape.of(2, 2))
                .orElseThrow();
        assertThat(square.tensor().shape()).isEqualTo(Shape.of(2, 2));
        assertThat(folded.reshaped(List.of("w", "square"), constant, Shape.of(2, 2)))
                .contains(square);
        assertThat(folded.bytes()).isZero();
    }
}
