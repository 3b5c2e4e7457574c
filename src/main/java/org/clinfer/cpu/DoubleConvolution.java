package org.clinfer.cpu;

import java.util.Arrays;

/**
 * Convolution and its transposition in double precision, straight from the definition.
 *
 * @param start value of every output element before the sum, by output channel
 */
@SuppressWarnings("ArrayRecordComponent")
record DoubleConvolution(Convolution.Channels channels, Window window, double[] x, double[] weights, double[] start) {

    /** [batch, out channels, out...]; weights are [out channels, in channels / groups, kernel...]. */
    double[] forward(Parallel parallel) {
        int inPerGroup = channels.inPerGroup();
        double[] y = new double[channels.batch() * channels.out() * window.outElements()];
        parallel.forRange(channels.batch() * channels.out(), 1, (from, to) -> {
            for (int plane = from; plane < to; plane++) {
                int channel = plane % channels.out();
                int group = channel / channels.outPerGroup();
                int origin = plane * window.outElements();
                Arrays.fill(y, origin, origin + window.outElements(), start[channel]);
                for (int c = 0; c < inPerGroup; c++) {
                    int in = (plane / channels.out() * channels.in() + group * inPerGroup + c) * window.inElements();
                    for (int tap = 0; tap < window.taps(); tap++) {
                        double weight = weights[(channel * inPerGroup + c) * window.taps() + tap];
                        gather(y, origin, in, window.tap(tap), weight);
                    }
                }
            }
        });
        return y;
    }

    private void gather(double[] y, int origin, int in, int[] tap, double weight) {
        int[] out = window.out();
        for (int position = 0; position < window.outElements(); position++) {
            int d = position / out[2] / out[1] * window.stride()[0] + tap[0] * window.dilation()[0];
            int h = position / out[2] % out[1] * window.stride()[1] + tap[1] * window.dilation()[1];
            int w = position % out[2] * window.stride()[2] + tap[2] * window.dilation()[2];
            int at = flat(window.in(), d, h, w);
            if (at >= 0) {
                y[origin + position] += weight * x[in + at];
            }
        }
    }

    /** [batch, out channels, out...]; weights are [in channels, out channels / groups, kernel...]. */
    double[] transposed(Parallel parallel) {
        int outPerGroup = channels.outPerGroup();
        double[] y = new double[channels.batch() * channels.out() * window.outElements()];
        parallel.forRange(channels.batch() * channels.out(), 1, (from, to) -> {
            for (int plane = from; plane < to; plane++) {
                int channel = plane % channels.out();
                int firstIn = channel / outPerGroup * channels.inPerGroup();
                int origin = plane * window.outElements();
                Arrays.fill(y, origin, origin + window.outElements(), start[channel]);
                for (int c = firstIn; c < firstIn + channels.inPerGroup(); c++) {
                    int in = (plane / channels.out() * channels.in() + c) * window.inElements();
                    for (int tap = 0; tap < window.taps(); tap++) {
                        double weight = weights[(c * outPerGroup + channel % outPerGroup) * window.taps() + tap];
                        scatter(y, origin, in, window.tap(tap), weight);
                    }
                }
            }
        });
        return y;
    }

    private void scatter(double[] y, int origin, int in, int[] tap, double weight) {
        int[] size = window.in();
        for (int position = 0; position < window.inElements(); position++) {
            int d = position / size[2] / size[1] * window.stride()[0] + tap[0] * window.dilation()[0];
            int h = position / size[2] % size[1] * window.stride()[1] + tap[1] * window.dilation()[1];
            int w = position % size[2] * window.stride()[2] + tap[2] * window.dilation()[2];
            int at = flat(window.out(), d, h, w);
            if (at >= 0) {
                y[origin + at] += weight * x[in + position];
            }
        }
    }

    /** The flat index of padded coordinates, or -1 outside. */
    private int flat(int[] size, int d, int h, int w) {
        int depth = d - window.padBegin()[0];
        int height = h - window.padBegin()[1];
        int width = w - window.padBegin()[2];
        boolean inside =
                depth >= 0 && depth < size[0] && height >= 0 && height < size[1] && width >= 0 && width < size[2];
        return inside ? (depth * size[1] + height) * size[2] + width : -1;
    }
}
