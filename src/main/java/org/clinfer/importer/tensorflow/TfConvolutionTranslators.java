package org.clinfer.importer.tensorflow;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.Params;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;

/**
 * Convolutions. Their weights are {@code [space..., in / groups, out]}; those of a depthwise convolution are
 * {@code [space..., in, multiplier]}, and each channel is a group. A convolution between SpaceToBatchND and BatchToSpaceND
 * is one with dilation.
 */
final class TfConvolutionTranslators {

    private final TfNetwork network;

    TfConvolutionTranslators(TfNetwork network) {
        this.network = network;
    }

    Map<String, TfTranslator> all() {
        Map<String, TfTranslator> all = new HashMap<>();
        all.put("Conv2D", call -> plain(call, 4));
        all.put("Conv3D", call -> plain(call, 5));
        all.put("DepthwiseConv2dNative", TfConvolutionTranslators::depthwise);
        all.put("DepthwiseConv2d", TfConvolutionTranslators::depthwise);
        all.put("BatchToSpaceND", this::batchToSpace);
        return all;
    }

    private static void plain(TfCall call, int rank) {
        TfValue x = call.input(0, rank);
        Weights weights = Weights.plain(call, rank, x);
        TfWindow window = TfWindow.of(call, rank, weights.kernel());
        convolve(call, x, weights, window);
    }

    private static void depthwise(TfCall call) {
        TfValue x = call.input(0, 4);
        Weights weights = Weights.depthwise(call);
        convolve(call, x, weights, TfWindow.of(call, 4, weights.kernel()));
    }

    static void convolve(TfCall call, TfValue x, Weights weights, TfWindow window) {
        int rank = call.rank(x);
        Params params = new Params().put("strides", window.strides());
        List<String> operands = List.of(window.format().read(call, x), weights.name());
        if (rank == 4) {
            window.putPadding(params);
            params.put("dilation", window.dilations()).put("group", weights.groups());
            call.give("Conv2d", operands, params, window.format().second());
            return;
        }
        window.putAutoPad(params);
        params.put("dilations", window.dilations())
                .put("groups", weights.groups())
                .put("data_format", "NCX")
                .put("weights_format", "OIX");
        call.give("Convolution", operands, params, window.format().second());
    }

    /** Each place of a block is a batch of its own; back again after a convolution of each. */
    private void batchToSpace(TfCall call) {
        if (!asDilation(call)) {
            BlockTranslators.space(call, "BatchToSpace");
        }
    }

    /** Writes the convolution with dilation that three nodes are, if they are one. */
    private boolean asDilation(TfCall call) {
        TfNode inner = network.origin(call.node().inputs().get(0));
        boolean depthwise = inner.op().equals("DepthwiseConv2dNative");
        if ((!depthwise && !inner.op().equals("Conv2D")) || inner.inputs().size() != 2) {
            return false;
        }
        TfNode outer = network.origin(inner.inputs().get(0));
        if (!outer.op().equals("SpaceToBatchND") || outer.inputs().size() != 3) {
            return false;
        }
        Optional<TfValue> x = call.translated(outer.inputs().get(0));
        Optional<TfValue> filter = call.translated(inner.inputs().get(1));
        Optional<Blocks> before = x.flatMap(value -> Blocks.of(call, outer));
        Optional<Blocks> after = Blocks.of(call, call.node());
        if (filter.isEmpty()
                || before.isEmpty()
                || after.isEmpty()
                || !x.orElseThrow().hasRank(4)) {
            return false;
        }
        TfCall convolution = call.as(inner, List.of(x.orElseThrow(), filter.get()));
        if (!DataFormat.of(convolution).second()) {
            return false;
        }
        Weights weights = depthwise ? Weights.depthwise(convolution) : Weights.plain(convolution, 4, x.orElseThrow());
        TfWindow window = TfWindow.of(convolution, 4, weights.kernel());
        Optional<TfWindow> dilated = dilated(window, before.get(), after.get());
        dilated.ifPresent(whole -> convolve(call, x.orElseThrow(), weights, whole));
        return dilated.isPresent();
    }

