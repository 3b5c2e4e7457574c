package org.clinfer.tensor;

/** Conversion between binary32 and the two 16-bit formats, rounding to nearest, ties to even. */
public final class HalfFloat {

    private HalfFloat() {}

    /**
     * {@return the value of an IEEE 754 binary16; exact}
     *
     * @param half its bits
     */
    public static float toFloat(short half) {
        int bits = half & 0xffff;
        int sign = (bits & 0x8000) << 16;
        int exponent = (bits >>> 10) & 0x1f;
        int fraction = bits & 0x3ff;
        if (exponent == 0x1f) {
            return Float.intBitsToFloat(sign | 0x7f800000 | (fraction << 13));
        }
        if (exponent != 0) {
            return Float.intBitsToFloat(sign | ((exponent + 112) << 23) | (fraction << 13));
        }
        float magnitude = fraction * 0x1p-24f;
        return sign == 0 ? magnitude : -magnitude;
    }

    /**
     * {@return the binary16 nearest to {@code value}; overflow gives infinity, NaN stays NaN}
     *
     * @param value the number
     */
    public static short fromFloat(float value) {
        int bits = Float.floatToRawIntBits(value);
        int sign = (bits >>> 16) & 0x8000;
        int magnitude = bits & 0x7fffffff;
        if (magnitude > 0x7f800000) {
            return (short) (sign | 0x7e00 | ((magnitude >>> 13) & 0x3ff));
        }
        if (magnitude >= 0x47800000) {
            return (short) (sign | 0x7c00);
        }
        if (magnitude < 0x38800000) {
            // Below the smallest normal half: adding 0.5 shifts the fraction into place and lets the FPU round it.
            float shifted = Float.intBitsToFloat(magnitude) + 0.5f;
            return (short) (sign | (Float.floatToRawIntBits(shifted) - 0x3f000000));
        }
        int rounded = magnitude + 0xfff + ((magnitude >>> 13) & 1);
        return (short) (sign | ((rounded - 0x38000000) >>> 13));
    }

    /**
     * {@return the value of a bfloat16; exact}
     *
     * @param bfloat its bits
     */
    public static float bfloatToFloat(short bfloat) {
        return Float.intBitsToFloat((bfloat & 0xffff) << 16);
    }

    /**
     * {@return the bfloat16 nearest to {@code value}; NaN stays NaN}
     *
     * @param value the number
     */
    public static short bfloatFromFloat(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (Float.isNaN(value)) {
            return (short) ((bits >>> 16) | 0x40);
        }
        return (short) ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16);
    }
}
