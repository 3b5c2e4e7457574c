package org.clinfer.costs;

import java.util.Locale;

/** The loops of the CPU path whose costs are known; {@code machine.json} explains each under its name. */
public enum CpuLoop {
    PRODUCT,
    DEPTHWISE,
    STRIDED_DEPTHWISE,
    SQUARE_DEPTHWISE,
    ANY_DEPTHWISE,
    SMALL_PRODUCTS,
    CONSTANT_PRODUCT,
    VECTOR_PRODUCT,
    MAXIMUM,
    MEAN,
    REDUCTION,
    SCALAR_REDUCTION,
    SOFTMAX,
    ELEMENTS,
    SCALAR_ELEMENTS,
    FUNCTION,
    SCALAR_FUNCTION;

    /** The name in the file. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