    private static Optional<TfWindow> dilated(TfWindow window, Blocks before, Blocks after) {
        boolean unit = Arrays.stream(window.strides()).allMatch(stride -> stride == 1)
                && Arrays.stream(window.dilations()).allMatch(dilation -> dilation == 1);
        boolean fits = Arrays.equals(before.sizes(), after.sizes()) && before.sizes().length == 2;
        if (!unit
                || !fits
                || window.padding().equals("EXPLICIT")
                || window.kernel().isEmpty()) {
            return Optional.empty();
        }
        long[] pads = new long[4];
        for (int axis = 0; axis < 2; axis++) {
            long size = before.sizes()[axis];
            long inner = window.padding().equals("SAME") ? window.kernel().get()[axis] - 1 : 0;
            pads[2 * axis] = before.borders()[2 * axis] + inner / 2 * size - after.borders()[2 * axis];
            pads[2 * axis + 1] =
                    before.borders()[2 * axis + 1] + (inner - inner / 2) * size - after.borders()[2 * axis + 1];
        }
        if (Arrays.stream(pads).anyMatch(pad -> pad < 0)) {
            return Optional.empty();
        }
        return Optional.of(
                new TfWindow(window.format(), window.kernel(), window.strides(), before.sizes(), "EXPLICIT", pads));
    }

    /**
     * Weights as our convolutions have them, {@code [out, in / groups, space...]}.
     *
     * @param kernel their sizes along the space, if they are known
     */
    record Weights(String name, long groups, Optional<long[]> kernel) {

        static Weights plain(TfCall call, int rank, TfValue x) {
            TfValue filter = call.input(1, rank);
            String name = turned(call, filter, rank);
            Optional<Long> perGroup = filter.size(rank - 2);
            int channelAxis = DataFormat.of(call).channels(rank);
            Optional<Long> channels = x.size(channelAxis);
            long groups = 1;
            if (channels.isPresent() && perGroup.isPresent() && perGroup.get() > 0) {
                if (channels.get() % perGroup.get() != 0) {
                    throw call.malformed(
                            "its input has " + channels.get() + " channels, but its weights are of " + perGroup.get());
                }
                groups = Math.max(1, channels.get() / perGroup.get());
            }
            return new Weights(name, groups, kernel(filter, rank));
        }

        static Weights depthwise(TfCall call) {
            TfValue filter = call.input(1, 4);
            long channels = known(call, filter, 2);
            long multiplier = known(call, filter, 3);
            long[] sizes = {channels * multiplier, 1, known(call, filter, 0), known(call, filter, 1)};
            long[] order = {2, 3, 0, 1};
            Optional<Tensor> constant = call.graph().constant(filter);
            String name;
            if (constant.isPresent()) {
                Tensor turned = TfGraphWriter.permuted(constant.get(), order);
                name = call.constant("weights", turned.reshaped(Shape.of(sizes)));
            } else {
                String turned = call.step("Transpose", List.of(call.plain(filter)), new Params().put("perm", order));
                name = call.step("Reshape", List.of(turned), new Params().put("shape", sizes));
            }
            return new Weights(name, Math.max(1, channels), kernel(filter, 4));
        }

        private static long known(TfCall call, TfValue filter, int axis) {
            return filter.size(axis)
                    .filter(size -> size < 1 << 30)
                    .orElseThrow(() -> call.unsupportedUse("weights whose shape is not known"));
        }

        private static Optional<long[]> kernel(TfValue filter, int rank) {
            long[] sizes = new long[rank - 2];
            for (int axis = 0; axis < sizes.length; axis++) {
                Optional<Long> size = filter.size(axis);
                if (size.isEmpty() || size.get() < 1 || size.get() >= 1 << 30) {
                    return Optional.empty();
                }
                sizes[axis] = size.get();
            }
            return Optional.of(sizes);
        }

        /** {@code [space..., in, out]} as {@code [out, in, space...]}; transposed convolutions have in and out the other way. */
        static String turned(TfCall call, TfValue filter, int rank) {
            long[] order = new long[rank];
            order[0] = rank - 1L;
            order[1] = rank - 2L;
            for (int axis = 2; axis < rank; axis++) {
                order[axis] = axis - 2L;
            }
            Optional<Tensor> constant = call.graph().constant(filter);
            return constant.isPresent()
                    ? call.constant("weights", TfGraphWriter.permuted(constant.get(), order))
                    : call.step("Transpose", List.of(call.plain(filter)), new Params().put("perm", order));
        }
    }
}
