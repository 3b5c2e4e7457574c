package org.clinfer.cpu.vision;

import java.util.Arrays;
import org.clinfer.cpu.call.Chunks;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.call.Scratch;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.cpu.window.PoolLines;
import org.clinfer.cpu.window.PoolReach;
import org.clinfer.cpu.window.Window;
import org.clinfer.tensor.DType;
import org.jspecify.annotations.Nullable;

/** Maximum or mean over a sliding window of one to three spatial axes. */
final class Pooling implements CpuOperator {

    private final boolean mean;
    private final @Nullable VectorKernels kernels;

    private Pooling(boolean mean, CpuPath path) {
        this.mean = mean;
        this.kernels = path.kernels();
    }

    static Pooling max(CpuPath path) {
        return new Pooling(false, path);
    }

    static Pooling average(CpuPath path) {
        return new Pooling(true, path);
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
        } else if (kernels != null && call.output().dtype() != DType.FLOAT64 && PoolLines.suits(window)) {
            PoolLines lines = call.kept(PoolLines.class, () -> PoolLines.of(window, reaches, kernels.lanes()));
            runInVectors(call, window, lines, planes, kernels);
        } else {
            runReals(call, window, reaches, planes, grain);
        }
    }

    private void runInVectors(CpuCall call, Window window, PoolLines lines, int planes, VectorKernels kernels) {
        TensorValues x = TensorValues.of(call.input(0));
        TensorValues y = TensorValues.of(call.output());
        int in = window.inElements();
        int out = window.outElements();
        long work = (long) lines.lines().length * lines.width() / 2 + (long) out * lines.taps() + in;
        int together = Math.max(1, Chunks.SIZE / Math.max(in, out));
        call.parallel().forRange(planes, Chunks.grain(work), (from, to) -> {
            Scratch scratch = call.parallel().scratch();
            float[] met = scratch.take(together * in + kernels.lanes());
            float[] folded = scratch.take(lines.rows() * lines.pitch());
            float[] pooled = scratch.take(together * out + kernels.lanes());
            Arrays.fill(folded, 0, lines.rows() * lines.pitch(), mean ? 0 : Float.NEGATIVE_INFINITY);
            for (int plane = from; plane < to; plane += together) {
                int count = Math.min(together, to - plane);
                x.read(plane * in, met, 0, count * in);
                for (int i = 0; i < count; i++) {
                    kernels.poolPlane(lines, mean, met, i * in, folded, pooled, i * out);
                }
                y.write(plane * out, pooled, 0, count * out);
            }
            scratch.give(pooled);
            scratch.give(folded);
            scratch.give(met);
        });
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
        if (y.length == 1 && coversAll(window, reach)) {
            y[0] = sum(x) / PoolReach.count(reach, 0, 0, 0);
            return;
        }
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

    /** {@return whether the one window sees every element of the plane} */
    private static boolean coversAll(Window window, PoolReach[] reach) {
        for (int axis = 0; axis < 3; axis++) {
            boolean isWhole = reach[axis].begin()[0] == 0 && reach[axis].end()[0] == window.in()[axis];
            if (!isWhole || window.dilation()[axis] != 1) {
                return false;
            }
        }
        return true;
    }

    private static double sum(double[] values) {
        double sum0 = 0;
        double sum1 = 0;
        double sum2 = 0;
        double sum3 = 0;
        int i = 0;
        for (; i + 4 <= values.length; i += 4) {
            sum0 += values[i];
            sum1 += values[i + 1];
            sum2 += values[i + 2];
            sum3 += values[i + 3];
        }
        for (; i < values.length; i++) {
            sum0 += values[i];
        }
        return (sum0 + sum1) + (sum2 + sum3);
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
