package org.clinfer.conformance;

import java.util.Map;
import org.clinfer.tensor.DType;

/** Transposed convolutions: every input element adds its multiple of the kernel to the output. */
final class TransposedReferences {

    private TransposedReferences() {}

    static Map<String, Reference> all() {
        Reference transposed = Reference.single(TransposedReferences::transposed);
        return Map.of(
                "Conv2dTranspose",
                transposed,
                "ConvTranspose",
                transposed,
                "Deconvolution",
                Reference.single(TransposedReferences::deconvolution));
    }

    /** Brings tensors to NCX and IOX, and the result back. */
    private static Array transposed(Call call) {
        boolean channelsLast = FusedReferences.isChannelsLast(call);
        Array x = channelsLast ? WindowReferences.channelsFirst(call.input(0)) : call.input(0);
        Array given = call.input(1);
        Array weights = call.text("weights_format", "IOX").equals("XOI") ? WindowReferences.outFirst(given) : given;
        Cut cut = Cut.of(call, Indices.from(x.dims(), 2), Indices.from(weights.dims(), 2));
        Array y = transposed(call, x, weights, call.integer("group", 1), cut);
        return channelsLast ? Indices.moved(y, 1, y.rank() - 1) : y;
    }

    /** CANN's; the lists come before the single fields, and int8 gives int32. */
    private static Array deconvolution(Call call) {
        Array x = call.input(0);
        Array filter = call.input(1);
        long[] strides = pair(call.ints("stride"), call.integer("stride_h", 1), call.integer("stride_w", 1));
        long[] pads = pair(call.ints("pad"), call.integer("pad_h", 0), call.integer("pad_w", 0));
        long[] dilations = pair(call.ints("dilation"), 1, 1);
        long[] out = new long[2];
        for (int axis = 0; axis < 2; axis++) {
            long kernel = dilations[axis] * (filter.dim(axis + 2) - 1) + 1;
            out[axis] = (x.dim(axis + 2) - 1) * strides[axis] + kernel - 2 * pads[axis];
        }
        Array y = transposed(call, x, filter, call.integer("group", 1), new Cut(strides, dilations, pads, out));
        return call.isInteger() ? y.as(DType.INT32) : y;
    }

    private static long[] pair(long[] list, long height, long width) {
        return switch (list.length) {
            case 0 -> new long[] {height, width};
            case 1 -> new long[] {list[0], list[0]};
            default -> list;
        };
    }

    /** Of FusedConvTranspose, without what follows the sum; in the layout of y. */
    static Array fusedConvolution(Call call) {
        boolean channelsLast = FusedReferences.isChannelsLast(call);
        Array x = channelsLast ? WindowReferences.channelsFirst(call.input(0)) : call.input(0);
        Array given = call.input(1);
        Array weights = call.text("weights_format", "IOX").equals("XOI") ? WindowReferences.outFirst(given) : given;
        int axes = x.rank() - 2;
        long[] ones = Indices.filled(axes, 1);
        Cut cut = new Cut(
                call.ints("strides", ones),
                call.ints("dilations", ones),
                call.ints("pads_begin", Indices.filled(axes, 0)),
                call.ints("out_size"));
        Array y = transposed(call, x, weights, call.integer("groups", 1), cut);
        return channelsLast ? Indices.moved(y, 1, y.rank() - 1) : y;
    }

    private static Array transposed(Call call, Array x, Array weights, long groups, Cut cut) {
        long groupIn = x.dim(1) / groups;
        long groupOut = weights.dim(1);
        long[] dims = Indices.join(x.dim(0), groupOut * groups, cut.out);
        double[] sums = new double[Math.toIntExact(Array.elements(dims))];
        long plane = Array.elements(cut.out);
        long[][] taps = Indices.all(Indices.from(weights.dims(), 2));
        for (long[] at : Indices.all(x.dims())) {
            double element = x.at(at);
            for (int tap = 0; tap < taps.length; tap++) {
                long position = cut.position(at, taps[tap]);
                for (long o = 0; o < groupOut && position >= 0; o++) {
                    long channel = at[1] / groupIn * groupOut + o;
                    sums[(int) ((at[0] * dims[1] + channel) * plane + position)] +=
                            element * weights.flat((at[1] * groupOut + o) * taps.length + tap);
                }
            }
        }
        for (int i = 0; i < sums.length && call.hasInput(2); i++) {
            sums[i] += call.input(2).at(i / plane % dims[1]);
        }
        return new Array(dims, sums);
    }

    /** How far the full result is cut at the beginning; what an output has beyond the full result stays empty. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Cut(long[] strides, long[] dilation, long[] begin, long[] out) {

        static Cut of(Call call, long[] in, long[] kernel) {
            int axes = in.length;
            long[] strides = call.ints("strides", Indices.filled(axes, 1));
            long[] dilation = call.ints("dilation", Indices.filled(axes, 1));
            long[] extra = call.ints("output_padding", Indices.filled(axes, 0));
            String mode = call.text("pad_mode", "PADDING");
            boolean same = mode.startsWith("SAME");
            boolean given = mode.equals("PADDING") && call.has("padding");
            long[] padding = given ? call.ints("padding") : new long[2 * axes];
            Cut cut = new Cut(strides, dilation, new long[axes], new long[axes]);
            for (int axis = 0; axis < axes; axis++) {
                long full = (in[axis] - 1) * strides[axis] + dilation[axis] * (kernel[axis] - 1) + 1 + extra[axis];
                cut.out[axis] = call.has("output_shape")
                        ? call.ints("output_shape")[axis + (FusedReferences.isChannelsLast(call) ? 1 : 2)]
                        : same ? in[axis] * strides[axis] : full - padding[2 * axis] - padding[2 * axis + 1];
                long total = Math.max(full - cut.out[axis], 0);
                boolean found = same || (!given && mode.equals("PADDING") && call.has("output_shape"));
                long less = total / 2;
                cut.begin[axis] = !found ? padding[2 * axis] : mode.equals("SAME") ? less : total - less;
            }
            return cut;
        }

        /** Where in the output plane a tap of the kernel meets, or -1. */
        long position(long[] at, long[] tap) {
            long position = 0;
            for (int axis = 0; axis < out.length; axis++) {
                long place = at[axis + 2] * strides[axis] + tap[axis] * dilation[axis] - begin[axis];
                if (place < 0 || place >= out[axis]) {
                    return -1;
                }
                position = position * out[axis] + place;
            }
            return position;
        }
    }
}
