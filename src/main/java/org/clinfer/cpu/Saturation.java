package org.clinfer.cpu;

/** Long arithmetic that stops at the ends of the range instead of wrapping. */
final class Saturation {

    private Saturation() {}

    static long add(long a, long b) {
        long sum = a + b;
        boolean overflow = ((a ^ sum) & (b ^ sum)) < 0;
        return overflow ? end(a < 0) : sum;
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
