package org.clinfer.graph;

import java.util.List;

/**
 * The resolved parameters and scratch values of one operator use, read by name as its description declares them:
 * defaults are applied and values that came as constant tensors are filled in. Every reader throws
 * {@link IllegalArgumentException} for a name that is absent or of another kind.
 */
public interface Parameters {

    /**
     * {@return whether the name has a value}
     *
     * @param name of a parameter
     */
    boolean has(String name);

    /**
     * {@return a whole number}
     *
     * @param name of a parameter that has one
     */
    long integer(String name);

    /**
     * {@return a number}
     *
     * @param name of a parameter that has one
     */
    double real(String name);

    /**
     * {@return a yes or a no}
     *
     * @param name of a parameter that has one
     */
    boolean flag(String name);

    /**
     * {@return a text}
     *
     * @param name of a parameter that has one
     */
    String text(String name);

    /**
     * {@return a list of whole numbers}
     *
     * @param name of a parameter that has one
     */
    long[] integers(String name);

    /**
     * {@return a list of numbers}
     *
     * @param name of a parameter that has one
     */
    double[] reals(String name);

    /**
     * {@return a list of texts}
     *
     * @param name of a parameter that has one
     */
    List<String> texts(String name);

    /**
     * {@return {@link #integers} as ints}
     *
     * @param name of a parameter that has a list of whole numbers
     */
    default int[] ints(String name) {
        long[] values = integers(name);
        int[] narrow = new int[values.length];
        for (int i = 0; i < values.length; i++) {
            narrow[i] = Math.toIntExact(values[i]);
        }
        return narrow;
    }
}
