package org.clinfer.cpu.matrix;

import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.Parallel;
import org.clinfer.cpu.call.Rounding;
import org.clinfer.cpu.call.Scratch;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.VectorKernels;

/**
 * Products of few rows and matrices of which terms or columns are neighbours, in explicit vectors: each matrix is read once
 * where it lies, as the queries of a token meet the keys and values of those before it.
 */
final class StridedRows {

    /** Rows up to which a matrix is not brought into another order for them. */
    static final int MAX_ROWS = 4;

    /** Floats of the right matrix that stay in the first cache level while rows pass. */
    private static final int PIECE = 1 << 12;

    private static final int GRAIN = 1 << 15;

    private final StridedSizes sizes;
    private final CpuCall call;
    private final VectorKernels kernels;

    /** A product of which {@link #takes} says that it is one of these. */
    StridedRows(StridedSizes sizes, CpuCall call, VectorKernels kernels) {
        this.sizes = sizes;
        this.call = call;
        this.kernels = kernels;
    }

    static boolean takes(StridedSizes sizes) {
        return sizes.rows() <= MAX_ROWS
                && (sizes.right().first() == 1 || sizes.right().second() == 1);
    }

    void run(Parallel parallel) {
        int matrices = Math.toIntExact(call.output().elements() / sizes.rows() / sizes.columns());
        long products = (long) sizes.rows() * sizes.terms() * sizes.columns();
        parallel.forRange(matrices, (int) Math.max(1, GRAIN / products), (from, to) -> {
            Scratch scratch = parallel.scratch();
            int slack = VectorKernels.ROW_VECTORS * kernels.lanes();
            float[] a = scratch.take(sizes.rows() * sizes.terms());
            float[] b = scratch.take(Math.max(PIECE, Math.max(sizes.columns(), 4 * sizes.terms())) + slack);
            float[] y = scratch.take(sizes.rows() * pitch() + slack);
            for (int matrix = from; matrix < to; matrix++) {
                multiply(matrix, a, b, y);
            }
            scratch.give(y);
            scratch.give(b);
            scratch.give(a);
        });
    }

    /** The distance of rows of sums: whole tiles of columns. */
    private int pitch() {
        return Rounding.ceilDiv(sizes.columns(), VectorKernels.ROW_VECTORS * kernels.lanes())
                * VectorKernels.ROW_VECTORS
                * kernels.lanes();
    }

    private void multiply(int matrix, float[] a, float[] b, float[] y) {
        TensorValues left = TensorValues.of(call.input(0));
        TensorValues right = TensorValues.of(call.input(1));
        int begin = sizes.left().begin(matrix, sizes.sizes());
        for (int row = 0; row < sizes.rows(); row++) {
            read(
                    left,
                    begin + row * sizes.left().first(),
                    sizes.left().second(),
                    a,
                    row * sizes.terms(),
                    sizes.terms());
        }
        if (sizes.right().first() == 1) {
            sumTerms(right, sizes.right().begin(matrix, sizes.sizes()), a, b, y);
        } else {
            addTerms(right, sizes.right().begin(matrix, sizes.sizes()), a, b, y);
        }
        write(sizes.to().begin(matrix, sizes.sizes()), y);
    }

    /** Columns one after the other, whose terms are neighbours. */
    private void sumTerms(TensorValues right, int begin, float[] a, float[] b, float[] y) {
        int terms = sizes.terms();
        int most = Math.max(4, PIECE / terms / 4 * 4);
        for (int column = 0; column < sizes.columns(); column += most) {
            int count = Math.min(most, sizes.columns() - column);
            readLines(
                    right,
                    begin + column * sizes.right().second(),
                    sizes.right().second(),
                    count,
                    terms,
                    b);
            for (int row = 0; row < sizes.rows(); row++) {
                kernels.functions().innerProducts(a, row * terms, b, 0, count, terms, y, row * pitch() + column);
            }
        }
    }

    /** Terms one after the other, whose columns are neighbours. */
    private void addTerms(TensorValues right, int begin, float[] a, float[] b, float[] y) {
        int columns = sizes.columns();
        int most = Math.max(1, PIECE / columns);
        for (int term = 0; term < sizes.terms(); term += most) {
            int count = Math.min(most, sizes.terms() - term);
            readLines(right, begin + term * sizes.right().first(), sizes.right().first(), count, columns, b);
            for (int row = 0; row < sizes.rows(); row++) {
                kernels.addRow(a, row * sizes.terms() + term, count, b, 0, columns, y, row * pitch(), term == 0);
            }
        }
    }

    private static void readLines(TensorValues from, int begin, int step, int lines, int length, float[] into) {
        if (step == length) {
            from.read(begin, into, 0, lines * length);
            return;
        }
        for (int line = 0; line < lines; line++) {
            from.read(begin + line * step, into, line * length, length);
        }
    }

    private static void read(TensorValues from, int begin, int step, float[] into, int at, int count) {
        if (step == 1) {
            from.read(begin, into, at, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            from.read(begin + i * step, into, at + i, 1);
        }
    }

    private void write(int begin, float[] y) {
        TensorValues results = TensorValues.of(call.output());
        float alpha = (float) call.parameters().real("alpha");
        for (int row = 0; row < sizes.rows(); row++) {
            int from = row * pitch();
            int at = begin + row * sizes.to().first();
            for (int column = 0; alpha != 1 && column < sizes.columns(); column++) {
                y[from + column] *= alpha;
            }
            if (sizes.to().second() == 1) {
                results.write(at, y, from, sizes.columns());
                continue;
            }
            for (int column = 0; column < sizes.columns(); column++) {
                results.write(at + column * sizes.to().second(), y, from + column, 1);
            }
        }
    }
}
