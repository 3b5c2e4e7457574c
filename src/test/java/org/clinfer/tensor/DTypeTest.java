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
        "uint8, 8, INTEGER",
        "uint16, 16, INTEGER",
        "uint32, 32, INTEGER",
        "uint64, 64, INTEGER",
        "int4, 4, INTEGER",
        "uint4, 4, INTEGER",
        "int2, 2, INTEGER",
        "uint2, 2, INTEGER",
        "float8e4m3fn, 8, FLOATING",
        "float8e4m3fnuz, 8, FLOATING",
        "float8e5m2, 8, FLOATING",
        "float8e5m2fnuz, 8, FLOATING",
        "float8e8m0, 8, FLOATING",
        "float4e2m1, 4, FLOATING",
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

    @ParameterizedTest
    @CsvSource({
        "int8, -128, 127, false",
        "int16, -32768, 32767, false",
        "int32, -2147483648, 2147483647, false",
        "int64, -9223372036854775808, 9223372036854775807, false",
        "uint8, 0, 255, true",
        "uint16, 0, 65535, true",
        "uint32, 0, 4294967295, true",
        "uint64, 0, 9223372036854775807, true",
        "int4, -8, 7, false",
        "uint4, 0, 15, true",
        "int2, -2, 1, false",
        "uint2, 0, 3, true",
        "bool, 0, 1, true"
    })
    void knowsItsEnds(String label, long lowest, long highest, boolean unsigned) {
        DType type = DType.of(label).orElseThrow();
        assertThat(type.lowest()).isEqualTo(lowest);
        assertThat(type.highest()).isEqualTo(highest);
        assertThat(type.isUnsigned()).isEqualTo(unsigned);
        assertThat(type.saturated(Long.MIN_VALUE)).isEqualTo(lowest);
        assertThat(type.saturated(Long.MAX_VALUE)).isEqualTo(highest);
        assertThat(type.saturated(1)).isEqualTo(1);
    }

    @Test
    void keepsLowBits() {
        assertThat(DType.UINT8.lowBits(-1)).isEqualTo(255);
        assertThat(DType.INT8.lowBits(255)).isEqualTo(-1);
        assertThat(DType.UINT16.lowBits(65537)).isEqualTo(1);
        assertThat(DType.INT4.lowBits(8)).isEqualTo(-8);
        assertThat(DType.UINT2.lowBits(-1)).isEqualTo(3);
        assertThat(DType.UINT32.lowBits(-2)).isEqualTo(4294967294L);
        assertThat(DType.INT64.lowBits(Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
        assertThat(DType.UINT64.lowBits(-2)).isEqualTo(-2);
    }

    @Test
    void floatingTypesHaveNoWholeEnds() {
        assertThatThrownBy(DType.FLOAT32::lowest).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(DType.FLOAT16::highest).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void packsBitsIntoWholeBytes() {
        assertThat(DType.U1.bytes(0)).isZero();
        assertThat(DType.U1.bytes(1)).isEqualTo(1);
        assertThat(DType.U1.bytes(8)).isEqualTo(1);
        assertThat(DType.U1.bytes(9)).isEqualTo(2);
        assertThat(DType.INT4.bytes(3)).isEqualTo(2);
        assertThat(DType.UINT2.bytes(4)).isEqualTo(1);
        assertThat(DType.INT2.bytes(5)).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.MATCH_NONE,
            names = {"INT8", "UINT8", "BOOL", "FLOAT8.*"})
    void refusesSizesBeyond64Bits(DType type) {
        assertThatThrownBy(() -> type.bytes(Long.MAX_VALUE)).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void knowsNoOtherLabels() {
        assertThat(DType.of("complex64")).isEmpty();
        assertThat(DType.of("FLOAT32")).isEmpty();
        assertThat(DType.of("")).isEmpty();
    }
}
