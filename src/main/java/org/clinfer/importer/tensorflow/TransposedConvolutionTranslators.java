package org.clinfer.importer.tensorflow;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.clinfer.importer.Params;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/**
 * Transposed convolutions: the gradient of a convolution by its input, whose sizes are given. Weights are
 * {@code [space..., out, in]}.
 */
final class TransposedConvolutionTranslators {

    private TransposedConvolutionTranslators() {}

    static Map<String, Translator> all() {
        return Map.of(
                "Conv2DBackpropInput", call -> translate(call, 4),
                "Conv3DBackpropInputV2", call -> translate(call, 5));
    }

    private static void translate(Call call, int rank) {
        Value x = call.input(2, rank);
        Value filter = call.input(1, rank);
        String weights = ConvolutionTranslators.Weights.turned(call, filter, rank);
        long[] kernel = new long[rank - 2];
        for (int axis = 0; axis < kernel.length; axis++) {
            kernel[axis] = filter.size(axis)
                    .filter(size -> size >= 1 && size < 1 << 30)
                    .orElseThrow(() -> call.unsupportedUse("weights whose shape is not known"));
        }
        Window window = Window.of(call, rank, Optional.of(kernel));
        requireOneGroup(call, x, filter, rank, window.format());
        Integers sizes = call.graph()
                .integers(call.input(0))
                .filter(known -> !known.scalar() && known.size() == rank)
                .orElseThrow(() -> call.unsupportedUse("a computed output size"));
        Params params = new Params().put("strides", window.strides()).put("dilation", window.dilations());
        putPadding(call, window, x, sizes, params);
        Shape shape = window.output(x.shape().orElseThrow(), Shapes.dim(filter.size(rank - 2)));
        for (int axis = 0; axis < kernel.length; axis++) {
            int place = window.format().firstSpatial() + axis;
            shape = Shapes.with(shape, place, Shapes.dim(sizes.at(place)));
        }
        boolean second = window.format() == DataFormat.CHANNELS_LAST;
        call.give(
                rank == 4 ? "Conv2dTranspose" : "ConvTranspose",
                List.of(window.format().read(call, x), weights),
                params,
                new Call.Form(x.dtype(), Optional.of(shape), second));
    }

    private static void requireOneGroup(Call call, Value x, Value filter, int rank, DataFormat format) {
        Optional<Long> channels = x.size(format.channels(rank));
        Optional<Long> wanted = filter.size(rank - 1);
        if (channels.isPresent() && wanted.isPresent() && !channels.equals(wanted)) {
            throw call.malformed(
                    "its input has " + channels.get() + " channels, but its weights are of " + wanted.get());
        }
    }

    /**
     * What is cut away of the full result, or added to it. The convolution that takes the given sizes to those of the input
     * pads by it; with SAME it pads half of it in front. Where the input's sizes are not known, the given ones must be those
     * of an input that SAME and VALID make longest or shortest.
     */
    private static void putPadding(Call call, Window window, Value x, Integers sizes, Params params) {
        int space = window.strides().length;
        long[] padding = new long[2 * space];
        long[] extra = new long[space];
        for (int axis = 0; axis < space; axis++) {
            int place = window.format().firstSpatial() + axis;
            long effective = (window.kernel().orElseThrow()[axis] - 1) * window.dilations()[axis] + 1;
            long wanted = sizes.at(place)
                    .filter(size -> size >= 1 && size < 1 << 30)
                    .orElseThrow(() -> call.unsupportedUse("a computed output size"));
            long in = x.size(place).orElseGet(() -> input(call, window, wanted, place, effective));
            long cut = (in - 1) * window.strides()[axis] + effective - wanted;
            if (window.padding().equals("EXPLICIT")) {
                padding[2 * axis] = window.pads()[2 * axis];
                padding[2 * axis + 1] = window.pads()[2 * axis + 1];
                extra[axis] = padding[2 * axis] + padding[2 * axis + 1] - cut;
            } else {
                padding[2 * axis] = window.padding().equals("SAME") ? Math.max(cut, 0) / 2 : 0;
                padding[2 * axis + 1] = Math.max(cut, 0) - padding[2 * axis];
                extra[axis] = Math.max(-cut, 0);
            }
            if (extra[axis] < 0 || (window.padding().equals("VALID") && cut > 0)) {
                throw call.malformed("an output of size " + wanted + " along axis " + place
                        + " is not that of its input, kernel and padding");
            }
        }
        params.put("padding", padding).put("output_padding", extra);
    }

    /** The size that the convolution gives for the wanted one. */
    private static long input(Call call, Window window, long wanted, int place, long effective) {
        Shape whole = Shapes.with(Shapes.ofRank(window.strides().length + 2), place, Dim.of(wanted));
        Dim dim = window.output(whole, Dim.unknown()).dim(place);
        if (dim instanceof Dim.Known known) {
            return known.size();
        }
        throw call.malformed("an output of size " + wanted + " is smaller than its kernel, which is " + effective);
    }
}
