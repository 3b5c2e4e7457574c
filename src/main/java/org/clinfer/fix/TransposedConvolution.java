package org.clinfer.fix;

import java.util.Optional;
import org.clinfer.describe.Binding;
import org.clinfer.infer.CheckedNode;
import org.clinfer.ops.ConvTransposeOp;
import org.clinfer.ops.Edge;
import org.clinfer.tensor.Tensor;

/**
 * A transposed convolution of pictures with constant weights.
 *
 * @param site the convolution
 * @param strides by [height, width]
 * @param dilations by [height, width]
 * @param begin what is cut from the full result at the top and left
 * @param end what is cut at the bottom and right; below 0 where zeros are added
 * @param groups of channels
 * @param weights [in_channels, out_channels / groups, height, width]
 * @param bias one element for each output channel
 */
@SuppressWarnings("ArrayRecordComponent") // only read, and made anew for each change
record TransposedConvolution(
        Site site,
        long[] strides,
        long[] dilations,
        long[] begin,
        long[] end,
        int groups,
        Tensor weights,
        Optional<Tensor> bias) {

    private static final int PICTURES = 4;

    static Optional<TransposedConvolution> at(Site site) {
        Optional<Binding> form = site.form("FusedConvTranspose").map(CheckedNode::binding);
        Optional<Tensor> weights = site.constant(1).filter(all -> all.shape().rank() == PICTURES);
        if (form.isEmpty() || weights.isEmpty() || !site.outputType().dtype().isFloating()) {
            return Optional.empty();
        }
        Binding of = form.get();
        boolean isPlain = of.text("activation").equals("NONE")
                && !of.has("residual")
                && of.text("data_format").equals("NCX")
                && of.text("weights_format").equals("IOX")
                && of.integer("spatial") == 2
                && (site.input(2).isEmpty() || site.constant(2).isPresent());
        return isPlain ? Optional.of(of(site, of, weights.get())) : Optional.empty();
    }

    private static TransposedConvolution of(Site site, Binding of, Tensor weights) {
        long[] strides = of.integers("strides");
        long[] dilations = of.integers("dilations");
        long[] kernel = of.integers("kernel");
        long[] begin = of.integers("pads_begin");
        long[] end = new long[2];
        long[] in = site.sizes(site.x());
        long[] out = site.outputSizes();
        for (int i = 0; i < 2; i++) {
            long full = (in[2 + i] - 1) * strides[i] + dilations[i] * (kernel[i] - 1) + 1;
            end[i] = full - begin[i] - out[2 + i];
        }
        return new TransposedConvolution(
                site, strides, dilations, begin, end, Math.toIntExact(of.integer("groups")), weights, site.constant(2));
    }

    int outChannels() {
        return Math.toIntExact(weights.shape().size(1)) * groups;
    }

    /** The same with other weights and groups, of which the full result is given. */
    Edge full(Draft draft, Edge x, Tensor otherWeights, Optional<Tensor> otherBias, int otherGroups) {
        return transposed(draft, x, otherWeights, otherBias, otherGroups, new long[4]);
    }

    /** The same with other weights and groups, cut as this one is. */
    Edge cut(Draft draft, Edge x, Tensor otherWeights, Optional<Tensor> otherBias, int otherGroups) {
        long[] padding = {begin[0], Math.max(0, end[0]), begin[1], Math.max(0, end[1])};
        return transposed(draft, x, otherWeights, otherBias, otherGroups, padding);
    }

    private Edge transposed(
            Draft draft, Edge x, Tensor otherWeights, Optional<Tensor> otherBias, int otherGroups, long[] padding) {
        ConvTransposeOp op = draft.ops()
                .convTranspose(x, draft.given(otherWeights))
                .strides(strides)
                .dilation(dilations)
                .padding(padding)
                .group(otherGroups);
        otherBias.ifPresent(tensor -> op.bias(draft.given(tensor)));
        return op.y();
    }
}
