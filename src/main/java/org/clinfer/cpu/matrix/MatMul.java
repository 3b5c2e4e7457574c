package org.clinfer.cpu.matrix;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.LongValues;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.tensor.DType;
import org.jspecify.annotations.Nullable;

/** Matrix products of the last two axes, the others broadcast; sums of integers wrap. */
final class MatMul implements CpuOperator {

    private static final int NARROW = 16;
    private static final int DEPTH_OF_NARROW = 64;

    private final @Nullable VectorKernels kernels;

    MatMul(CpuPath path) {
        this.kernels = path.kernels();
    }

    @Override
    public void run(CpuCall call) {
        MatrixBatch batch = MatrixBatch.of(call.parameters());
        DType dtype = call.output().dtype();
        if (dtype.isInteger()) {
            runLongs(call, batch);
        } else if (dtype == DType.FLOAT64) {
            runDoubles(call, batch);
        } else {
            runFloats(call, batch);
        }
    }

    private void runFloats(CpuCall call, MatrixBatch batch) {
        boolean sharesRight = batch.sharesRight(call.input(1).elements());
        boolean isOne = sharesRight || batch.count() == 1;
        MatrixBatch products = sharesRight ? batch.stacked() : batch;
        if (kernels != null && (!isOne || isNarrow(products))) {
            SmallProducts.Sizes sizes = sizes(products);
            if (sizes.areSmall()) {
                new SmallProducts(call, sizes, kernels).run(call.parallel());
                return;
            }
        }
        if (isOne) {
            multiply(call, products);
            return;
        }
        TensorValues a = TensorValues.of(call.input(0));
        TensorValues b = TensorValues.of(call.input(1));
        float[] y = new float[Math.toIntExact(call.output().elements())];
        if (batch.elements() > 0) {
            List<MatrixProduct.Part> parts = new ArrayList<>();
            for (int i = 0; i < batch.count(); i++) {
                parts.add(MatrixOperands.part(left(batch, a, i), right(batch, b, i), target(batch, y, i)));
            }
            MatrixProduct.run(parts, call.parallel(), kernels);
        }
        TensorValues.of(call.output()).writeAll(y, call.parallel());
    }

    /** {@return whether rows take less time than it does to write each by itself} */
    private static boolean isNarrow(MatrixBatch product) {
        return product.columns() <= NARROW
                && product.depth() <= DEPTH_OF_NARROW
                && product.rows() >= VectorKernels.ROWS;
    }

    /** One product, of the whole inputs. */
    private void multiply(CpuCall call, MatrixBatch whole) {
        MatrixOperands.Operand a = left(whole, TensorValues.of(call.input(0)), 0);
        MatrixOperands.Operand b = right(whole, TensorValues.of(call.input(1)), 0);
        TensorValues output = TensorValues.of(call.output());
        PanelProduct.Result result =
                (row, column, count, sums, at) -> output.write(row * whole.columns() + column, sums, at, count);
        if (!MatrixOperands.multiplyPanels(a, b, result, call, 1, kernels)
                && !MatrixOperands.multiplyFew(a, b, result, call, 1, kernels)) {
            float[] y = new float[Math.toIntExact(call.output().elements())];
            MatrixOperands.multiply(a, b, target(whole, y, 0), call.parallel(), kernels);
            output.writeAll(y, call.parallel());
        }
    }

    private static void runDoubles(CpuCall call, MatrixBatch batch) {
        double[] a = TensorValues.allDoubles(call.input(0));
        double[] b = TensorValues.allDoubles(call.input(1));
        double[] y = new double[Math.toIntExact(call.output().elements())];
        for (int i = 0; i < batch.count(); i++) {
            WideProduct.doubles(a, b, y, wide(batch, i), call.parallel());
        }
        TensorValues.of(call.output()).writeAll(y, call.parallel());
    }

    private static void runLongs(CpuCall call, MatrixBatch batch) {
        long[] a = LongValues.all(call.input(0));
        long[] b = LongValues.all(call.input(1));
        long[] y = new long[Math.toIntExact(call.output().elements())];
        for (int i = 0; i < batch.count(); i++) {
            WideProduct.longs(a, b, y, wide(batch, i), call.parallel());
        }
        LongValues.writeAll(y, call.output(), call.parallel());
    }

    private static MatrixOperands.Operand left(MatrixBatch batch, TensorValues values, int index) {
        return new MatrixOperands.Operand(values, batch.left(index), batch.rows(), batch.depth(), false);
    }

    private static MatrixOperands.Operand right(MatrixBatch batch, TensorValues values, int index) {
        return new MatrixOperands.Operand(values, batch.right(index), batch.depth(), batch.columns(), false);
    }

    private static MatrixOperands.Destination target(MatrixBatch batch, float[] y, int index) {
        return new MatrixOperands.Destination(y, index * batch.rows() * batch.columns());
    }

    private static WideProduct.Sizes wide(MatrixBatch batch, int index) {
        return new WideProduct.Sizes(
                batch.rows(),
                batch.depth(),
                batch.columns(),
                batch.left(index),
                batch.right(index),
                index * batch.rows() * batch.columns());
    }

    private static SmallProducts.Sizes sizes(MatrixBatch batch) {
        int rows = batch.rows();
        int columns = batch.columns();
        int[] lefts = new int[batch.count()];
        int[] rights = new int[batch.count()];
        int[] results = new int[batch.count()];
        for (int i = 0; i < lefts.length; i++) {
            lefts[i] = batch.left(i);
            rights[i] = batch.right(i);
            results[i] = i * rows * columns;
        }
        return new SmallProducts.Sizes(
                rows,
                batch.depth(),
                columns,
                new SmallProducts.Matrices(lefts, batch.depth(), 1),
                new SmallProducts.Matrices(rights, columns, 1),
                new SmallProducts.Matrices(results, columns, 1),
                1);
    }
}
