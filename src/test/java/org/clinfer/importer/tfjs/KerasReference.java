package org.clinfer.importer.tfjs;

import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Layers by Keras's definitions, element by element in double precision; the channels are last. */
final class KerasReference {

    private KerasReference() {}

    /**
     * The window of a layer over some spatial axes.
     *
     * @param same whether there is an output for each stride, however large the window is
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Window(int[] kernel, int[] strides, int[] dilations, boolean same) {

        int effective(int axis) {
            return (kernel[axis] - 1) * dilations[axis] + 1;
        }

        int out(int axis, int in) {
            return same ? (in + strides[axis] - 1) / strides[axis] : (in - effective(axis)) / strides[axis] + 1;
        }

        /** The number of cells before the first; the odd one is after the last. */
        int before(int axis, int in) {
            int total = (out(axis, in) - 1) * strides[axis] + effective(axis) - in;
            return same ? Math.max(total, 0) / 2 : 0;
        }
    }

    private static int[] spatial(Volume x) {
        return Arrays.copyOfRange(x.dims(), 1, x.rank() - 1);
    }

    private static int[] shape(int batch, int[] spatial, int channels) {
        int[] shape = new int[spatial.length + 2];
        shape[0] = batch;
        System.arraycopy(spatial, 0, shape, 1, spatial.length);
        shape[shape.length - 1] = channels;
        return shape;
    }

    private static int[] out(Window window, int[] in) {
        int[] out = new int[in.length];
        Arrays.setAll(out, axis -> window.out(axis, in[axis]));
        return out;
    }

    /** {@code kernel} is [spatial..., in / groups, out]. */
    static Volume convolution(Volume x, Volume kernel, @Nullable Volume bias, Window window, int groups) {
        int[] in = spatial(x);
        int groupIn = kernel.dim(-2);
        int filters = kernel.dim(-1);
        return Volume.of(shape(x.dim(0), out(window, in), filters), at -> {
            int filter = at[at.length - 1];
            double[] sum = {bias == null ? 0 : bias.at(filter)};
            Volume.each(window.kernel(), tap -> {
                int[] from = source(at, tap, window, in);
                if (from.length > 0) {
                    for (int channel = 0; channel < groupIn; channel++) {
                        from[from.length - 1] = filter / (filters / groups) * groupIn + channel;
                        sum[0] += x.at(from) * kernel.at(shape(tap, channel, filter));
                    }
                }
            });
            return sum[0];
        });
    }

    /** {@code kernel} is [spatial..., in, multiplier]; output channel {@code in * multiplier + m}. */
    static Volume depthwise(Volume x, Volume kernel, @Nullable Volume bias, Window window) {
        int[] in = spatial(x);
        int multiplier = kernel.dim(-1);
        return Volume.of(shape(x.dim(0), out(window, in), x.dim(-1) * multiplier), at -> {
            int channel = at[at.length - 1] / multiplier;
            double[] sum = {bias == null ? 0 : bias.at(at[at.length - 1])};
            Volume.each(window.kernel(), tap -> {
                int[] from = source(at, tap, window, in);
                if (from.length > 0) {
                    from[from.length - 1] = channel;
                    sum[0] += x.at(from) * kernel.at(shape(tap, channel, at[at.length - 1] % multiplier));
                }
            });
            return sum[0];
        });
    }

    private static int[] shape(int[] tap, int first, int second) {
        int[] index = Arrays.copyOf(tap, tap.length + 2);
        index[tap.length] = first;
        index[tap.length + 1] = second;
        return index;
    }

    /** Where a tap of the window at an output reads; empty if outside. */
    private static int[] source(int[] at, int[] tap, Window window, int[] in) {
        int[] from = at.clone();
        for (int axis = 0; axis < tap.length; axis++) {
            int position = at[axis + 1] * window.strides()[axis]
                    - window.before(axis, in[axis])
                    + tap[axis] * window.dilations()[axis];
            if (position < 0 || position >= in[axis]) {
                return new int[0];
            }
            from[axis + 1] = position;
        }
        return from;
    }

    /**
     * {@code kernel} is [spatial..., out, in]: what the convolution from y to x, of the same window, takes from y it gives
     * back.
     *
     * @param padding output padding, or none for Keras's own size
     */
    static Volume transposed(Volume x, Volume kernel, Volume bias, Window window, int... padding) {
        int[] in = spatial(x);
        int[] out = new int[in.length];
        for (int axis = 0; axis < in.length; axis++) {
            int stride = window.strides()[axis];
            int effective = window.effective(axis);
            if (padding.length > 0) {
                int cut = window.same() ? effective / 2 : 0;
                out[axis] = (in[axis] - 1) * stride + effective - 2 * cut + padding[axis];
            } else if (window.same()) {
                out[axis] = in[axis] * stride;
            } else {
                out[axis] = in[axis] * stride + Math.max(effective - stride, 0);
            }
        }
        Volume y = Volume.of(shape(x.dim(0), out, kernel.dim(-2)), at -> bias.at(at[at.length - 1]));
        Volume.each(
                x.dims(),
                at -> Volume.each(window.kernel(), tap -> {
                    int[] to = source(at, tap, window, out);
                    for (int channel = 0; to.length > 0 && channel < kernel.dim(-2); channel++) {
                        to[to.length - 1] = channel;
                        y.add(x.at(at) * kernel.at(shape(tap, channel, at[at.length - 1])), to);
                    }
                }));
        return y;
    }

    static Volume pool(Volume x, Window window, boolean max) {
        int[] in = spatial(x);
        return Volume.of(shape(x.dim(0), out(window, in), x.dim(-1)), at -> {
            double[] result = {max ? Double.NEGATIVE_INFINITY : 0};
            int[] count = {0};
            Volume.each(window.kernel(), tap -> {
                int[] from = source(at, tap, window, in);
                if (from.length > 0) {
                    result[0] = max ? Math.max(result[0], x.at(from)) : result[0] + x.at(from);
                    count[0]++;
                }
            });
            return max ? result[0] : result[0] / count[0];
        });
    }

    /** Each element with the numbers of its place along one axis. */
    static Volume alongAxis(Volume x, int axis, Volume numbers, DoubleBinaryOperator function) {
        return Volume.of(x.dims(), at -> function.applyAsDouble(x.at(at), numbers.at(at[axis])));
    }

    /**
     * x less the mean of its set, over the deviation; elements belong to one set if their indices agree along the axes
     * that are not normalised, and channels belong together in groups.
     */
    static Volume normalized(Volume x, IntPredicate over, int groupSize, double epsilon, boolean epsilonOutside) {
        return Volume.of(x.dims(), at -> {
            double[] sums = new double[3];
            Volume.each(x.dims(), other -> {
                boolean together = true;
                for (int axis = 0; axis < at.length; axis++) {
                    int size = axis == at.length - 1 ? groupSize : 1;
                    together &= over.test(axis) || at[axis] / size == other[axis] / size;
                }
                if (together) {
                    double value = x.at(other);
                    sums[0]++;
                    sums[1] += value;
                    sums[2] += value * value;
                }
            });
            double mean = sums[1] / sums[0];
            double variance = Math.max(sums[2] / sums[0] - mean * mean, 0);
            double deviation = epsilonOutside ? Math.sqrt(variance) + epsilon : Math.sqrt(variance + epsilon);
            return (x.at(at) - mean) / deviation;
        });
    }
}
