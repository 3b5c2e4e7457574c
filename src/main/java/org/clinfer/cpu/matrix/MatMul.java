package org.clinfer.cpu.matrix;

import java.util.ArrayList;
import java.util.List;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.LongValues;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.DType;
import org.jspecify.annotations.Nullable;

/** Matrix products of the last two axes, the others broadcast; sums of integers are exact and saturate. */
final class MatMul implements CpuOperator {

    private final @Nullable VectorKernels kernels;

    MatMul(CpuPath path) {
        this.kernels = path.kernels();
    }

    @Override
    public void run(CpuCall call) {
        Batch batch = Batch.of(call.parameters());
        DType dtype = call.output().dtype();
        if (dtype.isInteger()) {
            runLongs(call, batch);
        } else if (dtype == DType.FLOAT64) {
            runDoubles(call, batch);
        } else {
            runFloats(call, batch);
        }
    }

    private void runFloats(CpuCall call, Batch batch) {
        boolean sharesRight = batch.sharesRight(call.input(1).elements());
        if (sharesRight || batch.count == 1) {
            multiply(call, sharesRight ? batch.stacked() : batch);
            return;
        }
        if (kernels != null && batch.count > 1) {
            SmallProducts.Sizes sizes = batch.sizes();
            if (sizes.areSmall()) {
                new SmallProducts(call, sizes, kernels).run(call.parallel());
                return;
            }
        }
        TensorValues a = TensorValues.of(call.input(0));
        TensorValues b = TensorValues.of(call.input(1));
        float[] y = new float[Math.toIntExact(call.output().elements())];
        if (batch.elements() > 0) {
            List<MatrixProduct.Part> parts = new ArrayList<>();
            for (int i = 0; i < batch.count; i++) {
                parts.add(MatrixOperands.part(batch.left(a, i), batch.right(b, i), batch.target(y, i)));
            }
            MatrixProduct.run(parts, call.parallel(), kernels);
        }
        TensorValues.of(call.output()).writeAll(y, call.parallel());
    }

    /** One product, of the whole inputs. */
    private void multiply(CpuCall call, Batch whole) {
        MatrixOperands.Operand a = whole.left(TensorValues.of(call.input(0)), 0);
        MatrixOperands.Operand b = whole.right(TensorValues.of(call.input(1)), 0);
        TensorValues output = TensorValues.of(call.output());
        PanelProduct.Result result =
                (row, column, count, sums, at) -> output.write(row * whole.columns + column, sums, at, count);
        if (!MatrixOperands.multiplyPanels(a, b, result, call, 1, kernels)
                && !MatrixOperands.multiplyFew(a, b, result, call, 1, kernels)) {
            float[] y = new float[Math.toIntExact(call.output().elements())];
            MatrixOperands.multiply(a, b, whole.target(y, 0), call.parallel(), kernels);
            output.writeAll(y, call.parallel());
        }
    }

    private static void runDoubles(CpuCall call, Batch batch) {
        double[] a = TensorValues.allDoubles(call.input(0));
        double[] b = TensorValues.allDoubles(call.input(1));
        double[] y = new double[Math.toIntExact(call.output().elements())];
        for (int i = 0; i < batch.count; i++) {
            WideProduct.doubles(a, b, y, batch.wide(i), call.parallel());
        }
        TensorValues.of(call.output()).writeAll(y, call.parallel());
    }

    private static void runLongs(CpuCall call, Batch batch) {
        long[] a = LongValues.all(call.input(0));
        long[] b = LongValues.all(call.input(1));
        long[] y = new long[Math.toIntExact(call.output().elements())];
        for (int i = 0; i < batch.count; i++) {
            WideProduct.longs(a, b, y, batch.wide(i), call.parallel());
        }
        LongValues.writeAll(y, call.output(), call.parallel());
    }

    /** The sizes of every product and where its matrices begin. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Batch(int rows, int depth, int columns, int count, int[] dims, int[] aStrides, int[] bStrides) {

        static Batch of(Parameters parameters) {
            int[] dims = parameters.ints("batch_dims");
            int count = 1;
            for (int dim : dims) {
                count = Math.multiplyExact(count, dim);
            }
            return new Batch(
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
        boolean sharesRight(long rightElements) {
            return count > 1
                    && rightElements == (long) depth * columns
                    && offset(aStrides, count - 1) == (count - 1) * rows * depth;
        }

        Batch stacked() {
            int[] none = {};
            return new Batch(Math.multiplyExact(rows, count), depth, columns, 1, none, none, none);
        }

        MatrixOperands.Operand left(TensorValues values, int index) {
            return new MatrixOperands.Operand(values, offset(aStrides, index), rows, depth, false);
        }

        MatrixOperands.Operand right(TensorValues values, int index) {
            return new MatrixOperands.Operand(values, offset(bStrides, index), depth, columns, false);
        }

        MatrixOperands.Destination target(float[] y, int index) {
            return new MatrixOperands.Destination(y, index * rows * columns);
        }

        WideProduct.Sizes wide(int index) {
            return new WideProduct.Sizes(
                    rows, depth, columns, offset(aStrides, index), offset(bStrides, index), index * rows * columns);
        }

        SmallProducts.Sizes sizes() {
            int[] lefts = new int[count];
            int[] rights = new int[count];
            for (int i = 0; i < count; i++) {
                lefts[i] = offset(aStrides, i);
                rights[i] = offset(bStrides, i);
            }
            return new SmallProducts.Sizes(rows, depth, columns, count, lefts, rights);
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
}
