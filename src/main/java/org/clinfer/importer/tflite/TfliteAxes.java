package org.clinfer.importer.tflite;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.clinfer.tensor.Shape;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** The two orders of axes: batch, space, channels, which is the file's; and batch, channels, space. */
final class TfliteAxes {

    private TfliteAxes() {}

    /** For each axis of a value with the channels second, the axis of the file's order that it is. */
    static long[] toSecond(int rank) {
        return IntStream.range(0, rank)
                .mapToLong(axis -> axis == 0 ? 0 : axis == 1 ? rank - 1 : axis - 1)
                .toArray();
    }

    /** For each axis of a value with the channels last, the axis of the other order that it is. */
    static long[] toLast(int rank) {
        return IntStream.range(0, rank).mapToLong(axis -> inSecond(axis, rank)).toArray();
    }

    /** The axis, with the channels second, for one of the file's order. */
    static int inSecond(int axis, int rank) {
        return axis == 0 ? 0 : axis == rank - 1 ? 1 : axis + 1;
    }

    static Shape ordered(Shape shape, long[] order) {
        return new Shape(
                Arrays.stream(order).mapToObj(axis -> shape.dim((int) axis)).toList());
    }

    static long[] range(int from, int to) {
        return IntStream.range(from, to).asLongStream().toArray();
    }

    /** The tensor with its axes in another order. */
    static Tensor permuted(Tensor tensor, long[] order) {
        long[] sizes = tensor.shape().sizes();
        int rank = sizes.length;
        long[] strides = new long[rank];
        long stride = 1;
        for (int axis = rank - 1; axis >= 0; axis--) {
            strides[axis] = stride;
            stride *= sizes[axis];
        }
        Shape shape = ordered(tensor.shape(), order);
        Tensor result = Tensor.allocate(new TensorType(tensor.dtype(), shape));
        int width = tensor.dtype().bits() / Byte.SIZE;
        ByteBuffer from = tensor.bytes();
        ByteBuffer to = result.bytes();
        long[] counters = new long[rank];
        long offset = 0;
        for (int at = 0; at < result.elements(); at++) {
            to.put(at * width, from, (int) offset * width, width);
            for (int axis = rank - 1; axis >= 0; axis--) {
                offset += strides[(int) order[axis]];
                if (++counters[axis] < shape.size(axis)) {
                    break;
                }
                offset -= counters[axis] * strides[(int) order[axis]];
                counters[axis] = 0;
            }
        }
        return result;
    }
}
