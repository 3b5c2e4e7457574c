package org.clinfer.tensor;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Compares a computed tensor with the recorded one. */
public final class TensorComparison {

    private TensorComparison() {}

    /**
     * {@return the fault of {@code actual}, or empty if it is as expected} NaN equals NaN; infinities must be equal.
     *
     * @param expected the elements as they should be
     * @param actual the elements as they are
     * @param tolerance by how much they may differ
     */
    public static Optional<String> difference(Tensor expected, Tensor actual, Tolerance tolerance) {
        if (expected.dtype() != actual.dtype()) {
            return Optional.of("type is " + actual.type() + ", expected " + expected.type());
        }
        if (!expected.shape().equals(actual.shape())) {
            return Optional.of("shape is " + actual.shape() + ", expected " + expected.shape());
        }
        return expected.dtype().isFloating() ? ofReals(expected, actual, tolerance) : ofIntegers(expected, actual);
    }

    private static Optional<String> ofReals(Tensor expected, Tensor actual, Tolerance tolerance) {
        double allowed = tolerance.allowed(expected.dtype(), range(expected));
        long elements = expected.elements();
        long wrong = 0;
        long worst = -1;
        double worstBy = -1;
        for (long i = 0; i < elements; i++) {
            double by = distance(expected.getDouble(i), actual.getDouble(i));
            if (by > allowed) {
                wrong++;
            }
            if (by > worstBy) {
                worst = i;
                worstBy = by;
            }
        }
        if (wrong == 0) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "%d of %d elements differ, most at %s: %s, expected %s (difference %.3g, allowed %.3g)",
                wrong,
                elements,
                index(worst, expected.shape().sizes()),
                text(actual.getDouble(worst)),
                text(expected.getDouble(worst)),
                worstBy,
                allowed));
    }

    private static Optional<String> ofIntegers(Tensor expected, Tensor actual) {
        long elements = expected.elements();
        long wrong = 0;
        long first = -1;
        for (long i = 0; i < elements; i++) {
            if (expected.getLong(i) != actual.getLong(i)) {
                first = wrong == 0 ? i : first;
                wrong++;
            }
        }
        if (wrong == 0) {
            return Optional.empty();
        }
        return Optional.of(wrong + " of " + elements + " elements differ, first at "
                + index(first, expected.shape().sizes()) + ": " + actual.getLong(first) + ", expected "
                + expected.getLong(first));
    }

    /** The largest finite magnitude; 0 if there is none. */
    private static double range(Tensor tensor) {
        double largest = 0;
        long elements = tensor.elements();
        for (long i = 0; i < elements; i++) {
            double magnitude = Math.abs(tensor.getDouble(i));
            if (magnitude > largest && Double.isFinite(magnitude)) {
                largest = magnitude;
            }
        }
        return largest;
    }

    /**
     * {@return the distance of two elements: 0 for two that are no numbers, infinity for one that is none}
     *
     * @param expected as it should be
     * @param actual as it is
     */
    public static double distance(double expected, double actual) {
        if (expected == actual || (Double.isNaN(expected) && Double.isNaN(actual))) {
            return 0;
        }
        double by = Math.abs(expected - actual);
        return Double.isNaN(by) ? Double.POSITIVE_INFINITY : by;
    }

    private static String text(double value) {
        return Float.toString((float) value);
    }

    private static String index(long element, long[] sizes) {
        long[] index = new long[sizes.length];
        long rest = element;
        for (int axis = sizes.length - 1; axis >= 0; axis--) {
            index[axis] = rest % sizes[axis];
            rest /= sizes[axis];
        }
        return Arrays.toString(index).replace(" ", "");
    }
}
