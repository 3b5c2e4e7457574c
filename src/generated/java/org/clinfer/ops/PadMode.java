package org.clinfer.ops;

import javax.annotation.processing.Generated;

/**
 * A choice in AvgPool, Conv2d, Conv2dTranspose, ConvTranspose, DepthwiseConv2d, MaxPool, MaxPoolIndices.
 *
 * <p>{@code toString} gives the spelling of the operator's description.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public enum PadMode {
    /** The spelling {@code PADDING}. */
    PADDING,
    /** The spelling {@code SAME}. */
    SAME,
    /** The spelling {@code SAME_LOWER}. */
    SAME_LOWER,
    /** The spelling {@code VALID}. */
    VALID
}
