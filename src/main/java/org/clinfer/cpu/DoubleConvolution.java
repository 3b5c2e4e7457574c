package org.clinfer.cpu;

import java.util.Arrays;

/** Convolution and its transposition in double precision. */
final class DoubleConvolution extends PlainConvolution {

    private final double[] x;
    private final double[] weights;
    private final double[] bias;
    private final double[] y;

    /** @param bias by output channel; empty for none */
    DoubleConvolution(PlainConvolution.Geometry geometry, double[] x, double[] weights, double[] bias) {
        super(geometry);
        this.x = x;
        this.weights = weights;
        this.bias = bias;
        this.y = new double[outputs()];
    }

    double[] compute(Parallel parallel) {
        run(parallel);
        return y;
    }

    @Override
    void start(int at, int count, int channel) {
        Arrays.fill(y, at, at + count, bias.length == 0 ? 0 : bias[channel]);
    }

    @Override
    void addLine(int weight, int from, int to, int count) {
        double factor = weights[weight];
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
