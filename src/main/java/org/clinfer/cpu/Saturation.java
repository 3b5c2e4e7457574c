package org.clinfer.cpu;

/** The arithmetic of integers: it stops at the ends of the range instead of wrapping. */
final class Saturation {

    private Saturation() {}

    static long add(long a, long b) {
        long sum = a + b;
        boolean overflow = ((a ^ sum) & (b ^ sum)) < 0;
        return overflow ? end(a < 0) : sum;
    }

    static long subtract(long a, long b) {
        long difference = a - b;
        boolean overflow = ((a ^ b) & (a ^ difference)) < 0;
        return overflow ? end(a < 0) : difference;
    }

    static long negate(long a) {
        return a == Long.MIN_VALUE ? Long.MAX_VALUE : -a;
    }

    /** Truncates towards zero; what is divided by 0 becomes 0. */
    static long divide(long a, long b) {
        return b == 0 ? 0 : b == -1 ? negate(a) : a / b;
    }

    /** {@code sum / count} rounded half to even; 0 where nothing was summed. */
    static long mean(long sum, long count) {
        if (count == 0) {
            return 0;
        }
        long quotient = sum / count;
        long rest = Math.abs(sum - quotient * count);
        boolean away = rest > count - rest || (rest == count - rest && (quotient & 1) != 0);
        return away ? quotient + Long.signum(sum) : quotient;
    }

    static long multiply(long a, long b) {
        long high = Math.multiplyHigh(a, b);
        long low = a * b;
        boolean overflow = high != low >> 63;
        return overflow ? end((a < 0) != (b < 0)) : low;
    }

    private static long end(boolean negative) {
        return negative ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
}
