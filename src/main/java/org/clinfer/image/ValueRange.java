package org.clinfer.image;

import org.clinfer.tensor.Tensor;

/** The tensor values that become black and white. */
public enum ValueRange {
    /**
     * Told from the values: 0..1 or -1..1 if they lie there, 0..1 with a little beyond both ends, as networks overshoot; 0..1
     * also if they stay so small that 0..255 would be all black, else 0..255.
     */
    AUTO("auto"),
    /** From 0, black, to 1, white. */
    UNIT("0..1"),
    /** From 0, black, to 255, white. */
    BYTES("0..255"),
    /** From -1, black, to 1, white. */
    SIGNED("-1..1"),
    /** The smallest value becomes black, the largest white. */
    MINMAX("minmax");

    private static final double SLACK = 1e-3;
    private static final double OVERSHOOT = 0.1;
    private static final double ALL_BLACK = 4;

    private final String label;

    ValueRange(String label) {
        this.label = label;
    }

    /**
     * {@return the range of this name, as on the command line}
     *
     * @param text the name
     * @throws IllegalArgumentException for any other text
     */
    public static ValueRange of(String text) {
        for (ValueRange range : values()) {
            if (range.label.equals(text)) {
                return range;
            }
        }
        throw new IllegalArgumentException("'" + text + "' is none of auto, 0..1, 0..255, -1..1, minmax");
    }

    /** The value shown as black and the one shown as white. */
    record Ends(double black, double white) {

        int shade(double value) {
            double share = (value - black) / (white - black);
            return (int) Math.round(255 * Math.max(0, Math.min(1, Double.isNaN(share) ? 0 : share)));
        }
    }

    Ends ends(Tensor tensor) {
        return switch (this) {
            case UNIT -> new Ends(0, 1);
            case BYTES -> new Ends(0, 255);
            case SIGNED -> new Ends(-1, 1);
            case MINMAX -> extent(tensor);
            case AUTO -> guess(extent(tensor));
        };
    }

    private static Ends guess(Ends extent) {
        if (extent.black >= -OVERSHOOT && extent.white <= 1 + OVERSHOOT) {
            return new Ends(0, 1);
        }
        if (extent.black >= -1 - SLACK && extent.white <= 1 + SLACK) {
            return new Ends(-1, 1);
        }
        return extent.white < ALL_BLACK ? new Ends(0, 1) : new Ends(0, 255);
    }

    private static Ends extent(Tensor tensor) {
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        long elements = tensor.elements();
        for (long i = 0; i < elements; i++) {
            double value = tensor.getDouble(i);
            least = Math.min(least, Double.isFinite(value) ? value : least);
            most = Math.max(most, Double.isFinite(value) ? value : most);
        }
        return new Ends(least, most > least ? most : least + 1);
    }
}
