package org.clinfer.cpu.matrix;

import java.util.function.IntUnaryOperator;
import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.LongValues;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.RowKernels;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** {@code alpha * A' * B' + beta * C}. */
final class Gemm implements CpuOperator {

    private final @Nullable VectorKernels kernels;

    Gemm(CpuPath path) {
        this.kernels = path.kernels();
    }

    @Override
    public void run(CpuCall call) {
        WideProduct.Sizes sizes = sizes(call.parameters());
        DType dtype = call.output().dtype();
        if (dtype == DType.FLOAT64) {
            runDoubles(call, sizes);
        } else if (dtype.isInteger()) {
            runLongs(call, sizes);
        } else {
            runFloats(call, sizes);
        }
    }

    private static WideProduct.Sizes sizes(Parameters parameters) {
        return new WideProduct.Sizes(
                Math.toIntExact(parameters.integer("m")),
                Math.toIntExact(parameters.integer("k")),
                Math.toIntExact(parameters.integer("n")));
    }

    private void runFloats(CpuCall call, WideProduct.Sizes sizes) {
        Parameters parameters = call.parameters();
        int rows = sizes.rows();
        int columns = sizes.columns();
        MatrixOperands.Operand a = operand(call.input(0), rows, sizes.depth(), parameters.flag("transpose_a"));
        MatrixOperands.Operand b = operand(call.input(1), sizes.depth(), columns, parameters.flag("transpose_b"));
        PanelProduct.Result addend = addend(call);
        TensorValues output = TensorValues.of(call.output());
        PanelProduct.Result result = (row, column, count, sums, at) -> {
            addend.take(row, column, count, sums, at);
            output.write(row * columns + column, sums, at, count);
        };
        if (MatrixOperands.multiplyPanels(a, b, result, call, 1, kernels)
                || MatrixOperands.multiplyFew(a, b, result, call, 1, kernels)) {
            return;
        }
        float[] y = new float[Math.multiplyExact(rows, columns)];
        MatrixOperands.multiply(a, b, new MatrixOperands.Destination(y, 0), call.parallel(), kernels);
        call.parallel().forRange(rows, Math.max(1, (1 << 15) / Math.max(1, columns)), (from, to) -> {
            for (int row = from; row < to; row++) {
                addend.take(row, 0, columns, y, row * columns);
            }
        });
        output.writeAll(y, call.parallel());
    }

    /** The step from products to results, in place: a factor, and the addend with its own. */
    private static PanelProduct.Result addend(CpuCall call) {
        Parameters parameters = call.parameters();
        float alpha = (float) parameters.real("alpha");
        float beta = (float) parameters.real("beta");
        Tensor c = call.optionalInput(2);
        float[] added = c == null ? new float[0] : TensorValues.allFloats(c);
        int[] strides = c == null ? new int[2] : parameters.ints("c_strides");
        return (row, column, count, sums, at) -> {
            if (alpha != 1) {
                for (int i = at; i < at + count; i++) {
                    sums[i] *= alpha;
                }
            }
            if (added.length == 0) {
                return;
            }
            int first = row * strides[0] + column * strides[1];
            if (strides[1] == 1) {
                RowKernels.addRow(sums, at, added, first, beta, count);
                return;
            }
            for (int i = 0; i < count; i++) {
                sums[at + i] += beta * added[first + i * strides[1]];
            }
        };
    }

    private static MatrixOperands.Operand operand(Tensor tensor, int rows, int columns, boolean transposed) {
        return new MatrixOperands.Operand(
                TensorValues.of(tensor), 0, transposed ? columns : rows, transposed ? rows : columns, transposed);
    }

    /** The storage of the left matrix, as an order of its elements. */
    private static IntUnaryOperator left(Parameters parameters, WideProduct.Sizes sizes) {
        return parameters.flag("transpose_a") ? AxisSwap.swapped(sizes.depth(), sizes.rows()) : AxisSwap.SAME;
    }

    private static IntUnaryOperator right(Parameters parameters, WideProduct.Sizes sizes) {
        return parameters.flag("transpose_b") ? AxisSwap.swapped(sizes.columns(), sizes.depth()) : AxisSwap.SAME;
    }

    private static void runDoubles(CpuCall call, WideProduct.Sizes sizes) {
        Parameters parameters = call.parameters();
        int columns = sizes.columns();
        double[] a = AxisSwap.gather(TensorValues.allDoubles(call.input(0)), left(parameters, sizes));
        double[] b = AxisSwap.gather(TensorValues.allDoubles(call.input(1)), right(parameters, sizes));
        double[] y = new double[Math.multiplyExact(sizes.rows(), columns)];
        WideProduct.doubles(a, b, y, sizes, call.parallel());
        Tensor c = call.optionalInput(2);
        double alpha = parameters.real("alpha");
        double beta = c == null ? 0 : parameters.real("beta");
        double[] added = c == null ? new double[1] : TensorValues.allDoubles(c);
        int[] strides = parameters.ints("c_strides");
        for (int i = 0; i < y.length; i++) {
            y[i] = alpha * y[i] + beta * added[i / columns * strides[0] + i % columns * strides[1]];
        }
        TensorValues.of(call.output()).writeAll(y, call.parallel());
    }

    /** Exact where alpha and beta are 1, else scaled in double precision. */
    private static void runLongs(CpuCall call, WideProduct.Sizes sizes) {
        Parameters parameters = call.parameters();
        int columns = sizes.columns();
        long[] a = AxisSwap.gather(LongValues.all(call.input(0)), left(parameters, sizes));
        long[] b = AxisSwap.gather(LongValues.all(call.input(1)), right(parameters, sizes));
        long[] y = new long[Math.multiplyExact(sizes.rows(), columns)];
        WideProduct.longs(a, b, y, sizes, call.parallel());
        boolean scaled = parameters.flag("scaled");
        Tensor c = call.optionalInput(2);
        double alpha = parameters.real("alpha");
        double beta = c == null ? 0 : parameters.real("beta");
        long[] added = c == null ? new long[1] : LongValues.all(c);
        DType dtype = call.output().dtype();
        int[] strides = parameters.ints("c_strides");
        for (int i = 0; i < y.length; i++) {
            long plus = added[i / columns * strides[0] + i % columns * strides[1]];
            y[i] = dtype.saturated(scaled ? LongValues.rounded(alpha * y[i] + beta * plus) : y[i] + plus);
        }
        LongValues.writeAll(y, call.output(), call.parallel());
    }
}
