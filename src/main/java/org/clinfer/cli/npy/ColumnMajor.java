package org.clinfer.cli.npy;

import java.nio.ByteBuffer;
import org.clinfer.tensor.Tensor;

/** Reorders an array whose first index runs fastest. */
final class ColumnMajor {

    private ColumnMajor() {}

    /** The same array with the last index running fastest; {@code stored} holds the elements in file order. */
    static Tensor toRowMajor(Tensor stored) {
        long[] sizes = stored.shape().sizes();
        if (sizes.length < 2) {
            return stored;
        }
        int width = stored.dtype().bits() / 8;
        Tensor ordered = Tensor.allocate(stored.type());
        ByteBuffer from = stored.bytes();
        ByteBuffer to = ordered.bytes();
        long[] index = new long[sizes.length];
        long elements = stored.elements();
        for (long position = 0; position < elements; position++) {
            int source = (int) columnMajorOffset(index, sizes) * width;
            to.put((int) position * width, from, source, width);
            advance(index, sizes);
        }
        return ordered;
    }

    private static long columnMajorOffset(long[] index, long[] sizes) {
        long offset = 0;
        for (int axis = sizes.length - 1; axis >= 0; axis--) {
            offset = offset * sizes[axis] + index[axis];
        }
        return offset;
    }

    private static void advance(long[] index, long[] sizes) {
        for (int axis = sizes.length - 1; axis >= 0; axis--) {
            if (++index[axis] < sizes[axis]) {
                return;
            }
            index[axis] = 0;
        }
    }
}
