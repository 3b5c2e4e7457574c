package org.clinfer.cpu.vision;

import java.util.Arrays;
import org.clinfer.cpu.call.Parallel;

/** {@link Resize} of float32: the axes one after the other, the innermost by its elements, all others by rows. */
final class FloatResize {

    private static final int GRAIN = 1 << 14;

    private final ResizeAxis[] axes;
    private final Parallel parallel;

    FloatResize(ResizeAxis[] axes, Parallel parallel) {
        this.axes = axes;
        this.parallel = parallel;
    }

    float[] resampled(float[] x, float outsideValue) {
        float[] values = x;
        int inner = 1;
        for (int axis = axes.length - 1; axis >= 0; axis--) {
            if (!axes[axis].isIdentity()) {
                values = inner == 1 ? elements(values, axes[axis]) : rows(values, axes[axis], inner);
            }
            inner *= axes[axis].taps().length;
        }
        inner = 1;
        for (int axis = axes.length - 1; axis >= 0; axis--) {
            fillOutside(values, axes[axis].outside(), inner, outsideValue);
            inner *= axes[axis].taps().length;
        }
        return values;
    }

    private static void fillOutside(float[] y, boolean[] outside, int inner, float value) {
        for (int at = 0; at < outside.length; at++) {
            for (int row = at; outside[at] && row < y.length / inner; row += outside.length) {
                Arrays.fill(y, row * inner, (row + 1) * inner, value);
            }
        }
    }

    /** [outer, in] to [outer, out]. */
    private float[] elements(float[] x, ResizeAxis axis) {
        int out = axis.taps().length;
        int outer = x.length / axis.in();
        float[] y = new float[Math.multiplyExact(outer, out)];
        Lines lines = Lines.of(axis);
        parallel.forRange(outer, Math.max(1, GRAIN / out), (from, to) -> {
            for (int line = from; line < to; line++) {
                lines.compute(x, line * axis.in(), y, line * out);
            }
        });
        return y;
    }

    /**
     * The weighted sums that make a line of outputs.
     *
     * @param most the most terms that a sum has
     * @param taps where the terms of each output are in the line, {@code most} of each; those it does not have repeat one
     * @param weights 0 for terms that an output does not have
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Lines(int most, int[] taps, float[] weights) {

        static Lines of(ResizeAxis axis) {
            int most = Arrays.stream(axis.taps())
                    .mapToInt(sources -> sources.length)
                    .max()
                    .orElse(0);
            int[] taps = new int[axis.taps().length * most];
            float[] weights = new float[taps.length];
            for (int o = 0; o < axis.taps().length; o++) {
                int[] sources = axis.taps()[o];
                for (int i = 0; i < sources.length; i++) {
                    taps[o * most + i] = sources[i];
                    weights[o * most + i] = (float) axis.weights()[o][i];
                }
            }
            return new Lines(most, taps, weights);
        }

        void compute(float[] x, int from, float[] y, int to) {
            switch (most) {
                case 1 -> copies(x, from, y, to);
                case 2 -> means(x, from, y, to);
                default -> sums(x, from, y, to);
            }
        }

        private void copies(float[] x, int from, float[] y, int to) {
            for (int o = 0; o < taps.length; o++) {
                y[to + o] = x[from + taps[o]];
            }
        }

        private void means(float[] x, int from, float[] y, int to) {
            for (int o = 0; o < taps.length / 2; o++) {
                float first = x[from + taps[2 * o]];
                float weight = weights[2 * o + 1];
                // what has no weight must not bring in an infinity or NaN
                y[to + o] = weight == 0 ? first : weights[2 * o] * first + weight * x[from + taps[2 * o + 1]];
            }
        }

        private void sums(float[] x, int from, float[] y, int to) {
            for (int o = 0; o < taps.length / most; o++) {
                float sum = 0;
                for (int i = o * most; i < (o + 1) * most; i++) {
                    sum += weights[i] == 0 ? 0 : weights[i] * x[from + taps[i]];
                }
                y[to + o] = sum;
            }
        }
    }

    /** [outer, in, inner] to [outer, out, inner]. */
    private float[] rows(float[] x, ResizeAxis axis, int inner) {
        int out = axis.taps().length;
        int outer = x.length / axis.in() / inner;
        float[] y = new float[Math.multiplyExact(Math.multiplyExact(outer, out), inner)];
        parallel.forRange(outer * out, Math.max(1, GRAIN / inner), (from, to) -> {
            for (int row = from; row < to; row++) {
                int[] taps = axis.taps()[row % out];
                double[] weights = axis.weights()[row % out];
                int origin = row / out * axis.in() * inner;
                sumRows(x, origin, taps, weights, y, row * inner, inner);
            }
        });
        return y;
    }

    private static void sumRows(float[] x, int origin, int[] taps, double[] weights, float[] y, int at, int length) {
        if (taps.length == 1) {
            System.arraycopy(x, origin + taps[0] * length, y, at, length);
            return;
        }
        for (int tap = 0; tap + 1 < taps.length; tap += 2) {
            int first = origin + taps[tap] * length;
            int second = origin + taps[tap + 1] * length;
            addTwo(x, first, (float) weights[tap], second, (float) weights[tap + 1], y, at, length);
        }
        if (taps.length % 2 == 1) {
            int last = taps.length - 1;
            addOne(x, origin + taps[last] * length, (float) weights[last], y, at, length);
        }
    }

    private static void addOne(float[] x, int from, float weight, float[] y, int at, int length) {
        for (int j = 0; j < length; j++) {
            y[at + j] += weight * x[from + j];
        }
    }

    private static void addTwo(
            float[] x, int first, float firstWeight, int second, float secondWeight, float[] y, int at, int length) {
        for (int j = 0; j < length; j++) {
            y[at + j] += firstWeight * x[first + j] + secondWeight * x[second + j];
        }
    }
}
