package org.clinfer.cpu;

import java.util.Arrays;

/** Maximum or mean over a sliding window of one to three spatial axes. */
final class Pooling implements CpuOperator {

    private final boolean mean;

    private Pooling(boolean mean) {
        this.mean = mean;
    }

    static Pooling max() {
        return new Pooling(false);
    }

    static Pooling average() {
        return new Pooling(true);
    }

    @Override
    public void run(CpuCall call) {
        Window window = Window.of(call.parameters());
        PoolReach[] reaches = PoolReach.of(window, call.parameters());
        int planes = Math.toIntExact(Math.multiplyExact(
                call.parameters().integer("batch"), call.parameters().integer("channels")));
        int grain = Math.max(1, (1 << 14) / Math.max(1, window.outElements()));
        if (call.output().dtype().isInteger()) {
            new LongPooling(window, reaches, mean).run(call, planes, grain);
        } else {
            runReals(call, window, reaches, planes, grain);
        }
    }

    private void runReals(CpuCall call, Window window, PoolReach[] reaches, int planes, int grain) {
        TensorValues x = TensorValues.of(call.input(0));
        TensorValues y = TensorValues.of(call.output());
        call.parallel().forRange(planes, grain, (from, to) -> {
            double[] plane = new double[window.inElements()];
            double[] pooled = new double[window.outElements()];
            for (int i = from; i < to; i++) {
                x.read(i * plane.length, plane, 0, plane.length);
                if (mean) {
                    average(plane, pooled, window, reaches);
                } else {
                    max(plane, pooled, window, reaches);
                }
                y.write(i * pooled.length, pooled, 0, pooled.length);
            }
        });
    }

    private static void max(double[] x, double[] y, Window window, PoolReach[] reach) {
        int[] in = window.in();
        int[] step = window.dilation();
        int at = 0;
        for (int d = 0; d < window.out()[0]; d++) {
            for (int h = 0; h < window.out()[1]; h++) {
                Arrays.fill(y, at, at + window.out()[2], Double.NEGATIVE_INFINITY);
                for (int p = reach[0].begin()[d]; p < reach[0].end()[d]; p += step[0]) {
                    for (int q = reach[1].begin()[h]; q < reach[1].end()[h]; q += step[1]) {
                        maxOfLine(x, (p * in[1] + q) * in[2], y, at, reach[2], step[2]);
                    }
                }
                at += window.out()[2];
            }
        }
    }

    private static void maxOfLine(double[] x, int line, double[] y, int at, PoolReach reach, int step) {
        for (int w = 0; w < reach.begin().length; w++) {
            double best = y[at + w];
            int end = reach.end()[w];
            for (int r = reach.begin()[w]; r < end; r += step) {
                best = Math.max(best, x[line + r]);
            }
            y[at + w] = best;
        }
    }

    private static void average(double[] x, double[] y, Window window, PoolReach[] reach) {
        int[] in = window.in();
        int[] step = window.dilation();
        int at = 0;
        for (int d = 0; d < window.out()[0]; d++) {
            for (int h = 0; h < window.out()[1]; h++) {
                Arrays.fill(y, at, at + window.out()[2], 0);
                for (int p = reach[0].begin()[d]; p < reach[0].end()[d]; p += step[0]) {
                    for (int q = reach[1].begin()[h]; q < reach[1].end()[h]; q += step[1]) {
                        addLine(x, (p * in[1] + q) * in[2], y, at, reach[2], step[2]);
                    }
                }
                for (int w = 0; w < window.out()[2]; w++) {
                    y[at + w] /= PoolReach.count(reach, d, h, w);
                }
                at += window.out()[2];
            }
        }
    }

    private static void addLine(double[] x, int line, double[] y, int at, PoolReach reach, int step) {
        for (int w = 0; w < reach.begin().length; w++) {
            double sum = y[at + w];
            int end = reach.end()[w];
            for (int r = reach.begin()[w]; r < end; r += step) {
                sum += x[line + r];
            }
            y[at + w] = sum;
        }
    }
}
