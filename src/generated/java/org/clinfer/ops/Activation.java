package org.clinfer.ops;

import javax.annotation.processing.Generated;

/**
 * A choice in FusedConv, FusedConvTranspose.
 *
 * <p>{@code toString} gives the spelling of the operator's description.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public enum Activation {
    /** The spelling {@code NONE}. */
    NONE,
    /** The spelling {@code RELU}. */
    RELU,
    /** The spelling {@code RELU6}. */
    RELU6,
    /** The spelling {@code LEAKY_RELU}. */
    LEAKY_RELU,
    /** The spelling {@code PRELU}. */
    PRELU,
    /** The spelling {@code CLIP}. */
    CLIP,
    /** The spelling {@code SIGMOID}. */
    SIGMOID,
    /** The spelling {@code HARD_SWISH}. */
    HARD_SWISH,
    /** The spelling {@code TANH}. */
    TANH,
    /** The spelling {@code SWISH}. */
    SWISH,
    /** The spelling {@code GELU}. */
    GELU
}
