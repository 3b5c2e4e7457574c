package org.clinfer.cpu.matrix;

import java.util.Optional;
import org.clinfer.cpu.vector.RowKernels;
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

        /** Brings rows of the left matrix that begins at {@code at} side by side. */
        void pack(float[] values, int at, float[] packed, MatrixProduct.Strip strip) {
            for (int row = 0; row < strip.rows(); row++) {
                int from = at + (strip.row() + row) * first() + strip.depth() * second();
                RowKernels.everyNth(values, from, second(), packed, row * MatrixProduct.DEPTH, strip.depths());
            }
        }

        /** Brings rows of the right matrix that begins at {@code at} side by side. */
        void fill(float[] values, int at, float[][] rows, MatrixProduct.Block block) {
            for (int k = 0; k < block.depths(); k++) {
                int from = at + (block.depth() + k) * first() + block.column() * second();
                RowKernels.everyNth(values, from, second(), rows[k], 0, block.columns());
            }
        }

        /** Puts sums times a factor where they belong in the result that begins at {@code at}. */
        void put(float[][] sums, MatrixProduct.Tile tile, float factor, float[] values, int at) {
            for (int row = 0; row < tile.rows(); row++) {
                int to = at + (tile.row() + row) * first() + tile.column() * second();
                for (int column = 0; column < tile.columns(); column++) {
                    values[to + column * second()] = factor * sums[row][column];
                }
            }
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

    /** The number of products. */
    int count() {
        int count = 1;
        for (int axis = 0; axis < to.all.length - 2; axis++) {
            count = Math.multiplyExact(count, sizes[axis]);
        }
        return count;
    }

    /** The same as small products, where neighbours lie side by side as those need it. */
    Optional<SmallProducts.Sizes> small(float alpha) {
        boolean isRight = left.second() == 1 && (right.first() == 1 || right.second() == 1) && to.second() == 1;
        SmallProducts.Sizes small =
                new SmallProducts.Sizes(rows, terms, columns, matrices(left), matrices(right), matrices(to), alpha);
        return Optional.of(small).filter(all -> isRight && all.areSmall());
    }

    private SmallProducts.Matrices matrices(Strides of) {
        int[] begins = new int[count()];
        for (int i = 0; i < begins.length; i++) {
            begins[i] = of.begin(i, sizes);
        }
        return new SmallProducts.Matrices(begins, of.first(), of.second());
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
