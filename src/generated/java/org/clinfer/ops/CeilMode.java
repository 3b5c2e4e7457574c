package org.clinfer.ops;

import javax.annotation.processing.Generated;

/**
 * A choice in AvgPool, Conv2d, Conv2dTranspose, ConvTranspose, DepthwiseConv2d, MaxPool, MaxPoolIndices.
 *
 * <p>{@code toString} gives the spelling of the operator's description.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public enum CeilMode {
    /** The spelling {@code FLOOR}. */
    FLOOR,
    /** The spelling {@code CEIL}. */
    CEIL,
    /** The spelling {@code ROUND}. */
    ROUND
}
