package org.clinfer.fix;

import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** Weights of pictures, [out_channels, in_channels / groups, height, width]. */
final class Weights {

    private Weights() {}

    /** One weight. */
    @FunctionalInterface
    interface Element {
        double at(int out, int in, int y, int x);
    }

    /** Weights that are computed when something looks at them: most changes are not made. */
    static Tensor of(DType dtype, long outs, long ins, long height, long width, Element element) {
        TensorType type = TensorType.of(dtype, outs, ins, height, width);
        return Tensor.deferred(type, memory -> {
            Tensor tensor = Tensor.wrap(type, memory);
            int position = 0;
            for (int out = 0; out < outs; out++) {
                for (int in = 0; in < ins; in++) {
                    for (int y = 0; y < height; y++) {
                        for (int x = 0; x < width; x++) {
                            tensor.setDouble(position++, element.at(out, in, y, x));
                        }
                    }
                }
            }
        });
    }

    static double at(Tensor weights, int out, int in, int y, int x) {
        long[] sizes = weights.shape().sizes();
        return weights.getDouble(((out * sizes[1] + in) * sizes[2] + y) * sizes[3] + x);
    }

    /** A box of weights. */
    static Tensor part(Tensor weights, long[] from, long[] to) {
        int out = (int) from[0];
        int in = (int) from[1];
        int top = (int) from[2];
        int left = (int) from[3];
        return of(
                weights.dtype(),
                to[0] - from[0],
                to[1] - from[1],
                to[2] - from[2],
                to[3] - from[3],
                (o, i, y, x) -> at(weights, out + o, in + i, top + y, left + x));
    }

    /** The same weights among zeros. */
    static Tensor among(Tensor weights, long height, long width, long[] begin, long[] step) {
        long[] sizes = weights.shape().sizes();
        return of(weights.dtype(), sizes[0], sizes[1], height, width, (o, i, y, x) -> {
            long row = y - begin[0];
            long column = x - begin[1];
            boolean isThere = row >= 0
                    && column >= 0
                    && row % step[0] == 0
                    && column % step[1] == 0
                    && row / step[0] < sizes[2]
                    && column / step[1] < sizes[3];
            return isThere ? at(weights, o, i, (int) (row / step[0]), (int) (column / step[1])) : 0;
        });
    }

    /** The same elements in memory of their own, and another shape. */
    static Tensor shaped(Tensor tensor, long... sizes) {
        return Tensor.deferred(TensorType.of(tensor.dtype(), sizes), tensor::writeTo);
    }

    /** Some elements of a vector. */
    static Tensor part(Tensor vector, long from, long to) {
        Tensor part = Tensor.allocate(vector.dtype(), to - from);
        for (long i = from; i < to; i++) {
            part.setDouble(i - from, vector.getDouble(i));
        }
        return part;
    }

    /** Sizes of so many parts, as equal as can be, the larger first. */
    static long[] parts(long size, int count) {
        long[] parts = new long[count];
        for (int i = 0; i < count; i++) {
            parts[i] = size / count + (i < size % count ? 1 : 0);
        }
        return parts;
    }
}
