package org.clinfer.tensor;

/**
 * The floating formats of 8 and 4 bits as their publications define them (OCP 8-bit Floating Point, "8-bit Numerical
 * Formats for Deep Neural Networks", OCP Microscaling): a code's value by its formula, and the nearest code by trying all.
 */
public final class SmallFloatDefinition {

    private SmallFloatDefinition() {}

    private record Layout(int bits, int fractionBits, int bias) {}

    private static Layout layout(DType type) {
        return switch (type) {
            case FLOAT8E4M3FN -> new Layout(8, 3, 7);
            case FLOAT8E4M3FNUZ -> new Layout(8, 3, 8);
            case FLOAT8E5M2 -> new Layout(8, 2, 15);
            case FLOAT8E5M2FNUZ -> new Layout(8, 2, 16);
            case FLOAT8E8M0 -> new Layout(8, 0, 127);
            case FLOAT4E2M1 -> new Layout(4, 1, 1);
            default -> throw new IllegalArgumentException(type.label());
        };
    }

    /** How many codes a format has. */
    public static int codes(DType type) {
        return 1 << layout(type).bits;
    }

    /** The value of a code. */
    public static double value(DType type, int code) {
        if (type == DType.FLOAT8E8M0) {
            return code == 255 ? Double.NaN : Math.pow(2, code - 127);
        }
        Layout layout = layout(type);
        boolean negative = code >= codes(type) / 2;
        int magnitude = code % (codes(type) / 2);
        boolean unsignedZero = type == DType.FLOAT8E4M3FNUZ || type == DType.FLOAT8E5M2FNUZ;
        if ((unsignedZero && negative && magnitude == 0) || (type == DType.FLOAT8E4M3FN && magnitude == 0x7f)) {
            return Double.NaN;
        }
        if (type == DType.FLOAT8E5M2 && magnitude >= 0x7c) {
            return magnitude > 0x7c ? Double.NaN : negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        int steps = 1 << layout.fractionBits;
        int exponent = magnitude / steps;
        double fraction = (double) (magnitude % steps) / steps;
        double size = exponent == 0
                ? fraction * Math.pow(2, 1 - layout.bias)
                : (1 + fraction) * Math.pow(2, exponent - layout.bias);
        return negative ? -size : size;
    }

    /** The code of the least power of two that is not below a value. */
    private static int nextPower(double value) {
        for (int code = 0; code < 255 && value >= 0x1p-127; code++) {
            if (value(DType.FLOAT8E8M0, code) >= value) {
                return code;
            }
        }
        return 255;
    }

    /** The largest number. */
    public static double largest(DType type) {
        return switch (type) {
            case FLOAT8E4M3FN -> 448;
            case FLOAT8E4M3FNUZ -> 240;
            case FLOAT8E5M2, FLOAT8E5M2FNUZ -> 57344;
            case FLOAT8E8M0 -> 0x1p127;
            case FLOAT4E2M1 -> 6;
            default -> throw new IllegalArgumentException(type.label());
        };
    }

    /** A value with what is beyond the largest number, infinities too, brought to it. */
    public static double clamped(DType type, double value) {
        if (type == DType.FLOAT8E8M0) {
            return value < 0 ? value : Math.max(0x1p-127, Math.min(0x1p127, value));
        }
        return Double.isNaN(value) ? value : Math.max(-largest(type), Math.min(largest(type), value));
    }

    /**
     * The nearest code, ties to the even one. What is nearer to the first number that there is no code for any more is an
     * infinity, or else no number; in float4e2m1, which has neither, the largest number. A NaN there is -0.
     */
    public static int nearest(DType type, double value) {
        if (type == DType.FLOAT8E8M0) {
            return nextPower(value);
        }
        int half = codes(type) / 2;
        boolean unsignedZero = type == DType.FLOAT8E4M3FNUZ || type == DType.FLOAT8E5M2FNUZ;
        if (Double.isNaN(value)) {
            return switch (type) {
                case FLOAT8E4M3FN -> 0x7f;
                case FLOAT8E5M2 -> 0x7e;
                default -> half;
            };
        }
        boolean negative = Math.copySign(1, value) < 0;
        double size = Math.abs(value);
        int best = 0;
        for (int code = 1; code < half && Double.isFinite(value(type, code)); code++) {
            double gain = Math.abs(value(type, best) - size) - Math.abs(value(type, code) - size);
            best = gain > 0 || (gain == 0 && code % 2 == 0) ? code : best;
        }
        if (size > largest(type)) {
            double beyond = switch (type) {
                case FLOAT8E4M3FN -> 480;
                case FLOAT8E4M3FNUZ -> 256;
                case FLOAT8E5M2, FLOAT8E5M2FNUZ -> 65536;
                default -> Double.POSITIVE_INFINITY;
            };
            double middle = (largest(type) + beyond) / 2;
            // The largest number is an even code in the first format alone.
            if (size > middle || (size == middle && type != DType.FLOAT8E4M3FN)) {
                best = switch (type) {
                    case FLOAT8E4M3FN -> 0x7f;
                    case FLOAT8E5M2 -> 0x7c;
                    case FLOAT4E2M1 -> 0x7;
                    default -> half;
                };
            }
        }
        return unsignedZero && (best == 0 || best == half) ? best : negative ? best + half : best;
    }
}
