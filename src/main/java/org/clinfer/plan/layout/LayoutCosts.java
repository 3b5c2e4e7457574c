package org.clinfer.plan.layout;

import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.clinfer.costs.MachineCosts;
import org.clinfer.describe.Binding;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.TensorType;

/**
 * Rough estimates, in nanoseconds, of what layouts change on an OpenCL CPU device. Only their proportions matter: the
 * network as a whole is cut where it costs least.
 */
final class LayoutCosts {

    private static final MachineCosts.Layout COSTS = MachineCosts.builtIn().layout();

    private static final int LANES = 16;

    private LayoutCosts() {}

    /** The cost of changing the layout of a tensor. */
    static long reorder(TensorType type) {
        return COSTS.linkNanos() + (long) (COSTS.reorderedByteNanos() * type.bytes());
    }

    /** The gain of a node that computes little. */
    static long small(PlacedNode placed) {
        return COSTS.launchNanos()
                + (long) (COSTS.movedByteNanos() * placed.outputTypes().get(0).bytes());
    }

    /** The gain of a convolution of single channels. */
    static long depthwise(PlacedNode placed) {
        Binding binding = placed.binding();
        long[] kernel = binding.integers("kernel");
        long[] strides = binding.integers("strides");
        boolean hasLoops = kernel[0] == kernel[1]
                && (kernel[0] == 3 || kernel[0] == 5)
                && strides[0] == strides[1]
                && strides[0] <= 2
                && LongStream.of(binding.integers("dilations")).allMatch(step -> step == 1);
        double each = hasLoops ? COSTS.depthwiseTermNanos() : COSTS.anyDepthwiseTermNanos();
        return COSTS.launchNanos() + (long) (each * terms(placed));
    }

    /**
     * The gain of another convolution; below 0 where lanes without a channel cost more than that.
     *
     * @param readsPlain whether it takes its few input channels as they are
     */
    static long convolution(PlacedNode placed, boolean readsPlain) {
        Binding binding = placed.binding();
        long groups = binding.integer("groups");
        double computed = filled(binding.integer("out_channels") / groups);
        if (!readsPlain) {
            computed *= filled(binding.integer("in_channels") / groups);
        }
        long[] strides = binding.integers("strides");
        long[] kernel = binding.integers("kernel");
        boolean overlaps = IntStream.range(0, kernel.length).anyMatch(axis -> kernel[axis] > strides[axis]);
        boolean isStrided = overlaps && LongStream.of(strides).anyMatch(stride -> stride > 1);
        double plain = isStrided ? COSTS.plainStridedTermNanos() : COSTS.plainTermNanos();
        if (groups > 1) {
            plain = COSTS.plainGroupedTermNanos() * filled(binding.integers("out_size")[1]);
        }
        double stores = readsPlain
                ? COSTS.fewChannelsByteNanos() * placed.outputTypes().get(0).bytes()
                : 0;
        return COSTS.launchNanos() + (long) (terms(placed) * (plain - computed * COSTS.blockedTermNanos()) + stores);
    }

    /** Lanes for each channel, or for each element of a row. */
    private static double filled(long elements) {
        return (double) ((elements + LANES - 1) / LANES * LANES) / elements;
    }

    private static double terms(PlacedNode placed) {
        Binding binding = placed.binding();
        double terms = (double) placed.outputTypes().get(0).shape().elements() * binding.integer("weight_channels");
        for (long size : binding.integers("kernel")) {
            terms *= size;
        }
        return terms;
    }
}
