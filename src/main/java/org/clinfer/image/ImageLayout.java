package org.clinfer.image;

/** The position of the channels in a tensor that holds a picture. */
public enum ImageLayout {
    /** Told from the shape: whichever of the two positions holds 1 or 3; NCHW if both or neither do. */
    AUTO,
    /** Batch, channels, height, width. */
    NCHW,
    /** Batch, height, width, channels. */
    NHWC
}
