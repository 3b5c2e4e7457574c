package org.clinfer.importer.tflite;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.clinfer.importer.LayerTable;
import org.clinfer.importer.Params;
import org.clinfer.importer.Value;
import org.clinfer.tensor.Dim;
import org.clinfer.tensor.Shape;

/**
 * Transposed convolutions: the sizes of the output are given, and the convolution that leads back from it to the input has the
 * padding. Weights are {@code [out, height, width, in]}, those of volumes {@code [space..., out, in]}.
 */
final class TfliteTransposedLayers {

    private static final int WEIGHTS = 1;

    /** The positions of inputs; -1 where there are no sizes, which the output has then. */
    private record Positions(int sizes, int input, int bias) {}

    private static final Positions BUILTIN = new Positions(0, 2, 3);

    /** MediaPipe's own operator. */
    private static final Positions MEDIAPIPE = new Positions(-1, 0, 2);

    private TfliteTransposedLayers() {}

    static void addTo(LayerTable<TfliteCall> all) {
        all.one("TRANSPOSE_CONV", TfliteTransposedLayers::pictures);
        all.one("CONV_3D_TRANSPOSE", TfliteTransposedLayers::volumes);
        all.one("Convolution2DTransposeBias", TfliteTransposedLayers::withBias);
    }

    private static Value pictures(TfliteCall call) {
        call.requireInputs(3, 4);
        call.options().ignore("quantized_bias_type");
        TfliteWindow window = TfliteWindow.of(call, 2, false);
        return translate(call, "Conv2dTranspose", window, new long[] {3, 0, 1, 2}, 0, BUILTIN);
    }

    /** Its options are three numbers of 4 bytes: 1 for SAME or 2 for VALID, and the strides along width and height. */
    private static Value withBias(TfliteCall call) {
        call.requireInputs(3, 3);
        ByteBuffer options = call.operator()
                .custom()
                .filter(bytes -> bytes.remaining() == 3 * Integer.BYTES)
                .orElseThrow(() -> call.unsupportedUse("custom options of another length"));
        int padding = options.getInt(0);
        long[] strides = {options.getInt(2 * Integer.BYTES), options.getInt(Integer.BYTES)};
        if (padding < 1 || padding > 2 || strides[0] < 1 || strides[1] < 1) {
            throw call.malformed("its custom options are " + padding + " and " + TfliteCall.shown(strides));
        }
        TfliteWindow window = new TfliteWindow(strides, new long[] {1, 1}, padding == 1);
        return translate(call, "Conv2dTranspose", window, new long[] {3, 0, 1, 2}, 0, MEDIAPIPE);
    }

    private static Value volumes(TfliteCall call) {
        call.requireInputs(3, 4);
        TfliteWindow window = TfliteWindow.of(call, 3, true);
        return translate(call, "ConvTranspose", window, new long[] {4, 3, 0, 1, 2}, 3, BUILTIN);
    }

    /** @param order the axes of the weights as {@code [in, out, space...]} */
    private static Value translate(
            TfliteCall call, String op, TfliteWindow window, long[] order, int outputAxis, Positions positions) {
        int rank = order.length;
        TfliteValue x = call.stored(positions.input(), rank);
        Value turned = call.turned(call.stored(WEIGHTS, rank).held(), "weights", order);
        Optional<TfliteQuantization> steps = call.tensor(WEIGHTS).quantization();
        if (steps.isPresent() && !steps.get().isWhole() && steps.get().axis() != outputAxis) {
            throw call.unsupportedUse(
                    "weights with a scale for each index of axis " + steps.get().axis());
        }
        Value weights = steps.isPresent()
                ? call.dequantized(turned, steps.get(), steps.get().isWhole() ? 0 : 1)
                : turned;
        List<Value> operands = new ArrayList<>(List.of(call.second(call.real(positions.input())), weights));
        if (call.has(positions.bias())) {
            operands.add(call.plain(call.real(positions.bias())));
        }
        Params params = new Params().put("strides", window.strides()).put("dilation", window.dilations());
        putPadding(call, window, x, turned.shape(), outputSizes(call, rank, positions.sizes()), params);
        Value result = call.add(op, operands, params);
        boolean isBuiltin = positions.equals(BUILTIN);
        return call.give(isBuiltin ? TfliteActivations.after(call, result) : result, true);
    }

    /** The sizes of the output, as an input gives them or as the file states them; -1 where only a run knows. */
    private static long[] outputSizes(TfliteCall call, int rank, int input) {
        Shape stated = call.output(0).type().shape();
        long[] sizes = (input < 0 ? Optional.<long[]>empty() : call.integers(input))
                .orElseGet(() -> stated.dims().stream()
                        .mapToLong(dim -> dim instanceof Dim.Known known ? known.size() : -1)
                        .toArray());
        if (sizes.length != rank) {
            throw call.malformed("its output size is " + TfliteCall.shown(sizes));
        }
        return sizes;
    }

    /**
     * Puts what is cut of the full result, or added to it; with SAME half of what a convolution of the output pads is
     * cut in front.
     */
    private static void putPadding(
            TfliteCall call, TfliteWindow window, TfliteValue x, Shape weights, long[] sizes, Params params) {
        int space = window.strides().length;
        long[] padding = new long[2 * space];
        long[] more = new long[space];
        for (int axis = 0; axis < space; axis++) {
            long wanted = sizes[axis + 1];
            long kernel = (weights.size(axis + 2) - 1) * window.dilations()[axis] + 1;
            boolean known = x.shape().dim(axis + 1) instanceof Dim.Known;
            long length = known ? x.shape().size(axis + 1) : 0;
            if (!known || wanted < 1 || wanted >= 1 << 30) {
                throw call.unsupportedUse("sizes that are not known");
            }
            long stride = window.strides()[axis];
            long windows = (wanted + stride - 1) / stride;
            padding[2 * axis] = window.same() ? Math.max((windows - 1) * stride + kernel - wanted, 0) / 2 : 0;
            long cut = (length - 1) * stride + kernel - wanted - padding[2 * axis];
            padding[2 * axis + 1] = Math.max(cut, 0);
            more[axis] = Math.max(-cut, 0);
            if (more[axis] >= Math.max(stride, window.dilations()[axis])) {
                throw call.malformed("an output of size " + wanted + " along axis " + (axis + 1)
                        + " is longer than an input of " + length + " gives");
            }
        }
        params.put("padding", padding).put("output_padding", more);
    }
}
