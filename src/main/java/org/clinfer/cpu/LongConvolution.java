package org.clinfer.cpu;

import java.util.Arrays;

/** Convolution and its transposition in 64-bit integers. */
final class LongConvolution extends PlainConvolution {

    private final long[] x;
    private final long[] weights;
    private final long[] bias;
    private final long[] y;

    /** @param bias by output channel; empty for none */
    LongConvolution(PlainConvolution.Geometry geometry, long[] x, long[] weights, long[] bias) {
        super(geometry);
        this.x = x;
        this.weights = weights;
        this.bias = bias;
        this.y = new long[outputs()];
    }

    long[] compute(Parallel parallel) {
        run(parallel);
        return y;
    }

    @Override
    void start(int at, int count, int channel) {
        Arrays.fill(y, at, at + count, bias.length == 0 ? 0 : bias[channel]);
    }

    @Override
    void addLine(int weight, int from, int to, int count) {
        long factor = weights[weight];
        int xStep = xStep();
        int yStep = yStep();
        if (xStep == 1 && yStep == 1) {
            for (int j = 0; j < count; j++) {
                y[to + j] += factor * x[from + j];
            }
            return;
        }
        for (int j = 0; j < count; j++) {
            y[to + j * yStep] += factor * x[from + j * xStep];
        }
    }
}
