package org.clinfer.run;

import org.clinfer.errors.ClinferException;
import org.clinfer.opencl.ClException;

/** A kernel variant that does not build on the device, or that it refuses to launch; the plan has to do without it. */
public final class VariantException extends ClinferException {

    private static final long serialVersionUID = 1L;

    private final String variant;
    private final ClException failure;

    VariantException(String variant, ClException failure) {
        super(failure.getMessage(), failure);
        this.variant = variant;
        this.failure = failure;
    }

    /** The variant's {@code optype}. */
    public String variant() {
        return variant;
    }

    /** The call that failed. */
    public ClException failure() {
        return failure;
    }
}
