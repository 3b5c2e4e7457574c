package org.clinfer.benchdnn;

import org.clinfer.tensor.DType;

/**
 * How far from the exact sum a result may be, as a part of the sum of the absolute values of its terms.
 *
 * <p>Where terms of random sign are added one after the other, each addition is wrong by a part of the partial sum, which
 * grows with the root of the number of terms, and so does what that many random errors make together: the error is some
 * half a unit of the type of computation times the sum of the absolute values, however many terms there are. Of all elements
 * that these tests compare, the worst was wrong by 5.8 units, which leaves little room to 8; one wrong term out of a hundred
 * thousand is more. For sums of less than 16000 terms this is narrower than what is allowed to operators in general. A type
 * that is narrower than that of computation adds half a step for the one rounding to it, and in float64 the expected sum has
 * such an error too.
 */
final class Rounding {

    private static final double UNITS = 8;

    /**
     * Units for Winograd's F(4x4, 3x3): its terms are multiplied by up to 8 on the way back, so the sums that are rounded are
     * larger than what they make. Of all elements that these tests compare, none was wrong by more than 26.
     */
    private static final double UNITS_OF_TRANSFORMED = 32;

    private final double units;
    private final boolean ofTiles;
    private final double unit;
    private final double halfStep;
    private final double least;

    private Rounding(double unit, double halfStep, double least) {
        this(UNITS, false, unit, halfStep, least);
    }

    private Rounding(double units, boolean ofTiles, double unit, double halfStep, double least) {
        this.units = units;
        this.ofTiles = ofTiles;
        this.unit = unit;
        this.halfStep = halfStep;
        this.least = least;
    }

    /** What a kernel variant, after the layout it computes in, computes: a transformed sum takes part in the rounding of its whole tile. */
    Rounding by(String variant) {
        return switch (variant.substring(variant.lastIndexOf(' ') + 1)) {
            case "winograd4", "winograd4_groups" -> new Rounding(UNITS_OF_TRANSFORMED, true, unit, halfStep, least);
            case "winograd2", "winograd2_groups" -> new Rounding(units, true, unit, halfStep, least);
            default -> this;
        };
    }

    /** Whether the largest sum of the result's absolute terms is the measure, and not that of the element itself. */
    boolean ofTiles() {
        return ofTiles;
    }

    static Rounding of(DType dtype) {
        return switch (dtype) {
            case FLOAT32 -> new Rounding(0x1p-24, 0, 0);
            case FLOAT64 -> new Rounding(2 * 0x1p-53, 0, 0);
            case FLOAT16 -> new Rounding(0x1p-24, 0x1p-11, 0x1p-14);
            case BFLOAT16 -> new Rounding(0x1p-24, 0x1p-8, 0);
            default -> new Rounding(0, 0, 0);
        };
    }

    /** The largest error of a result that is {@code sum} exactly and {@code magnitude} in absolute terms. */
    double allowed(double sum, double magnitude) {
        return units * unit * magnitude + halfStep * Math.max(Math.abs(sum), least);
    }

    /** The largest difference of two results at one element, the absolute terms of which are {@code magnitude} at most. */
    double between(double one, double other, double magnitude) {
        return 2 * allowed(Math.max(Math.abs(one), Math.abs(other)), magnitude);
    }
}
