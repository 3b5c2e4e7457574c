package org.clinfer.fix;

/**
 * The geometry of a window over pictures, by [height, width].
 *
 * @param in sizes of the input
 * @param out sizes of the output
 * @param kernel sizes of the window
 * @param strides of the window
 * @param dilations of the window
 * @param begin padding at the top and left
 * @param end padding at the bottom and right, as far as windows read it
 */
@SuppressWarnings("ArrayRecordComponent") // only read, and made anew for each change
record Geometry(long[] in, long[] out, long[] kernel, long[] strides, long[] dilations, long[] begin, long[] end) {

    static final int AXES = 2;

    static long ceilDiv(long size, long by) {
        return (size + by - 1) / by;
    }

    /** The size of the window with its gaps. */
    long extent(int axis) {
        return dilations[axis] * (kernel[axis] - 1) + 1;
    }

    boolean isPadded() {
        return begin[0] > 0 || begin[1] > 0 || end[0] > 0 || end[1] > 0;
    }

    boolean isDilated() {
        return dilations[0] > 1 || dilations[1] > 1;
    }

    boolean isStrided() {
        return strides[0] > 1 || strides[1] > 1;
    }

    Geometry withPadding(long[] newBegin, long[] newEnd) {
        return new Geometry(in, out, kernel, strides, dilations, newBegin, newEnd);
    }

    Geometry withKernel(long[] newKernel, long[] newDilations, long[] newBegin, long[] newEnd) {
        return new Geometry(in, out, newKernel, strides, newDilations, newBegin, newEnd);
    }

    /** The padding at the end that so many windows read, where some stands at the begin; negative where not all is read. */
    long end(int axis, long outputs, long beginning, long stride, long extent) {
        return (outputs - 1) * stride + extent - in[axis] - beginning;
    }

    /** Top, bottom, left and right, as operators have it. */
    long[] padding() {
        return new long[] {begin[0], end[0], begin[1], end[1]};
    }
}
