package org.clinfer.cpu.vision;

/** Numbers half-way between two integers, which rounding errors hide. */
final class Ties {

    private Ties() {}

    /** The multiple of 1/2 that is at most {@code error} away from {@code value}, or the value where there is none. */
    static double snapped(double value, double error) {
        double halfSteps = Math.rint(2 * value);
        return Math.abs(2 * value - halfSteps) <= 2 * error ? halfSteps / 2 : value;
    }

    /** A weighted sum of integers as an integer: half to even, saturated; NaN is 0. */
    static long rounded(double sum) {
        return (long) Math.rint(snapped(sum, Math.min(1e-14 * (1 + Math.abs(sum)), 0.01)));
    }
}
