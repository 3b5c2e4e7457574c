package org.clinfer.importer.tensorflow.checkpoint;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A box of a tensor. */
final class Slice {

    /** The length of a box that has the whole axis. */
    static final long ALL = -1;

    private static final Pattern AXIS = Pattern.compile("-|([0-9]{1,18}),([0-9]{1,18})");

    private final long[] starts;
    private final long[] lengths;

    /**
     * @param starts its first element along each axis
     * @param lengths its elements along each axis, or {@link #ALL}
     */
    Slice(long[] starts, long[] lengths) {
        this.starts = starts.clone();
        this.lengths = lengths.clone();
    }

    int axes() {
        return starts.length;
    }

    long start(int axis) {
        return starts[axis];
    }

    long length(int axis) {
        return lengths[axis];
    }

    /** The box that a restoring node names behind the tensor's sizes: {@code 4 6 0,4:0,3}; empty if it is none. */
    static Optional<Slice> parse(String sizesAndSlice) {
        String[] axes =
                sizesAndSlice.substring(sizesAndSlice.lastIndexOf(' ') + 1).split(":", -1);
        long[] starts = new long[axes.length];
        long[] lengths = new long[axes.length];
        for (int axis = 0; axis < axes.length; axis++) {
            Matcher matcher = AXIS.matcher(axes[axis]);
            if (!matcher.matches()) {
                return Optional.empty();
            }
            starts[axis] = matcher.group(1) == null ? 0 : Long.parseLong(matcher.group(1));
            lengths[axis] = matcher.group(2) == null ? ALL : Long.parseLong(matcher.group(2));
        }
        return Optional.of(new Slice(starts, lengths));
    }

    /** The sizes of a box of a tensor of these sizes; empty if it is not inside. */
    Optional<long[]> within(long[] sizes) {
        if (starts.length != sizes.length) {
            return Optional.empty();
        }
        long[] own = new long[sizes.length];
        for (int axis = 0; axis < sizes.length; axis++) {
            own[axis] = lengths[axis] == ALL ? sizes[axis] : lengths[axis];
            if (starts[axis] < 0 || own[axis] < 0 || starts[axis] > sizes[axis] - own[axis]) {
                return Optional.empty();
            }
        }
        return Optional.of(own);
    }

    /** Copies the box's elements between the whole tensor and a tensor of the box alone. */
    void copy(ByteBuffer whole, long[] sizes, ByteBuffer box, int elementBytes, boolean intoWhole) {
        long[] own = within(sizes).orElseThrow();
        if (Arrays.stream(own).anyMatch(size -> size == 0)) {
            return;
        }
        int last = sizes.length - 1;
        int run = last < 0 ? elementBytes : (int) (own[last] * elementBytes);
        long[] at = new long[sizes.length];
        for (int offset = 0; offset < box.capacity(); offset += run) {
            long index = 0;
            for (int axis = 0; axis <= last; axis++) {
                index = index * sizes[axis] + starts[axis] + at[axis];
            }
            int place = (int) (index * elementBytes);
            if (intoWhole) {
                whole.put(place, box, offset, run);
            } else {
                box.put(offset, whole, place, run);
            }
            next(at, own, last - 1);
        }
    }

    private static void next(long[] at, long[] sizes, int last) {
        for (int axis = last; axis >= 0 && ++at[axis] == sizes[axis]; axis--) {
            at[axis] = 0;
        }
    }
}
