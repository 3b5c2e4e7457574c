package org.clinfer.cpu;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Maximum or mean over a sliding window of one to three spatial axes. */
final class Pooling implements CpuOperator {

    private final AcceptedTypes accepted;
    private final boolean mean;

    private Pooling(AcceptedTypes accepted, boolean mean) {
        this.accepted = accepted;
        this.mean = mean;
    }

    static Pooling max() {
        return new Pooling(AcceptedTypes.numeric("MaxPool"), false);
    }

    static Pooling average() {
        return new Pooling(AcceptedTypes.floating("AvgPool"), true);
    }

    @Override
    public Optional<String> refusal(List<TensorType> inputs, List<TensorType> outputs) {
        return accepted.refusal(outputs);
    }

    @Override
    public void run(CpuCall call) {
        Window window = Window.of(call.parameters());
        Reach[] reaches = reaches(window, call.parameters());
        int planes = Math.toIntExact(Math.multiplyExact(
                call.parameters().integer("batch"), call.parameters().integer("channels")));
        if (call.output().dtype() == DType.INT64) {
            maxOfLongs(call, window, reaches, planes);
            return;
        }
        TensorValues x = TensorValues.of(call.input(0));
        TensorValues y = TensorValues.of(call.output());
        double least = leastOf(call.output().dtype());
        int grain = Math.max(1, (1 << 14) / Math.max(1, window.outElements()));
        call.parallel().forRange(planes, grain, (from, to) -> {
            double[] plane = new double[window.inElements()];
            double[] pooled = new double[window.outElements()];
            for (int i = from; i < to; i++) {
                x.read(i * plane.length, plane, 0, plane.length);
                if (mean) {
                    average(plane, pooled, window, reaches);
                } else {
                    max(plane, pooled, window, reaches, least);
                }
                y.write(i * pooled.length, pooled, 0, pooled.length);
            }
        });
    }

    private static double leastOf(DType dtype) {
        return switch (dtype) {
            case INT8 -> Byte.MIN_VALUE;
            case INT16 -> Short.MIN_VALUE;
            case INT32 -> Integer.MIN_VALUE;
            default -> Double.NEGATIVE_INFINITY;
        };
    }

    private static Reach[] reaches(Window window, Parameters parameters) {
        boolean includePad = parameters.has("count_include_pad") && parameters.flag("count_include_pad");
        int[] padEnd = includePad ? parameters.ints("pad_end3") : new int[3];
        Reach[] reaches = new Reach[3];
        for (int axis = 0; axis < 3; axis++) {
            reaches[axis] = Reach.of(window, axis, includePad ? padEnd[axis] : -1);
        }
        return reaches;
    }

    private static void max(double[] x, double[] y, Window window, Reach[] reach, double least) {
        int[] in = window.in();
        int[] step = window.dilation();
        int at = 0;
        for (int d = 0; d < window.out()[0]; d++) {
            for (int h = 0; h < window.out()[1]; h++) {
                Arrays.fill(y, at, at + window.out()[2], least);
                for (int p = reach[0].begin[d]; p < reach[0].end[d]; p += step[0]) {
                    for (int q = reach[1].begin[h]; q < reach[1].end[h]; q += step[1]) {
                        maxOfLine(x, (p * in[1] + q) * in[2], y, at, reach[2], step[2]);
                    }
                }
                at += window.out()[2];
            }
        }
    }

    private static void maxOfLine(double[] x, int line, double[] y, int at, Reach reach, int step) {
        for (int w = 0; w < reach.begin.length; w++) {
            double best = y[at + w];
            int end = reach.end[w];
            for (int r = reach.begin[w]; r < end; r += step) {
                best = Math.max(best, x[line + r]);
            }
            y[at + w] = best;
        }
    }

    private static void average(double[] x, double[] y, Window window, Reach[] reach) {
        int[] in = window.in();
        int[] step = window.dilation();
        int at = 0;
        for (int d = 0; d < window.out()[0]; d++) {
            for (int h = 0; h < window.out()[1]; h++) {
                Arrays.fill(y, at, at + window.out()[2], 0);
                for (int p = reach[0].begin[d]; p < reach[0].end[d]; p += step[0]) {
                    for (int q = reach[1].begin[h]; q < reach[1].end[h]; q += step[1]) {
                        addLine(x, (p * in[1] + q) * in[2], y, at, reach[2], step[2]);
                    }
                }
                for (int w = 0; w < window.out()[2]; w++) {
                    y[at + w] /= (double) reach[0].count[d] * reach[1].count[h] * reach[2].count[w];
                }
                at += window.out()[2];
            }
        }
    }

    private static void addLine(double[] x, int line, double[] y, int at, Reach reach, int step) {
        for (int w = 0; w < reach.begin.length; w++) {
            double sum = y[at + w];
            int end = reach.end[w];
            for (int r = reach.begin[w]; r < end; r += step) {
                sum += x[line + r];
            }
            y[at + w] = sum;
        }
    }

    private static void maxOfLongs(CpuCall call, Window window, Reach[] reach, int planes) {
        long[] x = call.input(0).toLongArray();
        Tensor y = call.output();
        int[] in = window.in();
        int[] out = window.out();
        int[] step = window.dilation();
        for (int i = 0; i < planes * window.outElements(); i++) {
            int w = i % out[2];
            int h = i / out[2] % out[1];
            int d = i / out[2] / out[1] % out[0];
            int origin = i / window.outElements() * window.inElements();
            long best = Long.MIN_VALUE;
            for (int p = reach[0].begin[d]; p < reach[0].end[d]; p += step[0]) {
                for (int q = reach[1].begin[h]; q < reach[1].end[h]; q += step[1]) {
                    for (int r = reach[2].begin[w]; r < reach[2].end[w]; r += step[2]) {
                        best = Math.max(best, x[origin + (p * in[1] + q) * in[2] + r]);
                    }
                }
            }
            y.setLong(i, best);
        }
    }

    /**
     * What every output coordinate of one axis sees.
     *
     * @param begin first input coordinate inside the input
     * @param end where they end
     * @param count how many cells count in a mean
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Reach(int[] begin, int[] end, int[] count) {

        /** With {@code padEnd >= 0} padding counts, without only cells of the input. */
        static Reach of(Window window, int axis, int padEnd) {
            int out = window.out()[axis];
            int in = window.in()[axis];
            int step = window.dilation()[axis];
            Reach reach = new Reach(new int[out], new int[out], new int[out]);
            for (int o = 0; o < out; o++) {
                int first = o * window.stride()[axis] - window.padBegin()[axis];
                int skipped = first >= 0 ? 0 : MatrixProduct.ceilDiv(-first, step);
                int last = first + (window.kernel()[axis] - 1) * step;
                reach.begin[o] = first + skipped * step;
                reach.end[o] = Math.min(in, last + 1);
                for (int tap = first; tap <= last; tap += step) {
                    boolean counts = padEnd >= 0 ? tap < in + padEnd : tap >= 0 && tap < in;
                    reach.count[o] += counts ? 1 : 0;
                }
            }
            return reach;
        }
    }
}
