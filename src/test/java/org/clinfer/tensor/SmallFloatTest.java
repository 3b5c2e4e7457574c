package org.clinfer.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every code of every format both ways, everything between two codes, and what is too large. */
class SmallFloatTest {

    private static final String SMALL = "FLOAT8E[45].*|FLOAT4.*";

    @ParameterizedTest
    @EnumSource(value = DType.class, mode = EnumSource.Mode.MATCH_ALL, names = SMALL)
    void everyCodeHasItsValueAndItsValueHasIt(DType type) {
        for (int code = 0; code < SmallFloatDefinition.codes(type); code++) {
            double value = SmallFloat.value(type, code);
            assertThat(Double.doubleToLongBits(value))
                    .as("%s %x", type, code)
                    .isEqualTo(Double.doubleToLongBits(SmallFloatDefinition.value(type, code)));
            if (Double.isFinite(value)) {
                assertThat(SmallFloat.code(type, value, true)).as("%s", value).isEqualTo(code);
            }
            if (!Double.isNaN(value)) {
                assertThat(SmallFloat.code(type, value, false)).as("%s", value).isEqualTo(code);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = DType.class, mode = EnumSource.Mode.MATCH_ALL, names = SMALL)
    void roundsToTheNearestTiesToEven(DType type) {
        int half = SmallFloatDefinition.codes(type) / 2;
        for (int code = 0; code + 1 < half; code++) {
            double low = SmallFloatDefinition.value(type, code);
            double high = SmallFloatDefinition.value(type, code + 1);
            if (!Double.isFinite(high)) {
                break;
            }
            double middle = (low + high) / 2;
            assertCode(type, middle, code % 2 == 0 ? code : code + 1);
            assertCode(type, Math.nextDown(middle), code);
            assertCode(type, Math.nextUp(middle), code + 1);
            assertCode(type, Math.nextDown(high), code + 1);
            assertCode(type, Math.nextUp(low), code);
        }
        assertCode(type, Double.MIN_VALUE, 0);
        assertCode(type, 1e-300, 0);
    }

    /** With either sign; neither saturation nor its lack matters. */
    private static void assertCode(DType type, double value, int code) {
        int half = SmallFloatDefinition.codes(type) / 2;
        boolean unsignedZero = code == 0 && type.label().endsWith("fnuz");
        for (boolean saturate : new boolean[] {true, false}) {
            assertThat(SmallFloat.code(type, value, saturate)).as("%s", value).isEqualTo(code);
            assertThat(SmallFloat.code(type, -value, saturate))
                    .as("%s", -value)
                    .isEqualTo(unsignedZero ? 0 : code + half);
        }
    }

    /** The first value that is too large, with the largest number, what it becomes, and what -infinity becomes. */
    @ParameterizedTest
    @CsvSource({
        "float8e4m3fn, 464, 0x7e, 0x7f, 0xff",
        "float8e4m3fnuz, 248, 0x7f, 0x80, 0x80",
        "float8e5m2, 61440, 0x7b, 0x7c, 0xfc",
        "float8e5m2fnuz, 61440, 0x7f, 0x80, 0x80",
        "float4e2m1, 7, 0x7, 0x7, 0xf"
    })
    void overflows(String label, double limit, String largest, String overflow, String below) {
        DType type = DType.of(label).orElseThrow();
        int most = Integer.decode(largest);
        int sign = SmallFloatDefinition.codes(type) / 2;
        // The largest number of this format alone is even, so that the tie stays with it.
        double first = type == DType.FLOAT8E4M3FN ? Math.nextUp(limit) : limit;
        for (double value : new double[] {first, 1e6, 1e300, Double.MAX_VALUE, Double.POSITIVE_INFINITY}) {
            assertThat(SmallFloat.code(type, value, true)).isEqualTo(most);
            assertThat(SmallFloat.code(type, -value, true)).isEqualTo(most + sign);
            assertThat(SmallFloat.code(type, value, false)).isEqualTo(Integer.decode(overflow));
            assertThat(SmallFloat.code(type, -value, false)).isEqualTo(Integer.decode(below));
        }
        assertThat(SmallFloat.code(type, Math.nextDown(first), false)).isEqualTo(most);
    }

    @ParameterizedTest
    @CsvSource({
        "float8e4m3fn, 0x7f, 0x80",
        "float8e4m3fnuz, 0x80, 0x00",
        "float8e5m2, 0x7e, 0x80",
        "float8e5m2fnuz, 0x80, 0x00",
        "float4e2m1, 0x8, 0x8"
    })
    void noNumberAndNegativeZero(String label, String nan, String zero) {
        DType type = DType.of(label).orElseThrow();
        for (boolean saturate : new boolean[] {true, false}) {
            assertThat(SmallFloat.code(type, Double.NaN, saturate)).isEqualTo(Integer.decode(nan));
            assertThat(SmallFloat.code(type, -0.0, saturate)).isEqualTo(Integer.decode(zero));
            assertThat(SmallFloat.code(type, 0, saturate)).isZero();
        }
    }

    @Test
    void fourBitsHaveEightMagnitudes() {
        double[] values = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
        for (int code = 0; code < 8; code++) {
            assertThat(SmallFloat.value(DType.FLOAT4E2M1, code)).isEqualTo(values[code]);
            assertThat(SmallFloat.value(DType.FLOAT4E2M1, code + 8)).isEqualTo(-values[code]);
        }
    }

    @Test
    void powersOfTwoAreTheirExponents() {
        for (int code = 0; code < 255; code++) {
            double power = SmallFloat.value(DType.FLOAT8E8M0, code);
            assertThat(power).isEqualTo(Math.pow(2, code - 127));
            for (SmallFloat.Rounding rounding : SmallFloat.Rounding.values()) {
                assertThat(SmallFloat.scale(power, false, rounding)).isEqualTo(code);
            }
            if (code < 254) {
                assertThat(SmallFloat.scale(Math.nextUp(power), false, SmallFloat.Rounding.UP))
                        .isEqualTo(code + 1);
                assertThat(SmallFloat.scale(power * 1.99, false, SmallFloat.Rounding.DOWN))
                        .isEqualTo(code);
                assertThat(SmallFloat.scale(power * 1.5, false, SmallFloat.Rounding.NEAREST))
                        .isEqualTo(code + 1);
                assertThat(SmallFloat.scale(power * 1.49, false, SmallFloat.Rounding.NEAREST))
                        .isEqualTo(code);
            }
        }
        assertThat(SmallFloat.value(DType.FLOAT8E8M0, 255)).isNaN();
    }

    @Test
    void whatNoPowerOfTwoIsNearTo() {
        for (SmallFloat.Rounding rounding : SmallFloat.Rounding.values()) {
            for (double none : new double[] {Double.NaN, -1, Double.NEGATIVE_INFINITY}) {
                assertThat(SmallFloat.scale(none, true, rounding)).isEqualTo(255);
            }
            for (double large : new double[] {0x1p128, 1e300, Double.POSITIVE_INFINITY}) {
                assertThat(SmallFloat.scale(large, true, rounding)).isEqualTo(254);
                assertThat(SmallFloat.scale(large, false, rounding)).isEqualTo(255);
            }
            for (double small : new double[] {0, -0.0, 1e-300, Double.MIN_VALUE}) {
                assertThat(SmallFloat.scale(small, true, rounding)).isZero();
                assertThat(SmallFloat.scale(small, false, rounding)).isEqualTo(255);
            }
        }
    }

    @Test
    void otherTypesHaveNoCodes() {
        assertThatThrownBy(() -> SmallFloat.value(DType.FLOAT16, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SmallFloat.code(DType.INT4, 0, true)).isInstanceOf(IllegalArgumentException.class);
        Tensor bits = Tensor.allocate(DType.U1, 3);
        assertThatThrownBy(() -> bits.code(0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> bits.setCode(0, 1)).isInstanceOf(IllegalStateException.class);
    }

    /** Elements that share a byte: the first has the low bits, and storing one leaves the others. */
    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"INT4", "UINT4", "INT2", "UINT2", "FLOAT4E2M1", "FLOAT8E5M2"})
    void neighboursStay(DType type) {
        int all = (1 << type.bits()) - 1;
        Tensor tensor = Tensor.allocate(type, 9);
        for (int i = 8; i >= 0; i--) {
            tensor.setCode(i, i * 5);
        }
        tensor.setCode(4, all);
        long stream = 0;
        for (int i = 0; i < 9; i++) {
            int code = i == 4 ? all : (i * 5) & all;
            assertThat(tensor.code(i)).isEqualTo(code);
            stream |= i < 8 ? (long) code << (i * type.bits()) : 0;
        }
        for (int i = 0; i < type.bits(); i++) {
            assertThat(tensor.bytes().get(i)).isEqualTo((byte) (stream >> (8 * i)));
        }
    }
}
