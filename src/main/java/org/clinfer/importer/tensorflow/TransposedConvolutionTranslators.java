package org.clinfer.importer.tensorflow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.clinfer.importer.ChannelAxes;
import org.clinfer.importer.Integers;
import org.clinfer.importer.Params;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/**
 * Transposed convolutions: the gradient of a convolution by its input, whose sizes are given. Weights are
 * {@code [space..., out, in]}.
 */
final class TransposedConvolutionTranslators {

    private TransposedConvolutionTranslators() {}

    static Map<String, TfTranslator> all() {
        return Map.of(
                "Conv2DBackpropInput", call -> translate(call, 4),
                "Conv3DBackpropInputV2", call -> translate(call, 5));
    }

    private static void translate(TfCall call, int rank) {
        TfValue x = call.input(2, rank);
        TfValue filter = call.input(1, rank);
        String weights = TfConvolutionTranslators.Weights.turned(call, filter, rank);
        long[] kernel = new long[rank - 2];
        for (int axis = 0; axis < kernel.length; axis++) {
            kernel[axis] = filter.size(axis)
                    .filter(size -> size >= 1 && size < 1 << 30)
                    .orElseThrow(() -> call.unsupportedUse("weights whose shape is not known"));
        }
        TfWindow window = TfWindow.of(call, rank, Optional.of(kernel));
        requireOneGroup(call, x, filter, rank, window.format());
        Params params = new Params().put("strides", window.strides()).put("dilation", window.dilations());
        List<String> operands = List.of(window.format().read(call, x), weights);
        Optional<Integers> sizes = call.graph()
                .integers(call.input(0))
                .filter(known -> !known.scalar() && known.size() == rank)
                .filter(known -> isKnownAlongSpace(known, window));
        String op = rank == 4 ? "Conv2dTranspose" : "ConvTranspose";
        if (sizes.isEmpty()) {
            cutAsComputed(call, call.step(op, operands, params), window);
            return;
        }
        putPadding(call, window, x, sizes.get(), params);
        TfValue given = call.give(op, operands, params, window.format().second());
        given.shape().ifPresent(shape -> call.declare(given, ofSizes(shape, sizes.get(), window)));
    }

    /** The shape with the sizes along the space that are asked for, which the input's follow from where it has none. */
    private static Shape ofSizes(Shape shape, Integers sizes, TfWindow window) {
        List<Dim> dims = new ArrayList<>(shape.dims());
        int first = window.format().firstSpatial();
        for (int axis = first; axis < first + window.strides().length; axis++) {
            dims.set(axis, Dim.of(sizes.at(axis).orElseThrow()));
        }
        return new Shape(dims);
    }

    private static boolean isKnownAlongSpace(Integers sizes, TfWindow window) {
        int first = window.format().firstSpatial();
        return IntStream.range(first, first + window.strides().length)
                .allMatch(position -> sizes.at(position).isPresent());
    }

    /** Cuts the full result to sizes that are known when the run is planned, or adds what is missing at the end. */
    private static void cutAsComputed(TfCall call, String full, TfWindow window) {
        int space = window.strides().length;
        int first = window.format().firstSpatial();
        Params alongFirst = new Params().put("axis", 0);
        String shape = call.step("Shape", full);
        String found = call.step("Gather", List.of(shape, call.constant(ChannelAxes.range(2, 2 + space))), alongFirst);
        String axes = call.constant(ChannelAxes.range(first, first + space));
        String given = call.step("Gather", List.of(call.plain(0), axes), alongFirst);
        String wanted = call.step("Cast", List.of(given), new Params().put("to", DType.INT64.label()));
        String more = call.step("Sub", wanted, found);
        String cutInFront = call.constant(new long[space]);
        if (window.padding().equals("EXPLICIT")) {
            cutInFront = call.constant(IntStream.range(0, space)
                    .mapToLong(axis -> window.pads()[2 * axis])
                    .toArray());
        } else if (window.padding().equals("SAME")) {
            String less = call.step("Sub", found, wanted);
            String cut = call.step("Max", less, call.constant(0L));
            cutInFront = call.step("Div", cut, call.constant(2L));
        }
        String before = call.step("Neg", cutInFront);
        String after = call.step("Add", more, cutInFront);
        String pads = call.step("Concat", List.of(before, after), alongFirst);
        Params alongSpace = new Params().put("axes", ChannelAxes.range(2, 2 + space));
        call.give("Pad", List.of(full, pads), alongSpace, window.format().second());
    }

    private static void requireOneGroup(TfCall call, TfValue x, TfValue filter, int rank, DataFormat format) {
        Optional<Long> channels = x.size(format.channels(rank));
        Optional<Long> wanted = filter.size(rank - 1);
        if (channels.isPresent() && wanted.isPresent() && !channels.equals(wanted)) {
            throw call.malformed(
                    "its input has " + channels.get() + " channels, but its weights are of " + wanted.get());
        }
    }

    /**
     * The amount cut away of the full result, or added to it. The convolution that takes the given sizes to those of
     * the input pads by it; with SAME it pads half of it in front. Where the input's sizes are not known, the given
     * ones must be those of an input that SAME and VALID make longest or shortest.
     */
    private static void putPadding(TfCall call, TfWindow window, TfValue x, Integers sizes, Params params) {
        int space = window.strides().length;
        long[] padding = new long[2 * space];
        long[] extra = new long[space];
        for (int axis = 0; axis < space; axis++) {
            int position = window.format().firstSpatial() + axis;
            long effective = (window.kernel().orElseThrow()[axis] - 1) * window.dilations()[axis] + 1;
            long wanted = sizes.at(position)
                    .filter(size -> size >= 1 && size < 1 << 30)
                    .orElseThrow(() -> call.unsupportedUse("a computed output size"));
            int along = axis;
            long in = x.size(position)
                    .or(() -> window.output(wanted, along))
                    .orElseThrow(() -> call.malformed(
                            "an output of size " + wanted + " is smaller than its kernel, which is " + effective));
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
                throw call.malformed("an output of size " + wanted + " along axis " + position
                        + " is not that of its input, kernel and padding");
            }
        }
        params.put("padding", padding).put("output_padding", extra);
    }
}
