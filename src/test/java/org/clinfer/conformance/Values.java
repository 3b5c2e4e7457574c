package org.clinfer.conformance;

import java.util.Arrays;

/** Parameters that an input may give by its elements. */
final class Values {

    private Values() {}

    /** The elements of an input, or else the parameter, or else {@code otherwise}. */
    static long[] ints(Call call, int input, String param, long... otherwise) {
        return call.hasInput(input)
                ? Arrays.stream(call.input(input).values())
                        .mapToLong(v -> (long) v)
                        .toArray()
                : call.ints(param, otherwise);
    }

    /** The elements of an input, or else the parameter, or else nothing. */
    static double[] reals(Call call, int input, String param) {
        return call.hasInput(input) ? call.input(input).values() : call.reals(param);
    }

    /** The only element of an input, or else the parameter. */
    static double real(Call call, int input, String param) {
        return call.hasInput(input) ? call.input(input).flat(0) : call.real(param, Double.NaN);
    }

    /** An axis that may count from the end. */
    static int axis(long axis, int rank) {
        return Math.toIntExact(axis < 0 ? axis + rank : axis);
    }
}
