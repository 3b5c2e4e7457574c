package org.clinfer.plan.layout;

import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.clinfer.costs.MachineCosts;
import org.clinfer.describe.Binding;
import org.clinfer.place.PlacedNode;
import org.clinfer.tensor.TensorType;

/**
 * Rough estimates, in nanoseconds, of what layouts change on an OpenCL CPU device or on the CPU path. Only their proportions
 * matter: the network as a whole is cut where it costs least.
 */
final class LayoutCosts {

    private static final int LANES = 16;

    private final MachineCosts.Layout costs;

    /** @param side where operators run */
    LayoutCosts(PlacedNode.Target side) {
        MachineCosts machine = MachineCosts.builtIn();
        this.costs = side == PlacedNode.Target.CPU ? machine.hostLayout() : machine.layout();
    }

    /** The cost of changing the layout of a tensor. */
    long reorder(TensorType type) {
        return costs.linkNanos() + (long) (costs.reorderedByteNanos() * type.bytes());
    }

    /** The gain of a node that computes little. */
    long small(PlacedNode placed) {
        return costs.launchNanos()
                + (long) (costs.movedByteNanos() * placed.outputTypes().get(0).bytes());
    }

    /** The gain of a convolution of single channels. */
    long depthwise(PlacedNode placed) {
        Binding binding = placed.binding();
        long[] kernel = binding.integers("kernel");
        long[] strides = binding.integers("strides");
        boolean hasLoops = kernel[0] == kernel[1]
                && (kernel[0] == 3 || kernel[0] == 5)
                && strides[0] == strides[1]
                && strides[0] <= 2
                && LongStream.of(binding.integers("dilations")).allMatch(step -> step == 1);
        double each = hasLoops ? costs.depthwiseTermNanos() : costs.anyDepthwiseTermNanos();
        return costs.launchNanos() + (long) (each * terms(placed));
    }

    /**
     * The gain of another convolution; below 0 where lanes without a channel cost more than that.
     *
     * @param readsPlain whether it takes its few input channels as they are
     */
    long convolution(PlacedNode placed, boolean readsPlain) {
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
        double plain = isStrided ? costs.plainStridedTermNanos() : costs.plainTermNanos();
        if (groups > 1) {
            plain = costs.plainGroupedTermNanos() * filled(binding.integers("out_size")[1]);
        }
        double stores = readsPlain
                ? costs.fewChannelsByteNanos() * placed.outputTypes().get(0).bytes()
                : 0;
        return costs.launchNanos() + (long) (terms(placed) * (plain - computed * costs.blockedTermNanos()) + stores);
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
