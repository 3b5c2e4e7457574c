package org.clinfer.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.clinfer.expr.ExpressionValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes of kernel arguments. */
class ScalarEncoderTest {

    private static ByteBuffer encode(ExpressionValue value, String type) {
        ByteBuffer bytes = ScalarEncoder.encode(value, type);
        assertThat(bytes.isDirect()).isTrue();
        assertThat(bytes.position()).isZero();
        return bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void encodesIntegers() {
        assertThat(encode(ExpressionValue.of(-2), "int")).isEqualTo(ByteBuffer.wrap(new byte[] {-2, -1, -1, -1}));
        assertThat(encode(ExpressionValue.of(Integer.MIN_VALUE), "int").getInt())
                .isEqualTo(Integer.MIN_VALUE);
        assertThat(encode(ExpressionValue.of(0xfffffffeL), "uint").getInt()).isEqualTo(-2);
        assertThat(encode(ExpressionValue.of(Long.MIN_VALUE), "long").getLong()).isEqualTo(Long.MIN_VALUE);
        assertThat(encode(ExpressionValue.of(7), "ulong").getLong()).isEqualTo(7);
        assertThat(encode(ExpressionValue.of(true), "int").getInt()).isEqualTo(1);
        assertThat(encode(ExpressionValue.of(false), "uint").getInt()).isZero();
    }

    @Test
    void encodesReals() {
        assertThat(encode(ExpressionValue.of(0.1), "float").getFloat()).isEqualTo(0.1f);
        assertThat(encode(ExpressionValue.of(3), "float").getFloat()).isEqualTo(3f);
        assertThat(encode(ExpressionValue.of(0.1), "double").getDouble()).isEqualTo(0.1);
        assertThat(encode(ExpressionValue.of(-3), "double").getDouble()).isEqualTo(-3);
    }

    @ParameterizedTest
    @CsvSource({
        "int, 4",
        "uint, 4",
        "long, 8",
        "ulong, 8",
        "float, 4",
        "double, 8",
        "int2, 8",
        "int3, 16",
        "int4, 16",
        "uint8, 32",
        "int16, 64",
        "long2, 16",
        "ulong3, 32",
        "float4, 16",
        "double16, 128"
    })
    void isAsWideAsTheTypeOfOpenCl(String type, int bytes) {
        String digits = type.replaceAll("[a-z]", "");
        int lanes = digits.isEmpty() ? 1 : Integer.parseInt(digits);
        ExpressionValue[] elements = new ExpressionValue[lanes];
        for (int i = 0; i < lanes; i++) {
            elements[i] = ExpressionValue.of(i + 1);
        }
        assertThat(encode(lanes == 1 ? elements[0] : ExpressionValue.list(elements), type)
                        .remaining())
                .isEqualTo(bytes);
    }

    @Test
    void putsLanesInOrder() {
        ByteBuffer lanes = encode(ExpressionValue.ints(10, 20, 30, 40, 50, 60, 70, 80), "int8");
        for (int i = 1; i <= 8; i++) {
            assertThat(lanes.getInt()).isEqualTo(10 * i);
        }
        ByteBuffer three = encode(ExpressionValue.reals(1, 2, 3), "float3");
        assertThat(three.getFloat(8)).isEqualTo(3f);
        assertThat(three.getFloat(12)).isEqualTo(0f);
    }

    @ParameterizedTest
    @CsvSource({"int, 2147483648", "int, -2147483649", "uint, -1", "uint, 4294967296", "int2, 2147483648"})
    void refusesWhatDoesNotFit(String type, long value) {
        ExpressionValue given = type.endsWith("2") ? ExpressionValue.ints(1, value) : ExpressionValue.of(value);
        assertThatThrownBy(() -> ScalarEncoder.encode(given, type))
                .isInstanceOfAny(IllegalArgumentException.class, ArithmeticException.class);
    }

    @Test
    void refusesOtherKindsOfValues() {
        assertThatThrownBy(() -> ScalarEncoder.encode(ExpressionValue.of(1.5), "int"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("a kernel argument must be an integer, not ")
                .hasMessageContaining("1.5");
        assertThatThrownBy(() -> ScalarEncoder.encode(ExpressionValue.of("a"), "float"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ScalarEncoder.encode(ExpressionValue.absent(), "long"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ScalarEncoder.encode(ExpressionValue.ints(1, 2), "int"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesTheWrongNumberOfLanes() {
        assertThatThrownBy(() -> ScalarEncoder.encode(ExpressionValue.ints(1, 2, 3), "int4"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a kernel parameter of type int4 takes 4 elements, not 3");
        assertThatThrownBy(() -> ScalarEncoder.encode(ExpressionValue.of(1), "int4"))
                .hasMessage("a kernel parameter of type int4 takes 4 elements, not 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"half", "size_t", "char", "bool", "int5", "unsigned int", "TYPE", ""})
    void refusesTypesThatTakeNoValue(String type) {
        assertThatThrownBy(() -> ScalarEncoder.encode(ExpressionValue.of(1), type))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a kernel parameter of type '" + type + "' cannot take a value");
    }
}
