package org.clinfer.plan.layout;

import org.clinfer.describe.Binding;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.TensorType;

/**
 * Rough estimates, in nanoseconds, of what layouts change on a processor of two cores. Only their proportions matter: the
 * network as a whole is cut where it costs least.
 */
final class LayoutCosts {

    /** A launch by itself beside one among many in a chain. */
    private static final long LAUNCH = 15_000;

    /** What an operator that mainly moves data gains for each byte of its result. */
    private static final double PER_BYTE = 0.02;

    /** Reading and writing a byte once more. */
    private static final double REORDERED_BYTE = 0.25;

    private static final double PER_MULTIPLY_ADD = 0.0015;
    private static final double PER_DEPTHWISE_MULTIPLY_ADD = 0.03;

    private LayoutCosts() {}

    /** What changing the layout of a tensor takes. */
    static long reorder(TensorType type) {
        return LAUNCH + (long) (REORDERED_BYTE * type.bytes());
    }

    /** What a node gains that computes little. */
    static long small(PlacedNode placed) {
        return LAUNCH + (long) (PER_BYTE * placed.node().outputTypes().get(0).bytes());
    }

    static long convolution(PlacedNode placed, boolean isDepthwise) {
        Binding binding = placed.node().binding();
        double sums = placed.node().outputTypes().get(0).shape().elements();
        double terms = (double) binding.integer("weight_channels");
        for (long size : binding.integers("kernel")) {
            terms *= size;
        }
        return LAUNCH + (long) (sums * terms * (isDepthwise ? PER_DEPTHWISE_MULTIPLY_ADD : PER_MULTIPLY_ADD));
    }
}
