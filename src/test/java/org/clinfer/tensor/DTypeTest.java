package org.clinfer.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Widths, kinds and labels of the element types. */
class DTypeTest {

    @ParameterizedTest
    @CsvSource({
        "int8, 8, INTEGER",
        "int16, 16, INTEGER",
        "int32, 32, INTEGER",
        "int64, 64, INTEGER",
        "float16, 16, FLOATING",
        "bfloat16, 16, FLOATING",
        "float32, 32, FLOATING",
        "float64, 64, FLOATING",
        "bool, 8, LOGICAL",
        "u1, 1, LOGICAL"
    })
    void isWhatItsLabelSays(String label, int bits, DType.Kind kind) {
        DType type = DType.of(label).orElseThrow();
        assertThat(type).hasToString(label);
        assertThat(type.bits()).isEqualTo(bits);
        assertThat(type.kind()).isEqualTo(kind);
        assertThat(type.isFloating()).isEqualTo(kind == DType.Kind.FLOATING);
        assertThat(type.isInteger()).isEqualTo(kind == DType.Kind.INTEGER);
        assertThat(type.bytes(16)).isEqualTo(2L * bits);
    }

    @Test
    void packsBitsIntoWholeBytes() {
        assertThat(DType.U1.bytes(0)).isZero();
        assertThat(DType.U1.bytes(1)).isEqualTo(1);
        assertThat(DType.U1.bytes(8)).isEqualTo(1);
        assertThat(DType.U1.bytes(9)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"INT8", "BOOL"})
    void refusesSizesBeyond64Bits(DType type) {
        assertThatThrownBy(() -> type.bytes(Long.MAX_VALUE)).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void knowsNoOtherLabels() {
        assertThat(DType.of("uint16")).isEmpty();
        assertThat(DType.of("FLOAT32")).isEmpty();
        assertThat(DType.of("")).isEmpty();
    }
}
