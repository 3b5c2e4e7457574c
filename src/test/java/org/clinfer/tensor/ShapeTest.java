package org.clinfer.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Shapes with known and named dimensions. */
class ShapeTest {

    private static final Shape NAMED = new Shape(List.of(Dim.named("batch"), Dim.of(3), Dim.unknown()));

    @Test
    void countsElements() {
        assertThat(Shape.SCALAR.elements()).isEqualTo(1);
        assertThat(Shape.of(2, 3, 4).elements()).isEqualTo(24);
        assertThat(Shape.of(2, 0, 4).elements()).isZero();
        assertThat(Shape.of(List.of(5L, 7L))).isEqualTo(Shape.of(5, 7));
        assertThat(Shape.of(5, 7).sizes()).containsExactly(5, 7);
    }

    @Test
    void refusesAnElementCountBeyond64Bits() {
        long half = 1L << 32;
        assertThatThrownBy(() -> Shape.of(half, half).elements())
                .isInstanceOf(ArithmeticException.class)
                .hasMessage("the element count of shape 4294967296x4294967296 overflows 64 bits");
        assertThatThrownBy(() -> Shape.of(half, half / 2).elements()).isInstanceOf(ArithmeticException.class);
        assertThat(Shape.of(half, half / 4).elements()).isEqualTo(1L << 62);
        assertThatThrownBy(() -> Shape.of(0, half, half).elements())
                .as("an overflow is one also where another size is 0")
                .isInstanceOf(ArithmeticException.class);
    }

    @Test
    void refusesNegativeSizes() {
        assertThatThrownBy(() -> Shape.of(2, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a dimension must be >= 0, but is -1");
    }

    @Test
    void tellsKnownFromNamed() {
        assertThat(NAMED.isKnown()).isFalse();
        assertThat(NAMED.rank()).isEqualTo(3);
        assertThat(NAMED.size(1)).isEqualTo(3);
        assertThat(NAMED.dim(0)).isEqualTo(Dim.named("batch")).isNotEqualTo(Dim.named("other"));
        assertThat(Shape.SCALAR.isKnown()).isTrue();
        assertThatThrownBy(NAMED::elements)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("dimension 0 of shape batchx3x? is not known");
        assertThatThrownBy(() -> NAMED.size(2)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(NAMED::sizes).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anEmptyNameIsTheAnonymousDimension() {
        assertThat(Dim.named("")).isEqualTo(Dim.unknown());
        assertThat(Dim.named("n").isKnown()).isFalse();
        assertThat(Dim.of(0).isKnown()).isTrue();
    }

    @Test
    void showsItself() {
        assertThat(Shape.SCALAR).hasToString("scalar");
        assertThat(Shape.of(1, 3, 224, 224)).hasToString("1x3x224x224");
        assertThat(NAMED).hasToString("batchx3x?");
        assertThat(TensorType.of(DType.FLOAT16, 2, 3)).hasToString("2x3:float16");
    }
}
