package org.clinfer.cli.bench;

import java.util.Map;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorComparison;

/** The difference between the outputs of two programs. */
public final class Difference {

    /**
     * Ranges below count as this one: a saturated sigmoid is 0 in one program and 1e-8 in another. So differences of up to
     * 1e-6 are always within 1e-3, as they are in {@code clinfer verify}.
     */
    private static final double LEAST_RANGE = 1e-3;

    private Difference() {}

    /**
     * The largest difference of two elements as a share of the range of that output, from the least to the largest expected
     * element; infinite where one is a number and the other is none, or where an output is missing or of another type.
     */
    public static double of(Map<String, Tensor> expected, Map<String, Tensor> actual) {
        double largest = 0;
        for (Map.Entry<String, Tensor> output : expected.entrySet()) {
            Tensor other = actual.get(output.getKey());
            if (other == null || !other.type().equals(output.getValue().type())) {
                return Double.POSITIVE_INFINITY;
            }
            largest = Math.max(largest, of(output.getValue(), other));
        }
        return largest;
    }

    private static double of(Tensor expected, Tensor actual) {
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        double furthest = 0;
        for (long i = 0; i < expected.elements(); i++) {
            double wanted = expected.getDouble(i);
            if (Double.isFinite(wanted)) {
                least = Math.min(least, wanted);
                most = Math.max(most, wanted);
            }
            furthest = Math.max(furthest, TensorComparison.distance(wanted, actual.getDouble(i)));
        }
        if (furthest == 0) {
            return 0;
        }
        double range = most - least > 0 ? most - least : Math.abs(most);
        return Double.isFinite(range) ? furthest / Math.max(range, LEAST_RANGE) : Double.POSITIVE_INFINITY;
    }
}
