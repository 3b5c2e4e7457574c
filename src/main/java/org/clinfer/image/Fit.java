package org.clinfer.image;

/** The way in which a picture is brought to the size a network expects. */
public enum Fit {
    /** Each side on its own; the aspect ratio may change. */
    STRETCH,
    /**
     * Scaled until it covers the target, or until its shortest side is as long as {@link Preprocessing#shortestSide} says,
     * then cut at the centre.
     */
    CROP,
    /** Scaled until it fits into the target, in the middle, with bars of {@link Preprocessing#padding} for the rest. */
    LETTERBOX,
    /** Not at all: the picture must have the expected size. */
    NONE
}
