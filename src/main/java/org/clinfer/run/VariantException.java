package org.clinfer.run;

import org.clinfer.errors.ClinferException;
import org.clinfer.kernel.KernelVariant;
import org.clinfer.opencl.ClException;

/**
 * A kernel variant that does not build on the device, that it refuses to launch, or while which it fails; the plan has to do
 * without it.
 */
public final class VariantException extends ClinferException {

    private static final long serialVersionUID = 1L;

    private final KernelVariant variant;
    private final ClException failure;

    VariantException(KernelVariant variant, ClException failure) {
        super(failure.getMessage(), failure);
        this.variant = variant;
        this.failure = failure;
    }

    /** The variant's {@code optype}. */
    public String variant() {
        return variant.optype();
    }

    /** The name of the variant and of those that run the same kernels. */
    public String family() {
        return variant.family();
    }

    /** The call that failed. */
    public ClException failure() {
        return failure;
    }
}
