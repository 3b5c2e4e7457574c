package org.clinfer.cpu.window;

/**
 * The weights of windows of 3x3 elements, and the bias and bounds of the sums, for a filter after the other.
 *
 * @param weights 9 of each filter
 * @param bias one of each filter
 * @param low what no sum is below, perhaps {@code -Infinity}
 * @param high what no sum is above, perhaps {@code Infinity}
 */
@SuppressWarnings("ArrayRecordComponent")
public record ThreeFilters(float[] weights, float[] bias, float low, float high) {

    public static final int TAPS = 9;

    public boolean isBounded() {
        return low != Float.NEGATIVE_INFINITY || high != Float.POSITIVE_INFINITY;
    }
}
