package org.clinfer.ops;

import javax.annotation.processing.Generated;

/**
 * A choice in Gelu, BiasGelu.
 *
 * <p>{@code toString} gives the spelling of the operator's description.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public enum Approximate {
    /** The spelling {@code NONE}. */
    NONE,
    /** The spelling {@code TANH}. */
    TANH
}
