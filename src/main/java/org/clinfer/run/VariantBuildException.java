package org.clinfer.run;

import org.clinfer.opencl.ClBuildException;

/** A kernel variant that does not build on the device; the plan has to do without it. */
public final class VariantBuildException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String variant;

    VariantBuildException(String variant, ClBuildException cause) {
        super(cause.getMessage(), cause);
        this.variant = variant;
    }

    /** The variant's {@code optype}. */
    public String variant() {
        return variant;
    }
}
