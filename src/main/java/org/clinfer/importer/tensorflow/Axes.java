package org.clinfer.importer.tensorflow;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.clinfer.tensor.Shape;

/** The two orders of axes: batch, space, channels, which is TensorFlow's own; and batch, channels, space. */
final class Axes {

    private Axes() {}

    /** For each axis of a value with the channels second, which axis of TensorFlow's order it is. */
    static long[] toSecond(int rank) {
        return IntStream.range(0, rank)
                .mapToLong(axis -> axis == 0 ? 0 : axis == 1 ? rank - 1 : axis - 1)
                .toArray();
    }

    /** For each axis of a value with the channels last, which axis of the other order it is. */
    static long[] toLast(int rank) {
        return IntStream.range(0, rank).mapToLong(axis -> inSecond(axis, rank)).toArray();
    }

    /** The place of an axis of TensorFlow's order with the channels second. */
    static int inSecond(int axis, int rank) {
        return axis == 0 ? 0 : axis == rank - 1 ? 1 : axis + 1;
    }

    /** The shape with its axes in another order. */
    static Shape ordered(Shape shape, long[] order) {
        return new Shape(
                Arrays.stream(order).mapToObj(axis -> shape.dim((int) axis)).toList());
    }

    static long[] ones(int count) {
        return IntStream.range(0, count).mapToLong(axis -> 1).toArray();
    }

    static long[] range(int from, int to) {
        return IntStream.range(from, to).asLongStream().toArray();
    }
}
