package org.clinfer.fix;

import java.util.Optional;
import org.clinfer.describe.Binding;
import org.clinfer.infer.CheckedNode;
import org.clinfer.ops.Conv2dOp;
import org.clinfer.ops.Edge;
import org.clinfer.tensor.Tensor;

/**
 * A convolution of volumes with constant weights.
 *
 * @param site the convolution
 * @param binding of the operator that it is a form of
 * @param weights as the file has them
 */
record Volume(Site site, Binding binding, Tensor weights) {

    private static final int AXES = 3;

    /** The convolution at a site; empty where there is none, or none such. */
    static Optional<Volume> at(Site site) {
        Optional<Binding> binding = site.form("FusedConv").map(CheckedNode::binding);
        Optional<Tensor> weights = site.constant(1);
        if (binding.isEmpty()
                || weights.isEmpty()
                || !site.outputType().dtype().isFloating()
                || (site.input(2).isPresent() && site.constant(2).isEmpty())) {
            return Optional.empty();
        }
        Binding of = binding.get();
        boolean isPlain = of.integer("spatial") == AXES
                && of.text("activation").equals("NONE")
                && !of.has("residual")
                && !of.text("weights_format").equals("MIX");
        return isPlain ? Optional.of(new Volume(site, of, weights.get())) : Optional.empty();
    }

    long batch() {
        return binding.integer("batch");
    }

    long groups() {
        return binding.integer("groups");
    }

    long inChannels() {
        return binding.integer("in_channels");
    }

    long outChannels() {
        return binding.integer("out_channels");
    }

    int channelsPerGroup() {
        return Math.toIntExact(binding.integer("weight_channels"));
    }

    /** Depth, height and width. */
    long[] in() {
        return binding.integers("in3");
    }

    long[] out() {
        return binding.integers("out3");
    }

    long[] kernel() {
        return binding.integers("kernel3");
    }

    long stride() {
        return binding.integers("stride3")[0];
    }

    long dilation() {
        return binding.integers("dilation3")[0];
    }

    /** The padding in front, in depth. */
    long begin() {
        return binding.integers("pad_begin3")[0];
    }

    Optional<Tensor> bias() {
        return site.constant(2);
    }

    /** The input as [batch, channels, depth, height * width]. */
    Edge x(Draft draft) {
        long[] in = in();
        return isChannelsLast()
                ? draft.withAxisMoved(draft.reshaped(draft.x(), batch(), in[0], in[1] * in[2], inChannels()), 3, 1)
                : draft.reshaped(draft.x(), batch(), inChannels(), in[0], in[1] * in[2]);
    }

    /** The elements of [batch, channels, depth, height * width] in the shape of the output. */
    Edge finished(Draft draft, Edge y) {
        return draft.reshaped(isChannelsLast() ? draft.withAxisMoved(y, 1, 3) : y, site.outputSizes());
    }

    private boolean isChannelsLast() {
        return binding.text("data_format").equals("NXC");
    }

    double weight(long out, long in, long z, long y, long x) {
        long[] kernel = kernel();
        long place = (z * kernel[1] + y) * kernel[2] + x;
        return weights.getDouble(
                binding.text("weights_format").equals("OIX")
                        ? (out * channelsPerGroup() + in) * kernel[0] * kernel[1] * kernel[2] + place
                        : (place * channelsPerGroup() + in) * outChannels() + out);
    }

    /** A convolution of pictures with the same window over height and width. */
    Conv2dOp convolved(Draft draft, Edge pictures, Tensor otherWeights) {
        long[] strides = binding.integers("stride3");
        long[] dilations = binding.integers("dilation3");
        long[] begin = binding.integers("pad_begin3");
        long[] padding = new long[2 * Geometry.AXES];
        for (int i = 0; i < Geometry.AXES; i++) {
            int axis = 1 + i;
            long read = (out()[axis] - 1) * strides[axis] + dilations[axis] * (kernel()[axis] - 1) + 1;
            padding[2 * i] = begin[axis];
            padding[2 * i + 1] = Math.max(0, read - begin[axis] - in()[axis]);
        }
        return draft.ops()
                .conv2d(pictures, draft.constant(otherWeights))
                .strides(strides[1], strides[2])
                .dilation(dilations[1], dilations[2])
                .padding(padding)
                .group(groups());
    }
}
