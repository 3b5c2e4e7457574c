package org.clinfer.tensor;

/**
 * Conversion between doubles and the floating formats of 8 and 4 bits, rounding once, to nearest, ties to even.
 *
 * <p>A code is a sign bit, an exponent and a fraction, as in IEEE 754. What differs: {@code float8e5m2} alone has
 * infinities; {@code float8e4m3fn} has one magnitude that is no number; the two {@code fnuz} formats have neither
 * infinities nor a negative zero, whose code is their only NaN; {@code float4e2m1} has numbers alone.
 * {@code float8e8m0} is an exponent without sign and fraction, and rounds as it is told.
 */
public final class SmallFloat {

    /** The rounding of a value between two powers of two to one of them. */
    public enum Rounding {
        /** To the larger one. */
        UP,
        /** To the smaller one. */
        DOWN,
        /** A value halfway goes up. */
        NEAREST
    }

    private static final int SCALE_BIAS = 127;
    private static final int LARGEST_SCALE = 0xfe;
    private static final int NO_SCALE = 0xff;

    private static final Format E4M3FN = new Format(8, 3, 7, 0x7e, 0x7f, 0x7f);
    private static final Format E4M3FNUZ = new Format(8, 3, 8, 0x7f, 0x80, 0x80);
    private static final Format E5M2 = new Format(8, 2, 15, 0x7b, 0x7c, 0x7e);
    private static final Format E5M2FNUZ = new Format(8, 2, 16, 0x7f, 0x80, 0x80);

    /** A NaN becomes -0, as public recordings have it. */
    private static final Format E2M1 = new Format(4, 1, 1, 0x7, 0x7, 0x8);

    private SmallFloat() {}

    /**
     * {@return the value of a code; exact}
     *
     * @param type one of these formats
     * @param code its bits
     * @throws IllegalArgumentException for a type that is none of these formats
     */
    public static double value(DType type, int code) {
        if (type == DType.FLOAT8E8M0) {
            return code == NO_SCALE ? Double.NaN : Math.scalb(1.0, code - SCALE_BIAS);
        }
        Format format = format(type);
        return format.values[code & (format.values.length - 1)];
    }

    /**
     * {@return the code nearest to a value}
     *
     * @param type one of these formats
     * @param value the number
     * @param saturate whether a value beyond the largest one, and an infinity, becomes the largest one; otherwise it
     *     becomes an infinity or, where there is none, what is no number. {@code float4e2m1} saturates always.
     *     {@code float8e8m0} rounds up
     * @throws IllegalArgumentException for a type that is none of these formats
     */
    public static int code(DType type, double value, boolean saturate) {
        return type == DType.FLOAT8E8M0
                ? scale(value, saturate, Rounding.UP)
                : format(type).code(value, saturate);
    }

    /**
     * {@return the {@code float8e8m0} code of a value; what is below 0 has none, and becomes what is no number}
     *
     * @param value the number
     * @param saturate whether what is too large or too small, an infinity and 0 among them, becomes the largest or the
     *     smallest power; otherwise it becomes what is no number
     * @param rounding to which of two powers of two
     */
    public static int scale(double value, boolean saturate, Rounding rounding) {
        if (!(value >= 0)) {
            return NO_SCALE;
        }
        int exponent = Math.getExponent(value);
        if (exponent < -SCALE_BIAS) {
            return saturate ? 0 : NO_SCALE;
        }
        double past = exponent > SCALE_BIAS ? 1 : Math.scalb(value, -exponent) - 1;
        boolean up = switch (rounding) {
            case UP -> past > 0;
            case DOWN -> false;
            case NEAREST -> past >= 0.5;
        };
        int code = exponent + SCALE_BIAS + (up ? 1 : 0);
        return code <= LARGEST_SCALE ? code : saturate ? LARGEST_SCALE : NO_SCALE;
    }

    private static Format format(DType type) {
        return switch (type) {
            case FLOAT8E4M3FN -> E4M3FN;
            case FLOAT8E4M3FNUZ -> E4M3FNUZ;
            case FLOAT8E5M2 -> E5M2;
            case FLOAT8E5M2FNUZ -> E5M2FNUZ;
            case FLOAT4E2M1 -> E2M1;
            default -> throw new IllegalArgumentException(type + " has 16 bits or more, or no fraction");
        };
    }

    /** One format with the values of all its codes. */
    private static final class Format {

        private final int sign;
        private final int fractionBits;
        private final int lowestExponent;
        private final int largest;
        private final int overflow;
        private final int nan;
        private final double[] values;

        /**
         * A format.
         *
         * @param largest the code of the largest number
         * @param overflow the code of what is larger, where it does not saturate; its sign is added
         * @param nan the code of what is no number
         */
        Format(int bits, int fractionBits, int bias, int largest, int overflow, int nan) {
            this.sign = 1 << (bits - 1);
            this.fractionBits = fractionBits;
            this.lowestExponent = 1 - bias;
            this.largest = largest;
            this.overflow = overflow;
            this.nan = nan;
            this.values = new double[1 << bits];
            for (int code = 0; code < values.length; code++) {
                values[code] = decoded(code);
            }
        }

        /** {@return whether the code of -0 stands for what is no number} */
        private boolean hasOneZero() {
            return nan == sign && overflow == sign;
        }

        private double decoded(int code) {
            int magnitude = code & (sign - 1);
            if (code == sign && hasOneZero()) {
                return Double.NaN;
            }
            double value = magnitude > largest
                    ? (magnitude == overflow && overflow != nan ? Double.POSITIVE_INFINITY : Double.NaN)
                    : number(magnitude);
            return code < sign ? value : -value;
        }

        private double number(int magnitude) {
            int exponent = magnitude >> fractionBits;
            int fraction = magnitude & ((1 << fractionBits) - 1);
            int whole = exponent == 0 ? fraction : fraction + (1 << fractionBits);
            return Math.scalb((double) whole, Math.max(exponent, 1) - 1 + lowestExponent - fractionBits);
        }

        private int code(double value, boolean saturate) {
            if (Double.isNaN(value)) {
                return nan;
            }
            boolean negative = Double.doubleToRawLongBits(value) < 0;
            int magnitude = magnitude(Math.abs(value));
            if (magnitude > largest) {
                magnitude = saturate ? largest : overflow;
            }
            return negative && (magnitude != 0 || !hasOneZero()) ? magnitude | sign : magnitude;
        }

        /** The code without sign; beyond the largest one, the code that a longer exponent would give, or more. */
        private int magnitude(double value) {
            int exponent = Math.max(Math.getExponent(value), lowestExponent);
            int above = exponent - lowestExponent;
            if (above >= 1 << 5) {
                return Integer.MAX_VALUE;
            }
            return (above << fractionBits) + (int) Math.rint(Math.scalb(value, fractionBits - exponent));
        }
    }
}
