package org.clinfer.conformance;

import java.util.Arrays;
import java.util.stream.LongStream;

/** Windows along the spatial axes of a case, and the padding that its mode asks for. */
final class WindowGeometry {

    final long[] in;
    final long[] kernel;
    final long[] strides;
    final long[] dilations;

    WindowGeometry(long[] in, long[] kernel, long[] strides, long[] dilations) {
        this.in = in.clone();
        this.kernel = kernel.clone();
        this.strides = strides.clone();
        this.dilations = dilations.clone();
    }

    /** The sizes of the spatial axes, which come after batch and channels. */
    static long[] spatial(long[] dims) {
        return Arrays.copyOfRange(dims, 2, dims.length);
    }

    static long[] filled(int length, long value) {
        return LongStream.generate(() -> value).limit(length).toArray();
    }

    /** From the first to the last element under a dilated kernel. */
    long extent(int axis) {
        return (kernel[axis] - 1) * dilations[axis] + 1;
    }

    /**
     * Padding as ONNX orders it. SAME is TensorFlow's rule: the output has a window at every stride-th element of the
     * input, the padding is what they need, and its odd element is at the end; SAME_LOWER has it at the beginning.
     */
    long[] pads(String mode, long[] given) {
        if (mode.equals("PADDING")) {
            return given.clone();
        }
        int axes = in.length;
        long[] pads = new long[2 * axes];
        for (int axis = 0; axis < axes && mode.startsWith("SAME"); axis++) {
            long left = in[axis] % strides[axis];
            long needed = Math.max(extent(axis) - (left == 0 ? strides[axis] : left), 0);
            long smaller = needed >> 1;
            pads[axis] = mode.equals("SAME") ? smaller : needed - smaller;
            pads[axes + axis] = needed - pads[axis];
        }
        return pads;
    }

    /** The padding with what a last, partly outside window reads beyond it. */
    long[] padsForEveryWindow(long[] pads) {
        long[] longer = pads.clone();
        for (int axis = 0; axis < in.length; axis++) {
            long beyondFirst = in[axis] + pads[axis] + pads[in.length + axis] - extent(axis);
            long missing = beyondFirst % strides[axis] == 0 ? 0 : strides[axis] - beyondFirst % strides[axis];
            longer[in.length + axis] += missing;
        }
        return longer;
    }
}
