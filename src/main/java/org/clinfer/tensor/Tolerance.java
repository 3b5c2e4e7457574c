package org.clinfer.tensor;

import java.util.Optional;

/**
 * The distance that a computed value may have from the recorded one:
 * {@code |a - b| <= absolute + relative * max|expected|}, the maximum over the finite values of the output. Integers,
 * booleans and floats of 8 bits and less must be equal.
 *
 * <p>Defaults by data type: float32 and float64 results of whole networks differ by rounding and by the order of sums,
 * far less than 1e-4 of the range; a 16-bit result may differ by its own rounding, which is 2^-10 (float16) or 2^-7
 * (bfloat16) of the largest value, taken twice.
 *
 * @param relative given by the user, for every data type
 * @param absolute given by the user, for every data type
 */
public record Tolerance(Optional<Double> relative, Optional<Double> absolute) {

    /** The default share of the range for float32 and float64. */
    public static final double RELATIVE = 1e-4;

    /** The default absolute part. */
    public static final double ABSOLUTE = 1e-6;

    /** The defaults for every data type. */
    public static final Tolerance DEFAULT = new Tolerance(Optional.empty(), Optional.empty());

    double allowed(DType dtype, double range) {
        if (!dtype.isFloating() || dtype.isSmallFloat()) {
            return 0;
        }
        return absolute.orElse(ABSOLUTE) + relative.orElse(relativeOf(dtype)) * range;
    }

    private static double relativeOf(DType dtype) {
        return switch (dtype) {
            case FLOAT16 -> 0x1p-9;
            case BFLOAT16 -> 0x1p-6;
            default -> RELATIVE;
        };
    }
}
