package org.clinfer.cpu.matrix;

import org.clinfer.graph.Parameters;

/** The sizes of products of matrices that lie in tensors with strides, and where they lie; its array is only read. */
@SuppressWarnings("ArrayRecordComponent")
record StridedSizes(int rows, int terms, int columns, int[] sizes, Strides left, Strides right, Strides to) {

    /** The steps between neighbours in one tensor: of the matrices, and along both axes of one; its array is only read. */
    @SuppressWarnings("ArrayRecordComponent")
    record Strides(int offset, int[] all) {

        static Strides of(Parameters parameters, String name) {
            return new Strides(
                    Math.toIntExact(parameters.integer(name + "_offset")), parameters.ints(name + "_strides"));
        }

        int first() {
            return all[all.length - 2];
        }

        int second() {
            return all[all.length - 1];
        }

        /** The begin of a matrix, where matrices are counted by their axes in row-major order. */
        int begin(int matrix, int[] sizes) {
            int at = offset;
            int left = matrix;
            for (int axis = all.length - 3; axis >= 0; axis--) {
                at += left % sizes[axis] * all[axis];
                left /= sizes[axis];
            }
            return at;
        }
    }

    static StridedSizes of(Parameters parameters) {
        return new StridedSizes(
                Math.toIntExact(parameters.integer("m")),
                Math.toIntExact(parameters.integer("k")),
                Math.toIntExact(parameters.integer("n")),
                parameters.ints("sizes"),
                Strides.of(parameters, "a"),
                Strides.of(parameters, "b"),
                new Strides(0, parameters.ints("y_strides")));
    }
}
