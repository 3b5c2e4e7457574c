package org.clinfer.cpu.memory;

/** The arithmetic of uint64, whose bits a long holds, where it is not that of numbers with a sign. */
public final class UnsignedLongs {

    private UnsignedLongs() {}

    /** {@link LongValues#mean} of a sum without a sign. */
    public static long mean(long sum, long count) {
        if (count == 0) {
            return 0;
        }
        long quotient = Long.divideUnsigned(sum, count);
        long rest = sum - quotient * count;
        boolean away = rest > count - rest || (rest == count - rest && (quotient & 1) != 0);
        return away ? quotient + 1 : quotient;
    }

    public static long max(long a, long b) {
        return Long.compareUnsigned(a, b) >= 0 ? a : b;
    }

    public static long min(long a, long b) {
        return Long.compareUnsigned(a, b) <= 0 ? a : b;
    }
}
