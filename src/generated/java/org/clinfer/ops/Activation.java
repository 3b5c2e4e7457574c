package org.clinfer.ops;

import javax.annotation.processing.Generated;

/**
 * A choice in FusedConv, FusedConvTranspose.
 *
 * <p>{@code toString} gives the spelling of the operator's description.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public enum Activation {
    NONE,
    RELU,
    RELU6,
    LEAKY_RELU,
    PRELU,
    CLIP,
    SIGMOID,
    HARD_SWISH,
    TANH,
    SWISH,
    GELU
}
