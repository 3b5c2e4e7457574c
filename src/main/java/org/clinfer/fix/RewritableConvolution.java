package org.clinfer.fix;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.clinfer.describe.Binding;
import org.clinfer.infer.CheckedNode;
import org.clinfer.ops.Conv2dOp;
import org.clinfer.ops.Edge;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/**
 * A convolution of rows or pictures with constant weights, with the factors and summands per channel that follow it, which
 * become part of the weights, and the activations behind these.
 *
 * @param site the convolution
 * @param members the convolution and what follows, in this order
 * @param activations those of them that are activations
 * @param isRow whether there is one axis alone; pictures of one row stand for it
 * @param isChannelsLast whether the input and all that follows have the channels last; pictures with channels second stand
 *     for them
 * @param geometry of pictures
 * @param groups of channels
 * @param weights [out_channels, in_channels / groups, height, width]
 * @param bias one element for each output channel
 */
record RewritableConvolution(
        Site site,
        List<CheckedNode> members,
        List<CheckedNode> activations,
        boolean isRow,
        boolean isChannelsLast,
        Geometry geometry,
        int groups,
        Tensor weights,
        Optional<Tensor> bias) {

    private static final Set<String> ACTIVATIONS =
            Set.of("Relu", "Relu6", "LeakyRelu", "Clip", "Sigmoid", "Tanh", "HardSwish", "Swish", "HardSigmoid", "Elu");

    /** The convolution at a site; empty where there is none, or none such. */
    static Optional<RewritableConvolution> at(Site site) {
        Optional<Binding> binding = site.form("FusedConv").map(CheckedNode::binding);
        Optional<Tensor> weights = site.constant(1);
        if (binding.isEmpty() || weights.isEmpty() || !site.outputType().dtype().isFloating()) {
            return Optional.empty();
        }
        Binding of = binding.get();
        boolean isPlain = of.text("activation").equals("NONE")
                && !of.has("residual")
                && of.integer("spatial") <= Geometry.AXES
                && (site.input(2).isEmpty() || site.constant(2).isPresent());
        return isPlain ? Optional.of(with(site, of, weights.get())) : Optional.empty();
    }

    private static RewritableConvolution with(Site site, Binding binding, Tensor weights) {
        RewritableConvolution alone = new RewritableConvolution(
                site,
                List.of(site.node()),
                List.of(),
                binding.integer("spatial") == 1,
                binding.text("data_format").equals("NXC"),
                geometry(binding),
                Math.toIntExact(binding.integer("groups")),
                ofPictures(weights, binding, site.made()),
                site.constant(2));
        return alone.withFollowers();
    }

    private static Geometry geometry(Binding binding) {
        long[] in = lastTwo(binding.integers("in3"));
        long[] out = lastTwo(binding.integers("out3"));
        long[] kernel = lastTwo(binding.integers("kernel3"));
        long[] strides = lastTwo(binding.integers("stride3"));
        long[] dilations = lastTwo(binding.integers("dilation3"));
        long[] begin = lastTwo(binding.integers("pad_begin3"));
        Geometry open = new Geometry(in, out, kernel, strides, dilations, begin, new long[Geometry.AXES]);
        long[] end = new long[Geometry.AXES];
        for (int i = 0; i < Geometry.AXES; i++) {
            end[i] = Math.max(0, open.end(i, out[i], begin[i], strides[i], open.extent(i)));
        }
        return open.withPadding(begin, end);
    }

    private static long[] lastTwo(long[] three) {
        return new long[] {three[1], three[2]};
    }

    /** The weights as those of pictures, with output channels first. */
    private static Tensor ofPictures(Tensor weights, Binding binding, MadeTensors made) {
        long[] sizes = weights.shape().sizes();
        long[] kernel = lastTwo(binding.integers("kernel3"));
        String format = binding.text("weights_format");
        if (format.equals("OIX")) {
            return sizes.length == 2 + Geometry.AXES
                    ? weights
                    : made.add(Weights.shaped(weights, sizes[0], sizes[1], kernel[0], kernel[1]));
        }
        long taps = kernel[0] * kernel[1];
        if (format.equals("XIO")) {
            long outs = sizes[sizes.length - 1];
            long ins = sizes[sizes.length - 2];
            return made.add(Weights.of(
                    weights.dtype(),
                    outs,
                    ins,
                    kernel[0],
                    kernel[1],
                    (o, i, y, x) -> weights.getDouble(((y * kernel[1] + x) * ins + i) * outs + o)));
        }
        long multiplier = sizes[0];
        return made.add(Weights.of(
                weights.dtype(),
                sizes[1] * multiplier,
                1,
                kernel[0],
                kernel[1],
                (o, i, y, x) ->
                        weights.getDouble(((o % multiplier) * sizes[1] + o / multiplier) * taps + y * kernel[1] + x)));
    }

    private RewritableConvolution withFollowers() {
        RewritableConvolution convolution = this;
        Optional<CheckedNode> reader = site.region().onlyReader(output());
        while (reader.isPresent()) {
            Optional<RewritableConvolution> with = convolution.followedBy(reader.get());
            if (with.isEmpty()) {
                break;
            }
            convolution = with.get();
            reader = site.region().onlyReader(convolution.output());
        }
        return convolution;
    }

    private Optional<RewritableConvolution> followedBy(CheckedNode reader) {
        List<CheckedNode> more = new ArrayList<>(members);
        more.add(reader);
        int channelAxis = isChannelsLast ? site.outputSizes().length - 1 : 1;
        Optional<ScaleAndShift> scaling = activations.isEmpty()
                ? ScaleAndShift.of(site, reader, channelAxis)
                        .filter(of -> of.x().equals(output()))
                : Optional.empty();
        if (scaling.isPresent()) {
            return Optional.of(new RewritableConvolution(
                    site,
                    more,
                    activations,
                    isRow,
                    isChannelsLast,
                    geometry,
                    groups,
                    scaled(scaling.get()),
                    Optional.of(shifted(scaling.get()))));
        }
        String op = reader.node().op();
        if (!ACTIVATIONS.contains(op) || reader.node().inputs().size() != 1) {
            return Optional.empty();
        }
        List<CheckedNode> all = new ArrayList<>(activations);
        all.add(reader);
        return Optional.of(
                new RewritableConvolution(site, more, all, isRow, isChannelsLast, geometry, groups, weights, bias));
    }

    private Tensor scaled(ScaleAndShift scaling) {
        return site.made()
                .add(Weights.of(
                        dtype(),
                        outChannels(),
                        channelsPerGroup(),
                        geometry.kernel()[0],
                        geometry.kernel()[1],
                        (o, i, y, x) -> Weights.at(weights, o, i, y, x) * scaling.scale(o)));
    }

    private Tensor shifted(ScaleAndShift scaling) {
        Tensor shifted = site.made().add(Tensor.allocate(dtype(), outChannels()));
        for (int o = 0; o < outChannels(); o++) {
            double own = bias.isPresent() ? bias.get().getDouble(o) : 0;
            shifted.setDouble(o, own * scaling.scale(o) + scaling.shift(o));
        }
        return shifted;
    }

    DType dtype() {
        return weights.dtype();
    }

    int outChannels() {
        return Math.toIntExact(weights.shape().size(0));
    }

    int channelsPerGroup() {
        return Math.toIntExact(weights.shape().size(1));
    }

    int inChannels() {
        return channelsPerGroup() * groups;
    }

    /** The value that the last of the members gives. */
    String output() {
        return members.get(members.size() - 1).node().outputs().get(0);
    }

    /** The input as pictures. */
    Edge x(Draft draft) {
        long[] in = geometry.in();
        long batch = site.sizes(site.x())[0];
        Edge x = isChannelsLast ? draft.withAxisMoved(draft.x(), isRow ? 2 : 1 + Geometry.AXES, 1) : draft.x();
        return isRow ? draft.reshaped(x, batch, inChannels(), in[0], in[1]) : x;
    }

    /** The activations behind pictures, or parts of them. */
    Edge activated(Draft draft, Edge y) {
        return draft.chain(activations, y);
    }

    /** Pictures in the shape of the output. */
    Edge finished(Draft draft, Edge y) {
        Edge finished = isRow ? draft.reshaped(y, site.sizes(site.x())[0], outChannels(), geometry.out()[1]) : y;
        return isChannelsLast ? draft.withAxisMoved(finished, 1, isRow ? 2 : 1 + Geometry.AXES) : finished;
    }

    /** Another convolution of pictures, without activation. */
    Edge convolved(
            Draft draft, Edge x, Tensor otherWeights, Optional<Tensor> otherBias, Geometry window, int inGroups) {
        Conv2dOp op = draft.ops()
                .conv2d(x, draft.given(otherWeights))
                .strides(window.strides())
                .padding(window.padding())
                .dilation(window.dilations())
                .group(inGroups);
        otherBias.ifPresent(tensor -> op.bias(draft.given(tensor)));
        return op.y();
    }

    /** The whole convolution with another window. */
    Edge whole(Draft draft, Edge x, Tensor otherWeights, Geometry window) {
        return finished(draft, activated(draft, convolved(draft, x, otherWeights, bias, window, groups)));
    }

    /** A replacement of the convolution and all that follows it. */
    List<Replacement> by(String step, Site.Building building) {
        return site.by(step, members, output(), building);
    }
}
