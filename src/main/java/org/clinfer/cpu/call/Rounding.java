package org.clinfer.cpu.call;

/** Division of counts into equal parts, rounded up. */
public final class Rounding {

    private Rounding() {}

    /** The least number of parts of size {@code by} that hold {@code value}. */
    public static int ceilDiv(int value, int by) {
        return -Math.floorDiv(-value, by);
    }

    /** The least multiple that is not below {@code value}. */
    public static int roundUp(int value, int multiple) {
        return ceilDiv(value, multiple) * multiple;
    }
}
