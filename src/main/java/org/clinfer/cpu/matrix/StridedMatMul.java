package org.clinfer.cpu.matrix;

import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;

/** {@code alpha * A * B} of matrices with strides, summed in double precision: plans for the CPU do without it. */
final class StridedMatMul implements CpuOperator {

    private static final int GRAIN = 1 << 12;

    /** The steps between neighbours in one tensor: of the matrices, and along both axes of one; its array is only read. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Strides(int offset, int[] all) {

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

    @Override
    public void run(CpuCall call) {
        Parameters parameters = call.parameters();
        double[] a = TensorValues.allDoubles(call.input(0));
        double[] b = TensorValues.allDoubles(call.input(1));
        Strides left = Strides.of(parameters, "a");
        Strides right = Strides.of(parameters, "b");
        Strides to = new Strides(0, parameters.ints("y_strides"));
        int[] sizes = parameters.ints("sizes");
        int rows = Math.toIntExact(parameters.integer("m"));
        int terms = Math.toIntExact(parameters.integer("k"));
        int columns = Math.toIntExact(parameters.integer("n"));
        double alpha = parameters.real("alpha");
        Tensor output = call.output();
        double[] y = new double[Math.toIntExact(output.elements())];
        int lines = y.length / columns;
        call.parallel().forRange(lines, Math.max(1, GRAIN / Math.max(1, terms * columns)), (from, end) -> {
            for (int line = from; line < end; line++) {
                int matrix = line / rows;
                int row = line % rows;
                int aAt = left.begin(matrix, sizes) + row * left.first();
                int bAt = right.begin(matrix, sizes);
                int yAt = to.begin(matrix, sizes) + row * to.first();
                for (int column = 0; column < columns; column++) {
                    double sum = 0;
                    for (int term = 0; term < terms; term++) {
                        sum += a[aAt + term * left.second()] * b[bAt + term * right.first() + column * right.second()];
                    }
                    y[yAt + column * to.second()] = alpha * sum;
                }
            }
        });
        write(output, y, call);
    }

    private static void write(Tensor output, double[] y, CpuCall call) {
        if (output.dtype() == DType.FLOAT64) {
            TensorValues.of(output).writeAll(y, call.parallel());
            return;
        }
        float[] floats = new float[y.length];
        for (int i = 0; i < y.length; i++) {
            floats[i] = (float) y[i];
        }
        TensorValues.of(output).writeAll(floats, call.parallel());
    }
}
