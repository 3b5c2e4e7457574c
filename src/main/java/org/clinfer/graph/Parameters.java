package org.clinfer.graph;

import java.util.List;

/**
 * The resolved parameters and scratch values of one operator use, read by name as its description declares them:
 * defaults are applied and values that came as constant tensors are filled in. Every reader throws
 * {@link IllegalArgumentException} for a name that is absent or of another kind.
 */
public interface Parameters {

    /** Whether the name has a value. */
    boolean has(String name);

    long integer(String name);

    double real(String name);

    boolean flag(String name);

    String text(String name);

    long[] integers(String name);

    double[] reals(String name);

    List<String> texts(String name);

    /** {@link #integers} as ints. */
    default int[] ints(String name) {
        long[] values = integers(name);
        int[] narrow = new int[values.length];
        for (int i = 0; i < values.length; i++) {
            narrow[i] = Math.toIntExact(values[i]);
        }
        return narrow;
    }
}
