package org.clinfer.device;

import java.util.Optional;

/**
 * The facts that kernels are chosen by, beside what a device says of itself.
 *
 * @param exact whether kernels must add the terms of a definition as they are, and not transform them first
 * @param tf32 whether kernels may round the factors of float32 products to the 10 bits of TF32
 * @param matrixUnits how programs reach matrix units
 * @param figures what the device does in a second, where that is published; empty where nothing is known beside its limits
 */
public record KernelChoices(boolean exact, boolean tf32, MatrixUnits matrixUnits, Optional<GpuFigures> figures) {

    /** Sums may be transformed, what is in float32 is multiplied as it is, and no matrix units are reached. */
    public static final KernelChoices DEFAULTS = new KernelChoices(false, false, MatrixUnits.NONE, Optional.empty());

    KernelChoices withExact(boolean required) {
        return new KernelChoices(required, tf32, matrixUnits, figures);
    }

    KernelChoices withTf32(boolean allowed) {
        return new KernelChoices(exact, allowed, matrixUnits, figures);
    }

    KernelChoices withMatrixUnits(MatrixUnits units) {
        return new KernelChoices(exact, tf32, units, figures);
    }

    KernelChoices withFigures(GpuFigures known) {
        return new KernelChoices(exact, tf32, matrixUnits, Optional.of(known));
    }
}
