package org.clinfer.cpu.call;

/** Division of counts into equal parts, rounded up. */
public final class Rounding {

    private Rounding() {}

    /** The least number of parts of size {@code by} that hold {@code value}. */
    public static int ceilDiv(int value, int by) {
        return -Math.floorDiv(-value, by);
    }

    /** {@return how many of {@code count} go together, {@code most} at most, where all groups are about as large} */
    public static int evenly(int count, int most) {
        return ceilDiv(count, ceilDiv(count, most));
    }

    /** The least multiple that is not below {@code value}. */
    public static int roundUp(int value, int multiple) {
        return ceilDiv(value, multiple) * multiple;
    }
}
