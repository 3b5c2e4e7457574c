package org.clinfer;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The precision in which an engine computes what a network has in float32. Integers, float64 and other types are computed as
 * they are in any case, but for 16-bit floats, which processors compute in float32 where that is much faster.
 */
public enum Precision {
    /** In float32, as the network says. */
    FLOAT32,

    /**
     * Stored in float32; the factors of convolutions and matrix products may be rounded to the 10 bits of TF32 on devices
     * whose matrix units take them, and are added in float32.
     */
    TF32,

    /** Stored and computed in float16, where an operator has a form for it; sums are float32. */
    FLOAT16;

    /** {@return the name as on the command line: {@code float32}, {@code tf32}, {@code float16}} */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads the name of a precision.
     *
     * @param text the name as on the command line
     * @return the precision
     * @throws IllegalArgumentException for anything else
     */
    public static Precision parse(String text) {
        return Arrays.stream(values())
                .filter(precision -> precision.word().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("precision '" + text + "' is none of "
                        + Arrays.stream(values()).map(Precision::word).collect(Collectors.joining(", "))));
    }
}
