package org.clinfer.plan.layout;

import java.util.stream.IntStream;
import java.util.stream.LongStream;
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

    /** The gain of an operator that mainly moves data for each byte of its result. */
    private static final double PER_BYTE = 0.02;

    /** One more operator in a chain, with what reading and writing its first lines takes. */
    private static final long LINK = 8_000;

    /** Reading and writing a byte once more. */
    private static final double REORDERED_BYTE = 0.055;

    private static final double PLAIN_MULTIPLY_ADD = 0.005;

    /** Without blocks, strided convolutions copy their input first; what does not overlap is little. */
    private static final double PLAIN_STRIDED_MULTIPLY_ADD = 0.006;

    /** Without blocks, the loops of several groups are short, and rows that fill no vectors are computed in whole ones. */
    private static final double PLAIN_GROUPED_MULTIPLY_ADD = 0.0075;

    /** In blocks, those for the lanes without a channel included. */
    private static final double BLOCKED_MULTIPLY_ADD = 0.0035;

    /** Without blocks, sums of so few terms are bound by the stores of their results. */
    private static final double PER_BYTE_OF_FEW_CHANNELS = 0.04;

    /** The gain of a multiply-add of single channels. */
    private static final double PER_DEPTHWISE_MULTIPLY_ADD = 0.03;

    /** The same of windows for which planes have no loops of their own. */
    private static final double PER_ANY_DEPTHWISE_MULTIPLY_ADD = 0.1;

    private static final int LANES = 16;

    private LayoutCosts() {}

    /** The cost of changing the layout of a tensor. */
    static long reorder(TensorType type) {
        return LINK + (long) (REORDERED_BYTE * type.bytes());
    }

    /** The gain of a node that computes little. */
    static long small(PlacedNode placed) {
        return LAUNCH + (long) (PER_BYTE * placed.outputTypes().get(0).bytes());
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
        double each = hasLoops ? PER_DEPTHWISE_MULTIPLY_ADD : PER_ANY_DEPTHWISE_MULTIPLY_ADD;
        return LAUNCH + (long) (each * terms(placed));
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
        double plain = isStrided ? PLAIN_STRIDED_MULTIPLY_ADD : PLAIN_MULTIPLY_ADD;
        if (groups > 1) {
            plain = PLAIN_GROUPED_MULTIPLY_ADD * filled(binding.integers("out_size")[1]);
        }
        double stores = readsPlain
                ? PER_BYTE_OF_FEW_CHANNELS * placed.outputTypes().get(0).bytes()
                : 0;
        return LAUNCH + (long) (terms(placed) * (plain - computed * BLOCKED_MULTIPLY_ADD) + stores);
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
