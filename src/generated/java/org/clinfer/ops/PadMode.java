package org.clinfer.ops;

import javax.annotation.processing.Generated;

/**
 * A choice in AvgPool, Conv2d, Conv2dTranspose, ConvTranspose, DepthwiseConv2d, MaxPool, MaxPoolIndices.
 *
 * <p>{@code toString} gives the spelling of the operator's description.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public enum PadMode {
    PADDING,
    SAME,
    SAME_LOWER,
    VALID
}
