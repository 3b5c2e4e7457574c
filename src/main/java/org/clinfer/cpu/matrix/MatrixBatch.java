package org.clinfer.cpu.matrix;

import org.clinfer.graph.Parameters;

/**
 * The sizes of every product of a batch and where its matrices begin.
 *
 * @param count products
 * @param dims of the batch
 * @param aStrides distances of left matrices along each of them
 * @param bStrides of right ones
 */
@SuppressWarnings("ArrayRecordComponent")
public record MatrixBatch(int rows, int depth, int columns, int count, int[] dims, int[] aStrides, int[] bStrides) {

    public static MatrixBatch of(Parameters parameters) {
        int[] dims = parameters.ints("batch_dims");
        int count = 1;
        for (int dim : dims) {
            count = Math.multiplyExact(count, dim);
        }
        return new MatrixBatch(
                Math.toIntExact(parameters.integer("m")),
                Math.toIntExact(parameters.integer("k")),
                Math.toIntExact(parameters.integer("n")),
                count,
                dims,
                parameters.ints("a_batch_strides"),
                parameters.ints("b_batch_strides"));
    }

    int elements() {
        return Math.multiplyExact(Math.multiplyExact(rows, columns), count);
    }

    /** {@return whether one right matrix serves all of the left ones, which then form one tall matrix} */
    public boolean sharesRight(long rightElements) {
        return count > 1 && rightElements == (long) depth * columns && left(count - 1) == (count - 1) * rows * depth;
    }

    /** The same as one product, where they share the right matrix. */
    public MatrixBatch stacked() {
        int[] none = {};
        return new MatrixBatch(Math.multiplyExact(rows, count), depth, columns, 1, none, none, none);
    }

    /** The first element of the left matrix of a product. */
    public int left(int index) {
        return offset(aStrides, index);
    }

    /** The first element of the right matrix of a product. */
    public int right(int index) {
        return offset(bStrides, index);
    }

    private int offset(int[] strides, int index) {
        int offset = 0;
        int rest = index;
        for (int axis = dims.length - 1; axis >= 0; axis--) {
            offset += rest % dims[axis] * strides[axis];
            rest /= dims[axis];
        }
        return offset;
    }
}
