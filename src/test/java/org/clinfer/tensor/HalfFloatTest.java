package org.clinfer.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** The 16-bit formats against a reference that knows only the list of all their values. */
class HalfFloatTest {

    /** One 16-bit format: its positive finite values in rising order are its codes 0 to {@code infinity - 1}. */
    private enum Format {
        HALF(5, 10) {
            @Override
            float decode(short code) {
                return HalfFloat.toFloat(code);
            }

            @Override
            short encode(float value) {
                return HalfFloat.fromFloat(value);
            }
        },
        BFLOAT(8, 7) {
            @Override
            float decode(short code) {
                return HalfFloat.bfloatToFloat(code);
            }

            @Override
            short encode(float value) {
                return HalfFloat.bfloatFromFloat(value);
            }
        };

        private final int bias;
        private final int fractionBits;

        Format(int exponentBits, int fractionBits) {
            this.bias = (1 << (exponentBits - 1)) - 1;
            this.fractionBits = fractionBits;
        }

        abstract float decode(short code);

        abstract short encode(float value);

        /** The code of infinity. */
        int infinity() {
            return (2 * bias + 1) << fractionBits;
        }

        /** The value of a positive code by the definition of IEEE 754; infinity counts as the next power of two. */
        double value(int code) {
            int exponent = code >> fractionBits;
            int fraction = code & ((1 << fractionBits) - 1);
            return exponent == 0
                    ? Math.scalb((double) fraction, 1 - bias - fractionBits)
                    : Math.scalb((double) (fraction + (1 << fractionBits)), exponent - bias - fractionBits);
        }

        /** The code nearest to a magnitude, ties to even, found by bisection over all codes. */
        int nearest(double magnitude) {
            int low = 0;
            int high = infinity();
            if (magnitude >= value(high)) {
                return high;
            }
            while (high - low > 1) {
                int middle = (low + high) / 2;
                if (value(middle) <= magnitude) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            double below = magnitude - value(low);
            double above = value(high) - magnitude;
            if (below == above) {
                return low % 2 == 0 ? low : high;
            }
            return below < above ? low : high;
        }
    }

    private static void checkEncoding(Format format, float value) {
        int sign = Float.floatToRawIntBits(value) < 0 ? 0x8000 : 0;
        int wanted = sign | format.nearest(Math.abs((double) value));
        int found = format.encode(value) & 0xffff;
        if (found != wanted) {
            fail("%s of %s (%s): found %04x, expected %04x", format, value, Float.toHexString(value), found, wanted);
        }
    }

    private static boolean isNaN(Format format, int code) {
        return (code & 0x7fff) > format.infinity();
    }

    @Test
    void everyCodeHasTheValueOfIeee754() {
        for (Format format : Format.values()) {
            for (int code = 0; code < format.infinity(); code++) {
                float wanted = (float) format.value(code);
                if (format.decode((short) code) != wanted || format.decode((short) (code | 0x8000)) != -wanted) {
                    fail("%s %04x: %s, expected %s", format, code, format.decode((short) code), wanted);
                }
            }
            assertThat(format.decode((short) format.infinity())).isEqualTo(Float.POSITIVE_INFINITY);
            assertThat(format.decode((short) (format.infinity() | 0x8000))).isEqualTo(Float.NEGATIVE_INFINITY);
            assertThat(Float.floatToRawIntBits(format.decode((short) 0x8000))).isEqualTo(0x80000000);
        }
    }

    @Test
    void everyCodeSurvivesTheWayToFloatAndBack() {
        for (Format format : Format.values()) {
            for (int code = 0; code < 0x10000; code++) {
                int back = format.encode(format.decode((short) code)) & 0xffff;
                int quiet = 1 << (format.fractionBits - 1);
                int wanted = isNaN(format, code) ? code | quiet : code;
                assertThat(back).as("%s %04x", format, code).isEqualTo(wanted);
            }
        }
    }

    @Test
    void everyNaNStaysNaN() {
        for (Format format : Format.values()) {
            for (int payload = 1; payload < 0x800000; payload = payload * 2 + 1) {
                float nan = Float.intBitsToFloat(0x7f800000 | payload);
                assertThat(isNaN(format, format.encode(nan) & 0xffff)).isTrue();
            }
            assertThat(isNaN(format, format.encode(Float.intBitsToFloat(0x7f800001)) & 0xffff))
                    .isTrue();
            assertThat(Float.isNaN(format.decode((short) (format.infinity() + 1))))
                    .isTrue();
        }
    }

    @Test
    void roundsToTheNearestAndTiesToEvenAtEveryBoundary() {
        for (Format format : Format.values()) {
            for (int code = 0; code < format.infinity(); code++) {
                float middle = (float) ((format.value(code) + format.value(code + 1)) / 2);
                for (float value : new float[] {Math.nextDown(middle), middle, Math.nextUp(middle)}) {
                    checkEncoding(format, value);
                    checkEncoding(format, -value);
                }
            }
        }
    }

    @Test
    void overflowGivesInfinityAndUnderflowKeepsTheSign() {
        for (Format format : Format.values()) {
            for (float value : new float[] {Float.MAX_VALUE, Float.POSITIVE_INFINITY, Float.MIN_VALUE, 0f}) {
                checkEncoding(format, value);
                checkEncoding(format, -value);
            }
        }
        assertThat(HalfFloat.fromFloat(65519.996f)).isEqualTo((short) 0x7bff);
        assertThat(HalfFloat.fromFloat(65520f)).isEqualTo((short) 0x7c00);
        assertThat(HalfFloat.fromFloat(0x1p-25f)).isEqualTo((short) 0);
        assertThat(HalfFloat.fromFloat(-0x1.000002p-25f)).isEqualTo((short) 0x8001);
    }

    @Test
    void roundsRandomFloats() {
        Random random = new Random(16);
        for (int i = 0; i < 200_000; i++) {
            float anywhere = Float.intBitsToFloat(random.nextInt());
            float inRange = (float) Math.scalb(random.nextDouble() - 0.5, random.nextInt(45) - 27);
            for (Format format : Format.values()) {
                if (!Float.isNaN(anywhere)) {
                    checkEncoding(format, anywhere);
                }
                checkEncoding(format, inRange);
            }
        }
    }
}
