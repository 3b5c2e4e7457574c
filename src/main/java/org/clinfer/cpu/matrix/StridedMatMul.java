package org.clinfer.cpu.matrix;

import org.clinfer.cpu.call.CpuCall;
import org.clinfer.cpu.call.CpuOperator;
import org.clinfer.cpu.memory.TensorValues;
import org.clinfer.cpu.vector.CpuPath;
import org.clinfer.cpu.vector.VectorKernels;
import org.clinfer.graph.Parameters;
import org.clinfer.tensor.DType;
import org.clinfer.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * {@code alpha * A * B} of matrices with strides: of few rows in explicit vectors, of others summed in double precision, which
 * plans for the CPU do without.
 */
final class StridedMatMul implements CpuOperator {

    private static final int GRAIN = 1 << 12;

    private final @Nullable VectorKernels kernels;

    StridedMatMul(CpuPath path) {
        this.kernels = path.kernels();
    }

    @Override
    public void run(CpuCall call) {
        Parameters parameters = call.parameters();
        StridedSizes all = call.kept(StridedSizes.class, () -> StridedSizes.of(parameters));
        if (kernels != null && StridedRows.takes(all, call.output().dtype())) {
            new StridedRows(all, call, kernels).run(call.parallel());
            return;
        }
        double[] a = TensorValues.allDoubles(call.input(0));
        double[] b = TensorValues.allDoubles(call.input(1));
        StridedSizes.Strides left = all.left();
        StridedSizes.Strides right = all.right();
        StridedSizes.Strides to = all.to();
        int[] sizes = all.sizes();
        int rows = all.rows();
        int terms = all.terms();
        int columns = all.columns();
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
