package org.clinfer.cpu.window;

import org.clinfer.graph.Parameters;

/** A sliding window over three spatial axes (leading axes of 1 where there are fewer), in elements. */
@SuppressWarnings("ArrayRecordComponent")
public record Window(int[] in, int[] out, int[] kernel, int[] stride, int[] dilation, int[] padBegin) {

    public static Window of(Parameters parameters) {
        return new Window(
                parameters.ints("in3"),
                parameters.ints("out3"),
                parameters.ints("kernel3"),
                parameters.ints("stride3"),
                parameters.ints("dilation3"),
                parameters.ints("pad_begin3"));
    }

    public int inElements() {
        return product(in);
    }

    public int outElements() {
        return product(out);
    }

    public int taps() {
        return product(kernel);
    }

    /** {@return whether output element i is input element i alone} */
    public boolean isPointwise() {
        return taps() == 1
                && stride[0] == 1
                && stride[1] == 1
                && stride[2] == 1
                && padBegin[0] == 0
                && padBegin[1] == 0
                && padBegin[2] == 0
                && in[0] == out[0]
                && in[1] == out[1]
                && in[2] == out[2];
    }

    /** The coordinates of row-major kernel element {@code tap}. */
    public int[] tap(int tap) {
        return new int[] {tap / kernel[2] / kernel[1], tap / kernel[2] % kernel[1], tap % kernel[2]};
    }

    public static int product(int[] sizes) {
        return Math.multiplyExact(Math.multiplyExact(sizes[0], sizes[1]), sizes[2]);
    }
}
