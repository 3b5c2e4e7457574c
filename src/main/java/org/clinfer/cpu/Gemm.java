package org.clinfer.cpu;

import java.util.List;
import java.util.Optional;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.clinfer.tensor.TensorType;

/** {@code alpha * A' * B' + beta * C}. */
final class Gemm implements CpuOperator {

    private final AcceptedTypes accepted = AcceptedTypes.floating("Gemm");

    @Override
    public Optional<String> refusal(List<TensorType> inputs, List<TensorType> outputs) {
        return accepted.refusal(outputs);
    }

    @Override
    public void run(CpuCall call) {
        Parameters parameters = call.parameters();
        int rows = Math.toIntExact(parameters.integer("m"));
        int columns = Math.toIntExact(parameters.integer("n"));
        if (call.output().dtype() == DType.FLOAT64) {
            runDouble(call, rows, columns);
            return;
        }
        MatrixOperands.Operand a = operand(call.input(0), parameters.flag("transpose_a"));
        MatrixOperands.Operand b = operand(call.input(1), parameters.flag("transpose_b"));
        float[] y = new float[Math.multiplyExact(rows, columns)];
        MatrixOperands.multiply(a, b, new MatrixOperands.Destination(y, 0), call.parallel());
        float alpha = (float) parameters.real("alpha");
        float beta = (float) parameters.real("beta");
        Tensor c = call.optionalInput(2);
        float[] added = c == null ? new float[1] : TensorValues.allFloats(c);
        int[] strides = c == null ? new int[2] : parameters.ints("c_strides");
        if (alpha != 1 || c != null) {
            call.parallel().forRange(rows, Math.max(1, (1 << 15) / Math.max(1, columns)), (from, to) -> {
                for (int row = from; row < to; row++) {
                    for (int column = 0; column < columns; column++) {
                        int at = row * columns + column;
                        y[at] = alpha * y[at];
                        if (c != null) {
                            y[at] += beta * added[row * strides[0] + column * strides[1]];
                        }
                    }
                }
            });
        }
        TensorValues.of(call.output()).writeAll(y, call.parallel());
    }

    private static MatrixOperands.Operand operand(Tensor tensor, boolean transposed) {
        int rows = Math.toIntExact(tensor.shape().size(0));
        int columns = Math.toIntExact(tensor.shape().size(1));
        return new MatrixOperands.Operand(TensorValues.of(tensor), 0, rows, columns, transposed);
    }

    private static void runDouble(CpuCall call, int rows, int columns) {
        Parameters parameters = call.parameters();
        int depth = Math.toIntExact(parameters.integer("k"));
        double[] a = TensorValues.allDoubles(call.input(0));
        double[] b = TensorValues.allDoubles(call.input(1));
        if (parameters.flag("transpose_a")) {
            a = AxisSwap.swap(a, 1, depth, rows);
        }
        if (parameters.flag("transpose_b")) {
            b = AxisSwap.swap(b, 1, columns, depth);
        }
        double[] y = new double[Math.multiplyExact(rows, columns)];
        WideProduct.doubles(a, b, y, new WideProduct.Sizes(rows, depth, columns), call.parallel());
        double alpha = parameters.real("alpha");
        double beta = parameters.real("beta");
        Tensor c = call.optionalInput(2);
        double[] added = c == null ? new double[1] : TensorValues.allDoubles(c);
        int[] strides = c == null ? new int[2] : parameters.ints("c_strides");
        for (int i = 0; i < y.length; i++) {
            y[i] = alpha * y[i];
            if (c != null) {
                y[i] += beta * added[i / columns * strides[0] + i % columns * strides[1]];
            }
        }
        TensorValues.of(call.output()).writeAll(y, call.parallel());
    }
}
