package org.clinfer.cpu.memory;

import java.util.Arrays;
import org.clinfer.tensor.Shape;

/**
 * The positions of the elements of an output, taken in row-major order, in a source: the output's axes with the
 * distance in source elements of one step along each. Axes of size 1 are dropped and axes that continue one another are
 * merged, so that a contiguous or constant source is a single run.
 */
public final class StridedView {

    /** Takes {@code length} consecutive output elements from {@code at}; they start at {@code source} of the source. */
    @FunctionalInterface
    public interface Run {
        void accept(int source, int at, int length);
    }

    private final int[] sizes;
    private final int[] strides;
    private final int offset;

    private StridedView(int[] sizes, int[] strides, int offset) {
        this.sizes = sizes;
        this.strides = strides;
        this.offset = offset;
    }

    /** A view of these axes, outermost first, that starts at source element {@code offset}. */
    public static StridedView of(long[] sizes, long[] strides, long offset) {
        int[] mergedSizes = new int[Math.max(1, sizes.length)];
        int[] mergedStrides = new int[mergedSizes.length];
        int axes = 0;
        for (int axis = 0; axis < sizes.length; axis++) {
            if (sizes[axis] == 1) {
                continue;
            }
            int size = Math.toIntExact(sizes[axis]);
            int stride = Math.toIntExact(strides[axis]);
            if (axes > 0 && mergedStrides[axes - 1] == (long) stride * size) {
                mergedSizes[axes - 1] = Math.multiplyExact(mergedSizes[axes - 1], size);
                mergedStrides[axes - 1] = stride;
            } else {
                mergedSizes[axes] = size;
                mergedStrides[axes] = stride;
                axes++;
            }
        }
        if (axes == 0) {
            return new StridedView(new int[] {1}, new int[] {1}, Math.toIntExact(offset));
        }
        return new StridedView(
                Arrays.copyOf(mergedSizes, axes), Arrays.copyOf(mergedStrides, axes), Math.toIntExact(offset));
    }

    /** A source of shape {@code from} broadcast to {@code to}, axes aligned at the end. */
    public static StridedView broadcast(Shape from, Shape to) {
        long[] sizes = to.sizes();
        long[] own = stridesOf(from.sizes());
        long[] strides = new long[sizes.length];
        int lead = sizes.length - own.length;
        if (lead < 0) {
            throw new IllegalArgumentException("shape " + from + " does not broadcast to " + to);
        }
        for (int axis = 0; axis < own.length; axis++) {
            long size = from.size(axis);
            if (size != 1 && size != sizes[lead + axis]) {
                throw new IllegalArgumentException("shape " + from + " does not broadcast to " + to);
            }
            strides[lead + axis] = size == 1 ? 0 : own[axis];
        }
        return of(sizes, strides, 0);
    }

    /** Row-major strides in elements. */
    public static long[] stridesOf(long[] sizes) {
        long[] strides = new long[sizes.length];
        long stride = 1;
        for (int axis = sizes.length - 1; axis >= 0; axis--) {
            strides[axis] = stride;
            stride *= sizes[axis];
        }
        return strides;
    }

    /** Distance in the source of neighbours within a run. */
    public int step() {
        return strides[strides.length - 1];
    }

    /** {@return whether all elements are one run} */
    public boolean isOneRun() {
        return sizes.length == 1;
    }

    /** Length of the longest run. */
    public int runLength() {
        return sizes[sizes.length - 1];
    }

    /** {@return whether the innermost two axes are those of a matrix whose columns lie in one piece each} */
    public boolean isTransposed() {
        int last = sizes.length - 1;
        return last > 0 && strides[last - 1] == 1 && strides[last] >= sizes[last - 1];
    }

    /** Rows of the matrices that the innermost two axes are. Only where there are two. */
    public int rows() {
        return sizes[sizes.length - 2];
    }

    /** The begins of these matrices in the source. */
    public int[] matrices() {
        int last = sizes.length - 1;
        int[] begins = {offset};
        for (int axis = 0; axis < last - 1; axis++) {
            int[] more = new int[begins.length * sizes[axis]];
            for (int i = 0; i < more.length; i++) {
                more[i] = begins[i / sizes[axis]] + i % sizes[axis] * strides[axis];
            }
            begins = more;
        }
        return begins;
    }

    /** The same without the innermost axis: where the runs begin. Only where there is another one. */
    public StridedView ofRuns() {
        int axes = sizes.length - 1;
        return new StridedView(Arrays.copyOf(sizes, axes), Arrays.copyOf(strides, axes), offset);
    }

    /** Passes output elements {@code from … from + count - 1} to {@code body} in runs; {@code at} counts from 0. */
    public void forRuns(int from, int count, Run body) {
        if (count <= 0) {
            return;
        }
        int last = sizes.length - 1;
        int[] coordinates = new int[sizes.length];
        int source = offset;
        int rest = from;
        for (int axis = last; axis >= 0; axis--) {
            coordinates[axis] = rest % sizes[axis];
            rest /= sizes[axis];
            source += coordinates[axis] * strides[axis];
        }
        int at = 0;
        while (at < count) {
            int length = Math.min(count - at, sizes[last] - coordinates[last]);
            body.accept(source, at, length);
            at += length;
            source += length * strides[last];
            coordinates[last] += length;
            for (int axis = last; axis > 0 && coordinates[axis] == sizes[axis]; axis--) {
                source += strides[axis - 1] - sizes[axis] * strides[axis];
                coordinates[axis] = 0;
                coordinates[axis - 1]++;
            }
        }
    }
}
