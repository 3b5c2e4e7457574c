package org.clinfer.importer;

import java.util.stream.LongStream;

/**
 * A gather whose first axes are batches that the indices have too, along a later axis, by one along the first axis behind
 * the batches: that axis is moved there, and behind it the axes of the indices are moved to where it was.
 *
 * @param batches how many axes are batches
 * @param axis the axis of the data, {@code batches} or more
 * @param rank the number of axes of the data
 * @param indices the number of axes of the indices, batches among them
 */
public record BatchedGather(int batches, int axis, int rank, int indices) {

    /** {@return whether the axis is where it has to be} */
    public boolean isInPlace() {
        return axis == batches;
    }

    /** {@return the order of the data's axes in front of the gather} */
    public long[] front() {
        return joined(range(0, batches), LongStream.of(axis), range(batches, axis), range(axis + 1, rank));
    }

    /** {@return the order of the result's axes behind it} */
    public long[] back() {
        int own = indices - batches;
        int between = axis - batches;
        return joined(
                range(0, batches),
                range(indices, indices + between),
                range(batches, indices),
                range(indices + between, rank - 1 + own));
    }

    private static LongStream range(int from, int to) {
        return LongStream.range(from, to);
    }

    private static long[] joined(LongStream... parts) {
        return LongStream.concat(LongStream.concat(parts[0], parts[1]), LongStream.concat(parts[2], parts[3]))
                .toArray();
    }
}
