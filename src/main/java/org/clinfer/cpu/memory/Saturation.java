package org.clinfer.cpu.memory;

/**
 * The arithmetic of integers: it stops at the ends of the range instead of wrapping. What is called unsigned is that of
 * uint64, whose bits a long holds.
 */
public final class Saturation {

    private Saturation() {}

    public static long add(long a, long b) {
        long sum = a + b;
        boolean overflow = ((a ^ sum) & (b ^ sum)) < 0;
        return overflow ? end(a < 0) : sum;
    }

    public static long subtract(long a, long b) {
        long difference = a - b;
        boolean overflow = ((a ^ b) & (a ^ difference)) < 0;
        return overflow ? end(a < 0) : difference;
    }

    public static long negate(long a) {
        return a == Long.MIN_VALUE ? Long.MAX_VALUE : -a;
    }

    /** Truncates towards zero; what is divided by 0 becomes 0. */
    public static long divide(long a, long b) {
        return b == 0 ? 0 : b == -1 ? negate(a) : a / b;
    }

    /** {@code sum / count} rounded half to even; 0 where nothing was summed. */
    public static long mean(long sum, long count) {
        if (count == 0) {
            return 0;
        }
        long quotient = sum / count;
        long rest = Math.abs(sum - quotient * count);
        boolean away = rest > count - rest || (rest == count - rest && (quotient & 1) != 0);
        return away ? quotient + Long.signum(sum) : quotient;
    }

    public static long multiply(long a, long b) {
        long high = Math.multiplyHigh(a, b);
        long low = a * b;
        boolean overflow = high != low >> 63;
        return overflow ? end((a < 0) != (b < 0)) : low;
    }

    public static long addUnsigned(long a, long b) {
        long sum = a + b;
        return Long.compareUnsigned(sum, a) < 0 ? -1 : sum;
    }

    public static long subtractUnsigned(long a, long b) {
        return Long.compareUnsigned(a, b) < 0 ? 0 : a - b;
    }

    public static long multiplyUnsigned(long a, long b) {
        long high = Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
        return high == 0 ? a * b : -1;
    }

    /** A quotient of division by 0 is 0. */
    public static long divideUnsigned(long a, long b) {
        return b == 0 ? 0 : Long.divideUnsigned(a, b);
    }

    /** {@link #mean} of a sum without a sign. */
    public static long meanUnsigned(long sum, long count) {
        if (count == 0) {
            return 0;
        }
        long quotient = Long.divideUnsigned(sum, count);
        long rest = sum - quotient * count;
        boolean away = rest > count - rest || (rest == count - rest && (quotient & 1) != 0);
        return away ? quotient + 1 : quotient;
    }

    public static long maxUnsigned(long a, long b) {
        return Long.compareUnsigned(a, b) >= 0 ? a : b;
    }

    public static long minUnsigned(long a, long b) {
        return Long.compareUnsigned(a, b) <= 0 ? a : b;
    }

    private static long end(boolean negative) {
        return negative ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
}
