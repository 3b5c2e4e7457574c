package org.clinfer.ops;

import javax.annotation.processing.Generated;

/**
 * A choice in FusedConv, FusedConvTranspose.
 *
 * <p>{@code toString} gives the spelling of the operator's description.
 */
@Generated("org.clinfer.generate.GeneratedFiles")
public enum ResidualAdd {
    /** The spelling {@code BEFORE}. */
    BEFORE,
    /** The spelling {@code AFTER}. */
    AFTER
}
