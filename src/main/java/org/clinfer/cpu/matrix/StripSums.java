package org.clinfer.cpu.matrix;

import java.util.Arrays;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.call.Scratch;
import org.clinfer.cpu.vector.VectorKernels;

/** The sums of some rows and columns of a {@link StripProduct}, slice by slice of its terms. */
sealed interface StripSums extends AutoCloseable {

    /** The array for the sums of a slice. */
    float[] slice();

    /** True if the array has the sums of the slices before, to which those of a slice are added. */
    boolean isRunning();

    /** Takes the first {@code count} sums of a slice. */
    void add(int count, boolean isFirst);

    /** Gives {@code count} sums from {@code at} on to the result. */
    void give(int row, int column, int count, int at);

    @Override
    void close();

    /** Sums in floats. */
    final class Floats implements StripSums {
        private final PanelProduct.Result result;
        private final Scratch scratch;
        private final float[] sums;

        Floats(int size, PanelProduct.Result result, Parallel parallel) {
            this.result = result;
            this.scratch = parallel.scratch();
            this.sums = scratch.take(size);
        }

        @Override
        public float[] slice() {
            return sums;
        }

        @Override
        public boolean isRunning() {
            return true;
        }

        @Override
        public void add(int count, boolean isFirst) {
            // they have been added to those before
        }

        @Override
        public void give(int row, int column, int count, int at) {
            result.take(row, column, count, sums, at);
        }

        @Override
        public void close() {
            scratch.give(sums);
        }
    }

    /** Exact sums of integers. */
    final class Integers implements StripSums {
        private final PanelProduct.IntegerResult result;
        private final Scratch scratch;
        private final VectorKernels kernels;
        private final float[] slice;
        private final int[] sums;

        Integers(int size, PanelProduct.IntegerResult result, Parallel parallel, VectorKernels kernels) {
            this.result = result;
            this.scratch = parallel.scratch();
            this.kernels = kernels;
            this.slice = scratch.take(size);
            this.sums = new int[size];
        }

        @Override
        public float[] slice() {
            return slice;
        }

        @Override
        public boolean isRunning() {
            return false;
        }

        @Override
        public void add(int count, boolean isFirst) {
            if (isFirst) {
                Arrays.fill(sums, 0, count, 0);
            }
            kernels.addIntegers(slice, sums, count);
        }

        @Override
        public void give(int row, int column, int count, int at) {
            result.take(row, column, count, sums, at);
        }

        @Override
        public void close() {
            scratch.give(slice);
        }
    }
}
