package org.clinfer.importer;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.clinfer.tensor.Shape;

/** The two orders of axes: batch, space, channels, which is that of TensorFlow's files; and batch, channels, space. */
public final class ChannelAxes {

    private ChannelAxes() {}

    /** {@return for each axis of a value with the channels second, the axis of the file's order that it is} */
    public static long[] toSecond(int rank) {
        return IntStream.range(0, rank)
                .mapToLong(axis -> axis == 0 ? 0 : axis == 1 ? rank - 1 : axis - 1)
                .toArray();
    }

    /** {@return for each axis of a value with the channels last, the axis of the other order that it is} */
    public static long[] toLast(int rank) {
        return IntStream.range(0, rank).mapToLong(axis -> inSecond(axis, rank)).toArray();
    }

    /** {@return the place of an axis of the file's order with the channels second} */
    public static int inSecond(int axis, int rank) {
        return axis == 0 ? 0 : axis == rank - 1 ? 1 : axis + 1;
    }

    /**
     * {@return whether borders are around pictures or volumes with the channels last: space alone has some}
     *
     * @param borders before and after each axis of the file's order
     */
    public static boolean isAroundSpace(long[] borders) {
        int rank = borders.length / 2;
        return rank >= 4
                && borders[0] == 0
                && borders[1] == 0
                && borders[2 * rank - 2] == 0
                && borders[2 * rank - 1] == 0
                && Arrays.stream(borders).anyMatch(border -> border > 0);
    }

    /** {@return the shape with its axes in another order} */
    public static Shape ordered(Shape shape, long[] order) {
        return new Shape(
                Arrays.stream(order).mapToObj(axis -> shape.dim((int) axis)).toList());
    }

    /** {@return so many ones} */
    public static long[] ones(int count) {
        return IntStream.range(0, count).mapToLong(axis -> 1).toArray();
    }

    /** {@return the numbers from one to before another} */
    public static long[] range(int from, int to) {
        return IntStream.range(from, to).asLongStream().toArray();
    }
}
